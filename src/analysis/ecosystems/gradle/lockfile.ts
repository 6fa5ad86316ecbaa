import type { Package } from '../../dependency-graph.ts'
import { Unreadable } from '../ecosystem.ts'
import type { CatalogueSource } from './catalogue.ts'
import { isDevConfiguration } from './configurations.ts'

/** A module as it is locked, and whether only tests and tools of the build use it. */
export interface Locked extends Package {
  readonly isDev: boolean
}

/** gradle.lockfile (one `group:name:version=configurations` a line), or the dependencies.lock of Netflix's plugin. */
export function readLockfile({ file, text }: CatalogueSource): Locked[] {
  return isJsonLock(text) ? readJsonLock(parse(text, file)) : readLines(text)
}

function readLines(text: string): Locked[] {
  return text.split('\n').flatMap((line) => {
    const [coordinates = '', configurations] = line.trim().split('=')
    const [group, artifact, version] = coordinates.split(':')
    if (coordinates.startsWith('#') || configurations === undefined || !group || !artifact || !version) return []
    const isDev = configurations.split(',').every(isDevConfiguration)
    return [{ name: `${group}:${artifact}`, version, isDev }]
  })
}

function isJsonLock(text: string): boolean {
  return text.trimStart().startsWith('{') && /"locked"\s*:/.test(text)
}

/** By configuration, then by module; what one configuration of the product needs is not for tests only. */
function readJsonLock(document: unknown): Locked[] {
  const found = new Map<string, Locked>()
  for (const [configuration, modules] of entriesOf(document)) {
    for (const [name, about] of entriesOf(modules)) {
      const version = entriesOf(about).find(([key]) => key === 'locked')?.[1]
      if (typeof version !== 'string' || !/^[^:]+:[^:]+$/.test(name)) continue
      const key = `${name}@${version}`
      const isDev = isDevConfiguration(configuration) && found.get(key)?.isDev !== false
      found.set(key, { name, version, isDev })
    }
  }
  return [...found.values()]
}

function parse(text: string, file: CatalogueSource['file']): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Unreadable('The file holds locked versions, but it is not JSON', { file, cause })
  }
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}
