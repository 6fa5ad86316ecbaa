import type { JsonObject } from '../npm/json-document.ts'
import { splitAtVersion } from '../npm/spec.ts'

/** A line of pnpm's `overrides`. */
export interface Override {
  readonly selector: string
  /** The package that is replaced. */
  readonly name: string
  /** The replaced package with its range, as npm's `overrides` write it. */
  readonly key: string
  readonly value: string
  /** True for `parent>name` and for a removal (`-`), which npm does not have. */
  readonly isPnpmOnly: boolean
}

/** Parses selectors: `name`, `name@range`, and either below a parent: `parent@range>name` (pnpm's `parse-overrides`). */
export function parseOverrideLines(lines: Iterable<readonly [string, string]>): Override[] {
  return [...lines].map(([selector, value]) => {
    // A range may hold the sign too: name@>=1.
    const split = /^(.*[^ |@])>([^= \d].*)$/.exec(selector)
    const key = split?.[2] ?? selector
    const { name } = splitAtVersion(key)
    return { selector, name, key, value, isPnpmOnly: split !== null || value === '-' }
  })
}

/** Returns the overrides that npm understands, as its member of package.json. */
export function toNpmOverrides(overrides: readonly Override[]): JsonObject {
  const shared = overrides.filter(({ isPnpmOnly }) => !isPnpmOnly)
  return Object.fromEntries(shared.map(({ key, value }) => [key, value]))
}
