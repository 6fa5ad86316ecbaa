import { schemes } from '../advisories/schemes.ts'
import type { Package } from '../dependency-graph.ts'
import type { Registry } from '../ecosystems/ecosystem.ts'
import { npmVersions } from '../versions/npm.ts'

/** One package that a path of an ignore names. */
export interface PathStep {
  readonly name: string
  /** A version or a range; undefined: any. */
  readonly version: string | undefined
  /** Whether any number of packages may stand before it. */
  readonly afterAny: boolean
}

/** Which dependency paths an ignore speaks of: those that begin with its steps. Without steps, all. */
export interface IgnorePath {
  /** As it is kept and shown. */
  readonly text: string
  readonly steps: readonly PathStep[]
}

const ANY = '*'
const SEPARATOR = ' > '
const MAX_PARTS = 100

/**
 * Reads `a > b@1.2.3 > * > c@<2`, which leads from the direct dependency down, without the project itself. Each part is
 * a name, a name with a version, a name with a range, or `*` for any number of packages; nothing at all is `*`. As the
 * policy library of existing clients matches its rules (`matchPath`), a path that goes on below the last part is meant
 * too; other than there, `*` tries every place where the next part fits. A text is what is wrong with it.
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

/** The scope of a name begins with an @ of its own. */
function parsePart(part: string): Pick<PathStep, 'name' | 'version'> {
  const at = part.indexOf('@', 1)
  return at < 0 ? { name: part, version: undefined } : { name: part.slice(0, at), version: part.slice(at + 1).trim() }
}

/** A package as dependency paths spell it, `name@version`. */
export function parsePackage(text: string): Package {
  const { name, version = '' } = parsePart(text)
  return { name, version }
}

/**
 * Whether a version is what a step asks for. Ranges are read as the registry's own tool reads them, and as node-semver
 * does, since existing rules for all registries are written so.
 */
export function fitsStep(registry: Registry, version: string, wanted: string | undefined): boolean {
  if (wanted === undefined || wanted === '*' || wanted === version) return true
  if (version === '') return false
  const scheme = schemes[registry]
  if (registry !== 'Maven') {
    if (scheme.isValid(wanted) && scheme.isValid(version) && scheme.compare(version, wanted) === 0) return true
    return scheme.satisfies(version, wanted) || npmVersions.satisfies(version, wanted)
  }
  // To Maven every text is a version, and a range without brackets a recommendation that anything satisfies.
  if (/^[[(]/.test(wanted)) return scheme.satisfies(version, wanted)
  return scheme.compare(version, wanted) === 0 || npmVersions.satisfies(version, wanted)
}
