import { readFileSync } from 'node:fs'
import type { Result } from './judge.ts'
import { keyOf, type Mutant, toKey } from './mutants.ts'

/** Mutants of one line that survive for a reason, in `accepted.json`. */
export interface Accepted {
  readonly file: string
  /** The line as it stands in the file, without the spaces around it. */
  readonly text: string
  /** The form in reports: `< → <=`, and `< → <= (2)` for the second one of the line. */
  readonly changes: readonly string[]
  readonly reason: string
}

/** An entry whose mutant no longer survives. */
export interface Stale {
  readonly file: string
  readonly text: string
  readonly change: string
}

const LIST = new URL('./accepted.json', import.meta.url)

export function readAccepted(): Accepted[] {
  return JSON.parse(readFileSync(LIST, 'utf8')) as Accepted[]
}

/** The changes in the tried files that no longer survive: the code has changed, or a test kills the mutant. */
export function staleChanges(
  accepted: readonly Accepted[],
  results: readonly Result[],
  all: readonly Mutant[],
): Stale[] {
  const files = new Set(all.map(({ file }) => file))
  const killed = new Set(results.filter(({ outcome }) => outcome === 'killed').map(({ mutant }) => keyOf(mutant)))
  const known = new Set(all.map(keyOf))
  return accepted
    .filter(({ file }) => files.has(file))
    .flatMap(({ file, text, changes }) => changes.map((change) => ({ file, text, change })))
    .filter((entry) => !known.has(toKey(entry, entry.change)) || killed.has(toKey(entry, entry.change)))
}

/** Returns the reason for which a mutant may survive. */
export function reasonsOf(accepted: readonly Accepted[]): (mutant: Mutant) => string | undefined {
  const reasons = new Map(
    accepted.flatMap((entry) => entry.changes.map((change) => [toKey(entry, change), entry.reason])),
  )
  return (mutant) => reasons.get(keyOf(mutant))
}
