import type { Registries } from '../../src/analysis/registries/registries.ts'

/** The input of one run of a parser. */
export interface Input {
  readonly texts: readonly string[]
  /** Index of the registries it uses; derived inputs inherit it. */
  readonly world: number
}

export interface Corpus {
  /** Real inputs and those of fixtures. */
  readonly seeds: readonly Input[]
  /** Registry answers by `world`. */
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
  /** True if texts may be added and removed. */
  readonly hasManyTexts?: boolean
  /** Limit per text, if shorter than usual. */
  readonly maxCharacters?: number
}

/** A rule that holds whatever the input is. */
export class BrokenRule extends Error {}
