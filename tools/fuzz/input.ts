import type { Registries } from '#analysis/registries/registries.ts'

/** What one run of a parser is given. */
export interface Input {
  readonly texts: readonly string[]
  /** Which of the target's worlds of registries it meets; inputs inherit it from what they were made of. */
  readonly world: number
}

export interface Corpus {
  /** Real inputs and those of fixtures. */
  readonly seeds: readonly Input[]
  /** What registries answer, by `world`. */
  readonly worlds?: readonly Registries[]
}

/** A parser of untrusted text, or the reading of a whole project. */
export interface Target {
  readonly name: string
  /** Asked for once; reads files. */
  corpus(): Corpus
  /** Throws a documented refusal, or anything else when a rule is broken. What it returns must be the same every time. */
  run(texts: readonly string[], registries: Registries | undefined): unknown
  isRefusal(error: unknown): boolean
  /** Whether texts may be added and left out. */
  readonly hasManyTexts?: boolean
  /** Of one text, where shorter than usual. */
  readonly maxCharacters?: number
}

/** A rule that holds whatever the input is. */
export class BrokenRule extends Error {}
