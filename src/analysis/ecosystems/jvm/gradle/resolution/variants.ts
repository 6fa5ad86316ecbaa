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
  const required = wish.capabilities.length > 0 ? wish.capabilities : [own]
  const able = variants.filter(({ capabilities }) =>
    required.every((capability) => provided(capabilities, own).includes(capability)),
  )
  const candidates = able.map((variant) => ({ variant, attributes: toCurrent(variant.attributes) }))
  const chosen = match(candidates, wish.attributes).map(({ variant }) => variant)
  if (chosen.length < 2) return chosen
  const exact = chosen.filter(({ capabilities }) => provided(capabilities, own).length === required.length)
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

function match(candidates: readonly Candidate[], requested: Attributes): readonly Candidate[] {
  const compatible = compatibleWith(candidates, requested)
  if (compatible.length < 2) return compatible
  const longest = findLongestMatch(compatible, requested)
  if (longest !== undefined) return [longest]
  let remaining = compatible
  for (const name of inPrecedence([...requested.keys()])) remaining = preferred(remaining, name, requested.get(name))
  if (remaining.length < 2) return remaining
  const extra = new Set(
    remaining.flatMap(({ attributes }) => [...attributes.keys()].filter((attribute) => !requested.has(attribute))),
  )
  for (const name of inPrecedence([...extra])) remaining = preferred(remaining, name, undefined)
  const without = remaining.filter(({ attributes }) =>
    [...attributes.keys()].every((attribute) => requested.has(attribute)),
  )
  return without.length === 1 ? without : remaining
}

function compatibleWith(candidates: readonly Candidate[], requested: Attributes): readonly Candidate[] {
  const fitting = candidates.filter(({ attributes }) => areCompatible(attributes, requested))
  if (fitting.length > 0 || !requested.has(JVM_VERSION)) return fitting
  const onNewer = new Map(requested)
  onNewer.delete(JVM_VERSION)
  const others = candidates.filter(({ attributes }) => areCompatible(attributes, onNewer))
  const oldest = Math.min(...others.map(({ attributes }) => Number(attributes.get(JVM_VERSION))))
  return others.filter(({ attributes }) => Number(attributes.get(JVM_VERSION)) === oldest)
}

/** Returns true if attributes are compatible; a missing attribute matches any. */
function areCompatible(attributes: Attributes, requested: Attributes): boolean {
  for (const [name, value] of requested) {
    const offered = attributes.get(name)
    if (offered !== undefined && offered !== value && !isCompatible(name, value, offered)) return false
  }
  return true
}

function isCompatible(name: string, requested: string, offered: string): boolean {
  switch (name) {
    case USAGE:
      return requested === 'java-api' && offered === 'java-runtime'
    case BUNDLING:
      return offered === 'shadowed' ? requested !== 'shadowed' : requested === 'external' && offered === 'embedded'
    case JVM_VERSION:
      return Number(offered) <= Number(requested)
    case JVM_ENVIRONMENT:
      return true
    case KOTLIN_PLATFORM:
      return requested === 'androidJvm' && offered === 'jvm'
    case LIBRARY_ELEMENTS:
      return requested === 'aar' && offered === 'jar'
    default:
      return false
  }
}

/** Returns the candidate whose attributes are a strict superset of every other's. */
function findLongestMatch(candidates: readonly Candidate[], requested: Attributes): Candidate | undefined {
  const said = ({ attributes }: Candidate) => [...requested.keys()].filter((name) => attributes.has(name))
  const [first, ...others] = candidates.toSorted((a, b) => said(b).length - said(a).length)
  const all = new Set(said(first!))
  const isAbove = (other: string[]) => other.length < all.size && other.every((name) => all.has(name))
  return others.every((other) => isAbove(said(other))) ? first : undefined
}

function inPrecedence(names: readonly string[]): string[] {
  const rank = (name: string) => (PRECEDENCE.includes(name) ? PRECEDENCE.indexOf(name) : PRECEDENCE.length)
  return names.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}

/** Returns the candidates with the default value of an attribute; all, if none has it. */
function preferred(
  candidates: readonly Candidate[],
  name: string,
  requested: string | undefined,
): readonly Candidate[] {
  const values = [...new Set(candidates.flatMap(({ attributes }) => attributes.get(name) ?? []))]
  if (values.length < 2) return candidates
  const best = bestOf(name, values, requested)
  return best === undefined ? candidates : candidates.filter(({ attributes }) => attributes.get(name) === best)
}

function bestOf(name: string, values: readonly string[], requested: string | undefined): string | undefined {
  if (name === JVM_VERSION) return values.toSorted((a, b) => Number(b) - Number(a))[0]
  if (requested !== undefined && values.includes(requested)) return requested
  const order =
    name === BUNDLING ? ['external', 'embedded', 'shadowed'] : name === JVM_ENVIRONMENT ? ['standard-jvm'] : []
  return order.find((value) => values.includes(value))
}
