import { schemes } from '#analysis/advisories/schemes.ts'
import type { Package } from '#analysis/dependency-graph.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import { npmVersions } from '#analysis/versions/npm.ts'

/** One package named in an ignore's path. */
export interface PathStep {
  readonly name: string
  /** A version or a range; undefined for any. */
  readonly version: string | undefined
  /** True if any number of packages may precede it. */
  readonly afterAny: boolean
}

/** A pattern of dependency paths: those that begin with its steps. Without steps it matches all. */
export interface IgnorePath {
  /** The stored and shown form. */
  readonly text: string
  readonly steps: readonly PathStep[]
}

/** An issue id and a path are a key together, of which PostgreSQL takes 2,700 bytes. */
export const MAX_ISSUE_ID_BYTES = 600
export const MAX_PATH_BYTES = 2_000

const ANY = '*'
const SEPARATOR = ' > '
const MAX_PARTS = 100

/**
 * Parses `a > b@1.2.3 > * > c@<2`, from the direct dependency down, without the project itself. A part is a name, a
 * name with a version or a range, or `*` for any number of packages; an empty text is `*`. As in the policy library of
 * existing clients (`matchPath`), longer paths match too; `*` elsewhere tries every place where the next part fits.
 * Returns an error text for invalid input.
 */
export function parseIgnorePath(text: string): IgnorePath | string {
  const parts = text.trim() === '' ? [ANY] : text.split(SEPARATOR).map((part) => part.trim())
  if (parts.length > MAX_PARTS) return `names more than ${MAX_PARTS} packages; use * for those between`
  const steps: PathStep[] = []
  let afterAny = false
  for (const part of parts) {
    const fault = faultOf(part)
    if (fault !== undefined) return fault
    if (part !== ANY) steps.push({ ...parsePart(part), afterAny })
    afterAny = part === ANY
  }
  return { text: parts.join(SEPARATOR), steps }
}

function faultOf(part: string): string | undefined {
  if (part === ANY) return undefined
  if (part === '') return 'has an empty part; parts are separated by " > "'
  const { name, version } = parsePart(part)
  if (version === '') return `has a part with an @ and no version or range after it: ${part}`
  if (name.includes('>')) return `has a > within a name; parts are separated by " > ", with spaces: ${part}`
  if (name.includes('*')) return 'has a * within a name; a * stands for whole packages, as a part of its own'
  return undefined
}

/** Parses a part; a scoped name begins with its own @. */
function parsePart(part: string): Pick<PathStep, 'name' | 'version'> {
  const at = part.indexOf('@', 1)
  return at < 0 ? { name: part, version: undefined } : { name: part.slice(0, at), version: part.slice(at + 1).trim() }
}

/** Parses `name@version`, as in dependency paths. */
export function parsePackage(text: string): Package {
  const { name, version = '' } = parsePart(text)
  return { name, version }
}

/**
 * Returns true if a version matches a step. Ranges are read as the registry's tool reads them, and as node-semver does,
 * since existing rules for all registries use its syntax.
 */
export function fitsStep(registry: Registry, version: string, range: string | undefined): boolean {
  if (range === undefined || range === '*' || range === version) return true
  if (version === '') return false
  const scheme = schemes[registry]
  if (registry !== 'Maven') {
    if (scheme.isValid(range) && scheme.isValid(version) && scheme.compare(version, range) === 0) return true
    return scheme.satisfies(version, range) || npmVersions.satisfies(version, range)
  }
  // To Maven every text is a version, and an unbracketed range a recommendation that any version satisfies.
  if (/^[[(]/.test(range)) return scheme.satisfies(version, range)
  return scheme.compare(version, range) === 0 || npmVersions.satisfies(version, range)
}
