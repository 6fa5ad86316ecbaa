import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { toProjectName } from '#analysis/ecosystems/python/packaging/project-name.ts'
import type { PyPiMetadata } from '#analysis/registries/pypi.ts'
import { licenseOf } from './core-metadata.ts'

/**
 * Parses an index's JSON document of one version (`/pypi/NAME/VERSION/json`). If it lists no dependencies, there are
 * none if a wheel exists; for a source distribution alone they are unknown.
 */
export function parseVersionDocument(document: Buffer, project: string): PyPiMetadata {
  const info = infoOf(document)
  if (typeof info?.['name'] !== 'string' || toProjectName(info['name']) !== project) {
    throw new RegistryUnreachable(`the index's answer is of another project than ${project}`)
  }
  const text = (key: string) => (typeof info[key] === 'string' && info[key] !== '' ? info[key] : undefined)
  const texts = (key: string) =>
    Array.isArray(info[key]) ? info[key].filter((text) => typeof text === 'string') : undefined
  const requiresPython = text('requires_python')
  const requiresDist = texts('requires_dist')
  const license = licenseOf(text('license_expression'), text('license'), texts('classifiers') ?? [])
  return {
    provides: (texts('provides_extra') ?? []).map(toProjectName),
    ...(requiresDist === undefined || requiresDist.length === 0 ? {} : { requiresDist }),
    ...(requiresPython === undefined ? {} : { requiresPython }),
    ...(license === undefined ? {} : { license }),
  }
}

function infoOf(document: Buffer): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(document.toString('utf8')) as { info?: unknown } | null
    const info = value?.info
    return typeof info === 'object' && info !== null ? (info as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
