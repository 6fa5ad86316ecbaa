import type { ModuleVariant } from '#analysis/registries/maven.ts'

export type Attributes = ReadonlyMap<string, string>

/** The requested variant of a module: attributes, and capabilities (`group:name`) instead of its own. */
export interface VariantWish {
  readonly attributes: Attributes
  readonly capabilities: readonly string[]
}

const USAGE = 'org.gradle.usage'
const LIBRARY_ELEMENTS = 'org.gradle.libraryelements'
const BUNDLING = 'org.gradle.dependency.bundling'
const JVM_VERSION = 'org.gradle.jvm.version'
const JVM_ENVIRONMENT = 'org.gradle.jvm.environment'
const KOTLIN_PLATFORM = 'org.jetbrains.kotlin.platform.type'
/** The order in which attributes decide between compatible variants. */
const PRECEDENCE = ['org.gradle.category', USAGE, JVM_VERSION, LIBRARY_ELEMENTS, BUNDLING, JVM_ENVIRONMENT]

/**
 * Chooses variants as Gradle does ("Understanding variant selection", the attribute matching algorithm, with the rules
 * of its Java, Android and Kotlin plugins): one, or several if Gradle could not decide either; none if the list is
 * empty. A build that resolves has a new enough JVM: if all variants require a newer one than requested, the oldest of
 * them counts.
 */
export function chooseVariants(
  variants: readonly ModuleVariant[],
  wish: VariantWish,
  own: string,
): readonly ModuleVariant[] {
  const wanted = wish.capabilities.length > 0 ? wish.capabilities : [own]
  const able = variants.filter(({ capabilities }) => wanted.every((each) => provided(capabilities, own).includes(each)))
  const candidates = able.map((variant) => ({ variant, attributes: toCurrent(variant.attributes) }))
  const chosen = match(candidates, wish.attributes).map(({ variant }) => variant)
  if (chosen.length < 2) return chosen
  const exact = chosen.filter(({ capabilities }) => provided(capabilities, own).length === wanted.length)
  return exact.length > 0 ? exact : chosen
}

function provided(capabilities: readonly string[], own: string): readonly string[] {
  return capabilities.length > 0 ? capabilities : [own]
}

interface Candidate {
  readonly variant: ModuleVariant
  readonly attributes: Attributes
}

/** Older versions of Gradle put the elements into the usage: `java-api-jars`. */
function toCurrent(attributes: ModuleVariant['attributes']): Attributes {
  const current = new Map(Object.entries(attributes))
  const [, usage, elements] = /^(java-(?:api|runtime))-(jars|classes|resources)$/.exec(current.get(USAGE) ?? '') ?? []
  if (usage === undefined || elements === undefined) return current
  current.set(USAGE, usage)
  if (!current.has(LIBRARY_ELEMENTS)) current.set(LIBRARY_ELEMENTS, elements === 'jars' ? 'jar' : elements)
  return current
}

function match(candidates: readonly Candidate[], wanted: Attributes): readonly Candidate[] {
  const compatible = compatibleWith(candidates, wanted)
  if (compatible.length < 2) return compatible
  const longest = findLongestMatch(compatible, wanted)
  if (longest !== undefined) return [longest]
  let remaining = compatible
  for (const name of inPrecedence([...wanted.keys()])) remaining = preferred(remaining, name, wanted.get(name))
  if (remaining.length < 2) return remaining
  const extra = new Set(
    remaining.flatMap(({ attributes }) => [...attributes.keys()].filter((each) => !wanted.has(each))),
  )
  for (const name of inPrecedence([...extra])) remaining = preferred(remaining, name, undefined)
  const without = remaining.filter(({ attributes }) => [...attributes.keys()].every((each) => wanted.has(each)))
  return without.length === 1 ? without : remaining
}

function compatibleWith(candidates: readonly Candidate[], wanted: Attributes): readonly Candidate[] {
  const fitting = candidates.filter(({ attributes }) => areCompatible(attributes, wanted))
  if (fitting.length > 0 || !wanted.has(JVM_VERSION)) return fitting
  const onNewer = new Map(wanted)
  onNewer.delete(JVM_VERSION)
  const others = candidates.filter(({ attributes }) => areCompatible(attributes, onNewer))
  const oldest = Math.min(...others.map(({ attributes }) => Number(attributes.get(JVM_VERSION))))
  return others.filter(({ attributes }) => Number(attributes.get(JVM_VERSION)) === oldest)
}

/** Returns true if attributes are compatible; a missing attribute matches any. */
function areCompatible(attributes: Attributes, wanted: Attributes): boolean {
  for (const [name, value] of wanted) {
    const given = attributes.get(name)
    if (given !== undefined && given !== value && !isCompatible(name, value, given)) return false
  }
  return true
}

function isCompatible(name: string, wanted: string, given: string): boolean {
  switch (name) {
    case USAGE:
      return wanted === 'java-api' && given === 'java-runtime'
    case BUNDLING:
      return given === 'shadowed' ? wanted !== 'shadowed' : wanted === 'external' && given === 'embedded'
    case JVM_VERSION:
      return Number(given) <= Number(wanted)
    case JVM_ENVIRONMENT:
      return true
    case KOTLIN_PLATFORM:
      return wanted === 'androidJvm' && given === 'jvm'
    case LIBRARY_ELEMENTS:
      return wanted === 'aar' && given === 'jar'
    default:
      return false
  }
}

/** Returns the candidate whose attributes are a strict superset of every other's. */
function findLongestMatch(candidates: readonly Candidate[], wanted: Attributes): Candidate | undefined {
  const said = ({ attributes }: Candidate) => [...wanted.keys()].filter((name) => attributes.has(name))
  const [first, ...others] = candidates.toSorted((a, b) => said(b).length - said(a).length)
  const all = new Set(said(first!))
  const isAbove = (other: string[]) => other.length < all.size && other.every((name) => all.has(name))
  return others.every((each) => isAbove(said(each))) ? first : undefined
}

function inPrecedence(names: readonly string[]): string[] {
  const rank = (name: string) => (PRECEDENCE.includes(name) ? PRECEDENCE.indexOf(name) : PRECEDENCE.length)
  return names.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}

/** Returns the candidates with the default value of an attribute; all, if none has it. */
function preferred(candidates: readonly Candidate[], name: string, wanted: string | undefined): readonly Candidate[] {
  const values = [...new Set(candidates.flatMap(({ attributes }) => attributes.get(name) ?? []))]
  if (values.length < 2) return candidates
  const best = bestOf(name, values, wanted)
  return best === undefined ? candidates : candidates.filter(({ attributes }) => attributes.get(name) === best)
}

function bestOf(name: string, values: readonly string[], wanted: string | undefined): string | undefined {
  if (name === JVM_VERSION) return values.toSorted((a, b) => Number(b) - Number(a))[0]
  if (wanted !== undefined && values.includes(wanted)) return wanted
  const order =
    name === BUNDLING ? ['external', 'embedded', 'shadowed'] : name === JVM_ENVIRONMENT ? ['standard-jvm'] : []
  return order.find((each) => values.includes(each))
}
