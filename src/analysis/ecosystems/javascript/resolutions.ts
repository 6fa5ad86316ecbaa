import { type JsonObject, rangesAt, shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Dependency } from './dependency.ts'
import { splitAtVersion } from './spec.ts'

/** A line of the project's `resolutions`: replaces a dependency everywhere or below one package. */
export interface Resolution {
  /** The package whose dependencies it affects; undefined for all. */
  readonly parent: string | undefined
  /** The parent's version or reference, if given. */
  readonly parentReference: string | undefined
  /** The declared range to which it applies; undefined for all. */
  readonly range: string | undefined
  readonly value: string
  /** The original line, if only a yarn.lock's tree decides where it applies. */
  readonly guessed: string | undefined
}

/** By replaced package. */
export type Resolutions = ReadonlyMap<string, readonly Resolution[]>

const longestKey = 1_000
/** Limit of lines per package: each is compared with every range. */
const MAX_OF_ONE_NAME = 50
const step = /(?:@[^/@]+\/)?[^/@]+(?:@[^/]+)?/g

/**
 * Parses `resolutions` of a package.json: Yarn 1's paths (`a`, `a/b`, and with `**`) and Berry's (`a`, `a@range`,
 * `a/b`, `a@version/b@range`). Of longer paths the last two steps count; `**` before the last step means any parent.
 */
export function parseResolutions(document: JsonObject, file: 'target' | number): Resolutions {
  const byName = new Map<string, Resolution[]>()
  for (const [key, value] of rangesAt(document, 'resolutions', { file, entry: '' })) {
    const steps = key.length > longestKey ? null : key.match(step)
    if (steps === null) throw new Unreadable(`Invalid key in "resolutions": "${shorten(key)}"`, { file })
    const { name, rest } = splitAtVersion(steps.at(-1)!)
    const before = steps.at(-2)
    const above = before === undefined || PATTERN.test(before) ? undefined : splitAtVersion(before)
    const guessed = isGuess(steps.slice(0, -1)) ? key : undefined
    const same = byName.get(name) ?? []
    same.push({
      parent: above?.name,
      parentReference: above?.rest || undefined,
      range: rest || undefined,
      value,
      guessed,
    })
    if (same.length > MAX_OF_ONE_NAME) {
      const message = `"resolutions" has more than ${MAX_OF_ONE_NAME} lines for "${shorten(name)}"`
      throw new Unreadable(message, { file })
    }
    byName.set(name, same)
  }
  return byName
}

/** Characters of Yarn 1's patterns (micromatch). */
const PATTERN = /[*?{}[\]!()]/

/** Returns true for a path with several parents or a pattern; a leading `**` means any place. */
function isGuess(parents: readonly string[]): boolean {
  const ancestors = parents[0] === '**' ? parents.slice(1) : parents
  return ancestors.length > 1 || ancestors.some((parent) => PATTERN.test(parent))
}

/** Splits lines with a known scope from those that only a yarn.lock decides. */
export function splitGuessed(resolutions: Resolutions): { exact: Resolutions; guessed: readonly Resolution[] } {
  const exact = new Map<string, readonly Resolution[]>()
  for (const [name, all] of resolutions) {
    exact.set(
      name,
      all.filter(({ guessed }) => guessed === undefined),
    )
  }
  return { exact, guessed: [...resolutions.values()].flat().filter(({ guessed }) => guessed !== undefined) }
}

/** A dependent and its dependency. */
export interface Asking {
  /** The dependent's name; undefined for the project. */
  readonly parent: string | undefined
  readonly reference?: string | undefined
  readonly dependency: Dependency
}

/** Returns the range set by the first line that applies; undefined if none does. */
export function ruledRange(resolutions: Resolutions, { parent, reference, dependency }: Asking): string | undefined {
  const { name, range } = dependency
  return resolutions
    .get(name)
    ?.find(
      (resolution) =>
        (resolution.range === undefined || withNpm(resolution.range) === withNpm(range)) &&
        (resolution.parent === undefined || resolution.parent === parent) &&
        (resolution.parentReference === undefined ||
          reference === undefined ||
          withNpm(resolution.parentReference) === withNpm(reference)),
    )?.value
}

/** No replacements. */
export const noResolutions: Resolutions = new Map()

/** Adds the protocol that Berry's bare ranges and references imply. */
export function withNpm(range: string): string {
  return /^[a-z+]+:/i.test(range) || range.includes('/') ? range : `npm:${range}`
}
