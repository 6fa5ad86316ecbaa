import type { Stale } from './accepted.ts'
import type { Outcome, Result } from './judge.ts'
import { labelOf } from './mutants.ts'

/** The results of one area or file. */
export interface Report {
  readonly name: string
  readonly results: readonly Result[]
  readonly stale: readonly Stale[]
  readonly reasonOf: (mutant: Result['mutant']) => string | undefined
}

export interface Counts extends Record<Outcome, number> {
  /** Survivors whose reason is listed. */
  readonly accepted: number
  /** Killed and timed out among all. */
  readonly score: number
  /** The same without the accepted survivors. */
  readonly scoreOfOthers: number
}

export function countsOf(results: readonly Result[], reasonOf: Report['reasonOf']): Counts {
  const count = (wanted: Outcome) => results.filter(({ outcome }) => outcome === wanted).length
  const found = {
    killed: count('killed'),
    'timed out': count('timed out'),
    survived: count('survived'),
    'no coverage': count('no coverage'),
  }
  const accepted = results.filter((result) => isSurvivor(result) && reasonOf(result.mutant) !== undefined).length
  const detected = found.killed + found['timed out']
  const share = (total: number) => (total === 0 ? 100 : (100 * detected) / total)
  return { ...found, accepted, score: share(results.length), scoreOfOthers: share(results.length - accepted) }
}

export function isSurvivor({ outcome }: Result): boolean {
  return outcome === 'survived' || outcome === 'no coverage'
}

/** Returns the report of an area as text: a row for each file, then each survivor. */
export function describeReport({ name, results, stale, reasonOf }: Report): string {
  const rows = [...Map.groupBy(results, ({ mutant }) => mutant.file), ['together', results] as const]
  const lines = rows.map(([title, own]) => row(title, countsOf(own, reasonOf)))
  const survivors = results.filter(isSurvivor).map((result) => describeSurvivor(result, reasonOf(result.mutant)))
  const open = survivors.filter(({ isOpen }) => isOpen).map(({ text }) => text)
  const accepted = survivors.filter(({ isOpen }) => !isOpen).map(({ text }) => text)
  const outdated = stale.map(({ file, text, change }) => `  ${file}: ${change} in: ${text}`)
  return [
    `${name}`,
    HEADING,
    ...lines,
    ...section('Survivors:', open),
    ...section('Accepted survivors:', accepted),
    ...section('Stale entries of accepted.json:', outdated),
    '',
  ].join('\n')
}

const HEADING = '  score   others  killed  timed out  survived  no coverage  accepted  file'

function row(title: string, counts: Counts): string {
  const cells = [
    `${counts.score.toFixed(1)} %`.padStart(8),
    `${counts.scoreOfOthers.toFixed(1)} %`.padStart(8),
    String(counts.killed).padStart(7),
    String(counts['timed out']).padStart(10),
    String(counts.survived).padStart(9),
    String(counts['no coverage']).padStart(12),
    String(counts.accepted).padStart(9),
  ]
  return `${cells.join(' ')}  ${title}`
}

function describeSurvivor({ mutant, outcome }: Result, reason: string | undefined): { text: string; isOpen: boolean } {
  const { file, line, text } = mutant
  const head = `  ${file}:${line}: ${labelOf(mutant)}${outcome === 'no coverage' ? ' (no coverage)' : ''}`
  return { text: reason === undefined ? `${head}\n      ${text}` : `${head}: ${reason}`, isOpen: reason === undefined }
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines]
}
