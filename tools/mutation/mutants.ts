import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { resolve } from 'node:path'
import { findMutationPoints } from './find-mutants.ts'
import { instrument } from './instrument.ts'

/** One change of one file, as reports and the list of accepted survivors name it. */
export interface Mutant {
  /** Switches it on within a run; not the same in another run. */
  readonly id: number
  readonly file: string
  readonly line: number
  readonly kind: string
  /** The line as it stands in the file, without the spaces around it. */
  readonly text: string
  /** The code before and after the change. */
  readonly change: string
  /** Counts equal changes of the same line from 1. */
  readonly nth: number
}

/** The change, with its number if the line has several equal ones. */
export function labelOf({ change, nth }: Pick<Mutant, 'change' | 'nth'>): string {
  return nth === 1 ? change : `${change} (${nth})`
}

/** Identifies a mutant also after other lines of the file have changed. */
export function keyOf(mutant: Mutant): string {
  return toKey(mutant, labelOf(mutant))
}

/** The key of a change with this label in a line. */
export function toKey({ file, text }: { readonly file: string; readonly text: string }, label: string): string {
  return [file, text, label].join('\n')
}

/** Returns the mutants of the files, and for each absolute path the JavaScript that contains all of its mutants. */
export function prepareMutants(files: readonly string[]): { mutants: Mutant[]; modules: Record<string, string> } {
  const mutants: Mutant[] = []
  const modules: Record<string, string> = {}
  for (const file of files) {
    const source = readFileSync(file, 'utf8')
    const lines = source.split('\n')
    const first = mutants.length + 1
    const points = findMutationPoints(file, source).map((point, index) => ({ ...point, id: first + index }))
    const seen = new Map<string, number>()
    for (const { id, line, kind, start, end, replacement } of points) {
      const change = `${inline(source.slice(start, end))} → ${inline(replacement) || '(removed)'}`
      const place = `${line}\n${change}`
      const nth = (seen.get(place) ?? 0) + 1
      seen.set(place, nth)
      mutants.push({ id, file, line, kind, text: lines[line - 1]!.trim(), change, nth })
    }
    modules[resolve(file)] = stripTypeScriptTypes(instrument(source, points))
  }
  return { mutants, modules }
}

function inline(code: string): string {
  return code.replaceAll(/\s+/g, ' ').trim()
}
