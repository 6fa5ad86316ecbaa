import { globSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { settings } from '../../src/foundation/settings.ts'

/** Names in the deployment files that are no setting of Gatehouse. */
export function unknownSettings(): string[] {
  const existing = new Set<string>(Object.values(settings).map(({ env }) => env))
  const values = parse(read('helm/gatehouse/values.yaml')) as { settings: Record<string, string> }
  const written = [
    ...Object.keys(services()['gatehouse']?.environment ?? {}),
    ...[...read('Dockerfile').matchAll(/(?<=^ENV .*)\b[A-Z_]+(?==)/gm)].map(([name]) => name),
    ...[...read('gatehouse.service').matchAll(/^Environment=([A-Z_]+)=/gm)].map(([, name]) => name!),
    ...Object.keys(values.settings),
    ...deployed().flatMap((text) => text.match(/\bGATEHOUSE_(?!DOMAIN\b)[A-Z_]+\b/g) ?? []),
  ]
  return [...new Set(written)].filter((name) => !existing.has(name)).map((name) => `${name} is not a setting`)
}

function deployed(): string[] {
  const paths = globSync('**/*.{yaml,tpl,txt,service,json}', { cwd: new URL('../../deploy', import.meta.url) })
  return paths.map(read)
}

interface Service {
  readonly environment?: Readonly<Record<string, string>>
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
}

/**
 * Returns the faults of services that accept network traffic: each needs a read-only file system and no capabilities.
 */
export function weakServices(): string[] {
  return ['gatehouse', 'proxy'].flatMap((name) => {
    const service = services()[name]
    const isConfined =
      service?.read_only === true &&
      isDeepStrictEqual(service.cap_drop, ['ALL']) &&
      service.security_opt?.includes('no-new-privileges:true')
    return isConfined ? [] : [`the service ${name} is missing or not confined`]
  })
}

function services(): Readonly<Record<string, Service>> {
  return (parse(read('compose.yaml')) as { services: Record<string, Service> }).services
}

/** The arguments of Node in the image's health check. */
export function healthCheckArguments(): string[] {
  const [, written] = /^HEALTHCHECK .*CMD (\[.+\])$/m.exec(read('Dockerfile'))!
  return (JSON.parse(written!) as string[]).slice(1)
}

/** Metrics that the dashboard and the alerts read. */
export function readMetrics(): Set<string> {
  const dashboard = JSON.parse(read('monitoring/dashboard.json')) as { panels: { targets: { expr: string }[] }[] }
  const alerts = parse(read('monitoring/alerts.yaml')) as { groups: { rules: { expr: string }[] }[] }
  const expressions = [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  ]
  return new Set(expressions.flatMap((expression) => expression.match(/\b(gatehouse|process|nodejs)_\w+/g) ?? []))
}

function read(name: string): string {
  return readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8')
}
