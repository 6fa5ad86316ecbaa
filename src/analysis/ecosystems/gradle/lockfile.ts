import type { Package } from '../../dependency-graph.ts'
import { Unreadable } from '../ecosystem.ts'
import type { CatalogSource } from './catalog.ts'
import { isDevConfiguration } from './configurations.ts'

/** A locked module; whether only tests and tools of the build use it. */
export interface Locked extends Package {
  readonly isDev: boolean
}

/** Reads gradle.lockfile (`group:name:version=configurations` lines) or the dependencies.lock of Netflix's plugin. */
export function readLockfile({ file, text }: CatalogSource): Locked[] {
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

/** Reads a lock by configuration and module; a module in any configuration of the product is not test-only. */
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

function parse(text: string, file: CatalogSource['file']): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Unreadable('The file holds locked versions, but it is not JSON', { file, cause })
  }
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}
