import type { JsonObject } from '#analysis/documents/json-document.ts'
import { splitAtVersion } from '../spec.ts'

/** A line of pnpm's `overrides`. */
export interface Override {
  readonly selector: string
  /** The package that is replaced, or a pattern with stars (since pnpm 12.17). */
  readonly name: string
  /** The dependent, with its range if it has one, in which the package is replaced. */
  readonly parent: string | undefined
  /** The replaced package with its range, as npm's `overrides` write it. */
  readonly key: string
  readonly value: string
  /** True for removals (`-`) and for selectors that npm does not have. */
  readonly isPnpmOnly: boolean
}

/** Limits an override to one kind of dependencies (since pnpm 12.17). */
const GROUP = /:(?:prod|dev|optional|peer)$/

/**
 * Parses selectors: `name`, `name@range`, `name@` for the ranges that allow the value, and each below a parent:
 * `parent@range>name` (pnpm's `parse-overrides`).
 */
export function parseOverrideLines(lines: Iterable<readonly [string, string]>): Override[] {
  return [...lines].map(([selector, value]) => {
    // A range may hold the sign too: name@>=1.
    const split = /^(.*[^ |@])>([^= \d].*)$/.exec(selector)
    const key = split?.[2] ?? selector
    const { name } = splitAtVersion(key.replace(GROUP, ''))
    const isPnpmOnly = split !== null || value === '-' || GROUP.test(key) || name.includes('*') || key.endsWith('@')
    return { selector, parent: split?.[1], name, key, value, isPnpmOnly }
  })
}

/** Returns a search for the overrides of a package. */
export function createOverrideSearch(overrides: readonly Override[]): (name: string) => readonly Override[] {
  const byName = Map.groupBy(overrides, ({ name }) => name)
  const patterns = overrides.filter(({ name }) => name.includes('*'))
  return (name) => [...(byName.get(name) ?? []), ...patterns.filter((pattern) => fitsPattern(name, pattern.name))]
}

/** Matches a name with stars, without backtracking. */
export function fitsPattern(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return name === pattern
  if (!name.startsWith(first)) return false
  const last = rest.pop()!
  let at = first.length
  for (const part of rest) {
    const next = name.indexOf(part, at)
    if (next === -1) return false
    at = next + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}

/** Returns the overrides that npm understands, as its member of package.json. */
export function toNpmOverrides(overrides: readonly Override[]): JsonObject {
  const shared = overrides.filter(({ isPnpmOnly }) => !isPnpmOnly)
  return Object.fromEntries(shared.map(({ key, value }) => [key, value]))
}
