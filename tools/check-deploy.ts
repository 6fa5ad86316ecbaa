import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { settings } from '#foundation/settings.ts'
import { programEnvironment } from '#test/servers/program.ts'
import { startServer } from '#test/servers/server-process.ts'
import { build } from './packaging/build.ts'

/** Exposure that `systemd-analyze security` may report for the unit, in tenths. */
const MOST_EXPOSURE = 20

/** Checks the files of `deploy/` as far as this machine allows, and prints what it could not run. */
if (import.meta.main) await check()

async function check(): Promise<void> {
  const faults = [...unknownSettings(), ...weakServices()]
  console.log(faults.length === 0 ? '✔ settings exist; services are confined' : `✖ ${faults.join('\n✖ ')}`)
  const outcomes = [checkUnit(), checkCompose(), await runImageSteps()]
  console.log('– not run: building the image, the containers together, certificates, the unit under systemd')
  if (faults.length > 0 || outcomes.includes('failed')) process.exitCode = 1
}

/** Names in the deployment files that are no setting of Gatehouse. */
export function unknownSettings(): string[] {
  const known = new Set<string>(Object.values(settings).map(({ env }) => env))
  const written = [
    ...Object.keys(services()['gatehouse']?.environment ?? {}),
    ...[...read('Dockerfile').matchAll(/(?<=^ENV .*)\b[A-Z_]+(?==)/gm)].map(([name]) => name),
    ...[...read('gatehouse.service').matchAll(/^Environment=([A-Z_]+)=/gm)].map(([, name]) => name!),
  ]
  return written.filter((name) => !known.has(name)).map((name) => `${name} is not a setting`)
}

interface Service {
  readonly environment?: Readonly<Record<string, string>>
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
}

/** Faults of the services that face the network: each must have a read-only file system and no capabilities. */
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

type Outcome = 'passed' | 'failed' | 'not run'

function checkUnit(): Outcome {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) return say('not run', 'unit: needs systemd-analyze')
  const verified = spawnSync('systemd-analyze', ['verify', 'deploy/gatehouse.service'], { encoding: 'utf8' })
  if (verified.status !== 0 || verified.stderr !== '') return say('failed', `unit: ${verified.stderr}`)
  const security = ['security', '--offline=true', `--threshold=${MOST_EXPOSURE}`, 'deploy/gatehouse.service']
  const { status, stdout } = spawnSync('systemd-analyze', security, { encoding: 'utf8' })
  return say(status === 0 ? 'passed' : 'failed', `unit: ${/Overall exposure.*: ([\d.]+)/.exec(stdout)?.[0]}`)
}

function checkCompose(): Outcome {
  if (spawnSync('docker', ['compose', 'version']).status !== 0) return say('not run', 'compose: needs docker compose')
  const env = { ...process.env, POSTGRES_PASSWORD: 'none', GATEHOUSE_DOMAIN: 'gatehouse.example' }
  const args = ['compose', '-f', 'deploy/compose.yaml', 'config', '--quiet']
  const { status, stderr } = spawnSync('docker', args, { env, encoding: 'utf8' })
  return say(status === 0 ? 'passed' : 'failed', `compose: ${stderr || 'valid'}`)
}

/** Runs the image's steps in a plain folder: build, start as another user who can write only the data folder, health check. */
async function runImageSteps(): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-image-'))
  try {
    await build(join(folder, 'opt'))
    chmodSync(folder, 0o755)
    mkdirSync(join(folder, 'data'))
    chmodSync(join(folder, 'data'), 0o777)
    const server = await startServer({ GATEHOUSE_DATA_DIR: join(folder, 'data') }, [
      ...asNobody(),
      join(folder, 'opt/bin/gatehouse.js'),
      'serve',
    ])
    const environment = { ...programEnvironment, GATEHOUSE_PORT: new URL(server.baseUrl).port }
    const askHealth = () => spawnSync(process.execPath, healthCheckArguments(), { env: environment }).status
    const healthy = askHealth()
    const stopped = await server.end('SIGTERM')
    const unhealthy = askHealth()
    const isRight = healthy === 0 && stopped === 0 && unhealthy === 1
    return say(isRight ? 'passed' : 'failed', `image steps: health ${healthy}, stop ${stopped}, stopped ${unhealthy}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Gives up the rights of root before the program is loaded. */
function asNobody(): string[] {
  if (process.getuid?.() !== 0) return []
  const code = 'process.setgroups([]);process.setgid(65534);process.setuid(65534)'
  return ['--import', `data:text/javascript,${code}`]
}

/** The arguments of Node in the image's health check. */
function healthCheckArguments(): string[] {
  const [, written] = /^HEALTHCHECK .*CMD (\[.+\])$/m.exec(read('Dockerfile'))!
  return (JSON.parse(written!) as string[]).slice(1)
}

function read(name: string): string {
  return readFileSync(new URL(`../deploy/${name}`, import.meta.url), 'utf8')
}

function say(outcome: Outcome, text: string): Outcome {
  console.log(`${{ passed: '✔', failed: '✖', 'not run': '–' }[outcome]} ${text}`)
  return outcome
}
