import { createRequire } from 'node:module'
import type { Block } from '../../src/analysis/ecosystems/javascript/yarn/lock-text.ts'

/** Yarn's own parsers: that of Yarn 1, which has no types, and that of the later ones. */
export interface EntryV1 {
  readonly version: string
  readonly dependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
}
export type LockV1 = Record<string, EntryV1>
export const yarn1 = createRequire(import.meta.url)('@yarnpkg/lockfile') as {
  parse(text: string): { type: string; object: LockV1 }
  stringify(lock: object): string
}

export function toPlain(block: Block): Record<string, unknown> {
  return Object.fromEntries(
    [...block].map(([name, member]) => [name, typeof member === 'string' ? member : toPlain(member)]),
  )
}

/** Their numbers and booleans as the text they were; an empty block may be anything to them. */
export function toTexts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toTexts(member)]))
}

export function lockedPart(manifest: string, lock: LockV1): string {
  const members = Object.entries(JSON.parse(manifest) as Record<string, Record<string, string>>)
  const kept = members.map(([member, requested]) => {
    if (!/^(?:dev|optional)?dependencies$/i.test(member)) return [member, requested]
    return [member, Object.fromEntries(Object.entries(requested).filter(([name, range]) => `${name}@${range}` in lock))]
  })
  return JSON.stringify(Object.fromEntries(kept))
}

/** Returns the lock entries reached from the manifests, as lines. */
export function walkV1(lock: LockV1, manifests: readonly string[]): Set<string> {
  const labelOf = (key: string) => {
    const alias = /@npm:(@?[^@]+)/.exec(key)?.[1]
    return `${alias ?? key.slice(0, key.indexOf('@', 1))}@${lock[key]!.version}`
  }
  const lines = new Set<string>()
  const queue: [from: string, asked: Record<string, string>][] = manifests.map((text) => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(text) as Record<string, object>
    return ['project', { ...devDependencies, ...dependencies, ...optionalDependencies }] as [
      string,
      Record<string, string>,
    ]
  })
  const seen = new Set<EntryV1>()
  for (const [from, requested] of queue) {
    for (const [name, selected] of Object.entries(requested)) {
      const key = `${name}@${selected}`
      const entry = lock[key]
      if (entry === undefined) continue
      lines.add(`${from} → ${labelOf(key)}`)
      if (seen.has(entry)) continue
      seen.add(entry)
      queue.push([labelOf(key), { ...entry.dependencies, ...entry.optionalDependencies }])
    }
  }
  return lines
}
