import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { toProjectName } from '#analysis/ecosystems/pip/project-name.ts'
import type { PyPiMetadata } from '#analysis/registries/pypi.ts'
import { licenceOf } from './core-metadata.ts'

/**
 * What an index says of one version in JSON (`/pypi/NAME/VERSION/json`). No list of dependencies means that there are
 * none when there is a wheel, and that nobody knows when there is only the source.
 */
export function parseVersionDocument(document: Buffer, project: string): PyPiMetadata {
  const info = infoOf(document)
  if (typeof info?.['name'] !== 'string' || toProjectName(info['name']) !== project) {
    throw new RegistryUnreachable(`the index's answer is of another project than ${project}`)
  }
  const text = (key: string) => (typeof info[key] === 'string' && info[key] !== '' ? info[key] : undefined)
  const texts = (key: string) =>
    Array.isArray(info[key]) ? info[key].filter((each) => typeof each === 'string') : undefined
  const requiresPython = text('requires_python')
  const requiresDist = texts('requires_dist')
  const licence = licenceOf(text('license_expression'), text('license'), texts('classifiers') ?? [])
  return {
    provides: (texts('provides_extra') ?? []).map(toProjectName),
    ...(requiresDist === undefined || requiresDist.length === 0 ? {} : { requiresDist }),
    ...(requiresPython === undefined ? {} : { requiresPython }),
    ...(licence === undefined ? {} : { licence }),
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
