import { Unreadable } from '../ecosystem.ts'
import type { Dependency } from '../npm/dependency.ts'
import { type JsonObject, rangesAt, shorten } from '../npm/json-document.ts'
import { splitAtVersion } from '../npm/spec.ts'

/** One line of the project's `resolutions`: what a dependency becomes, wherever it is asked for or below one package. */
export interface Resolution {
  /** The package whose own dependencies it speaks of; undefined for all. */
  readonly parent: string | undefined
  /** The parent's version or reference, when the line names one. */
  readonly parentReference: string | undefined
  /** The declared range that it speaks of; undefined for every one. */
  readonly range: string | undefined
  readonly value: string
  /** The line as written, when only the tree that a yarn.lock tells decides which places it speaks of. */
  readonly guessed: string | undefined
}

/** By the package that they change. */
export type Resolutions = ReadonlyMap<string, readonly Resolution[]>

const longestKey = 1_000
/** All of them are held against every range of that package. */
const mostOfOneName = 50
const step = /(?:@[^/@]+\/)?[^/@]+(?:@[^/]+)?/g

/**
 * `resolutions` of a package.json: yarn 1's paths (`a`, `a/b`, and with `**`) and berry's (`a`, `a@range`, `a/b`,
 * `a@version/b@range`). Of longer paths the last two steps are read; a `**` before the last step means every parent.
 */
export function parseResolutions(document: JsonObject, file: 'target' | number): Resolutions {
  const byName = new Map<string, Resolution[]>()
  for (const [key, value] of rangesAt(document, 'resolutions', { file, entry: '' })) {
    const steps = key.length > longestKey ? null : key.match(step)
    if (steps === null) throw new Unreadable(`"resolutions" has a key that is no package: "${shorten(key)}"`, { file })
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
    if (same.length > mostOfOneName) {
      const message = `"resolutions" has more than ${mostOfOneName} lines for "${shorten(name)}"`
      throw new Unreadable(message, { file })
    }
    byName.set(name, same)
  }
  return byName
}

/** Characters of Yarn 1's patterns (micromatch). */
const PATTERN = /[*?{}[\]!()]/

/** True for a path of several parents, or with a pattern in it; `**` at its beginning means any place. */
function isGuess(parents: readonly string[]): boolean {
  const named = parents[0] === '**' ? parents.slice(1) : parents
  return named.length > 1 || named.some((parent) => PATTERN.test(parent))
}

/** Splits the lines that hold wherever they seem to from those that only a yarn.lock settles. */
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

/** Who asks, and for what. */
export interface Asking {
  /** The dependent's name; undefined for the project. */
  readonly parent: string | undefined
  readonly reference?: string | undefined
  readonly dependency: Dependency
}

/** What the first line that speaks of the dependency makes of it; undefined when none does. */
export function ruledRange(resolutions: Resolutions, { parent, reference, dependency }: Asking): string | undefined {
  const { name, range } = dependency
  return resolutions
    .get(name)
    ?.find(
      (each) =>
        (each.range === undefined || withNpm(each.range) === withNpm(range)) &&
        (each.parent === undefined || each.parent === parent) &&
        (each.parentReference === undefined ||
          reference === undefined ||
          withNpm(each.parentReference) === withNpm(reference)),
    )?.value
}

/** Nothing is resolved otherwise than declared. */
export const noResolutions: Resolutions = new Map()

/** Berry's ranges and references without a protocol mean the registry. */
export function withNpm(range: string): string {
  return /^[a-z+]+:/i.test(range) || range.includes('/') ? range : `npm:${range}`
}
