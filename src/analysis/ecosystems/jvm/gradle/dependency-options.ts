import type { Exclusion } from '../pom.ts'
import type { RichVersion } from './facts.ts'
import { type Call, closureOf, type Statement } from './language/expressions.ts'
import { evaluate, type Value, type Variables } from './language/values.ts'

/** The options in the block of a dependency. */
export interface Options {
  readonly exclusions: readonly Exclusion[]
  readonly isTransitive: boolean
  readonly isForced: boolean
  readonly version: Partial<RichVersion>
  readonly capabilities: readonly string[]
  /** Features, short for capabilities: `x` of `g:a` is `g:a-x`. */
  readonly features: readonly string[]
  /** True if another variant is requested that is not known statically. */
  readonly isVariantOpen: boolean
  /** True if another version is requested that is not known statically. */
  readonly isVersionOpen: boolean
}

export function readOptions(statements: readonly Statement[], variables: Variables): Options {
  const exclusions: Exclusion[] = []
  let isTransitive = true
  let isForced = false
  let isVariantOpen = false
  let isVersionOpen = false
  let version: Partial<RichVersion> = {}
  const capabilities: string[] = []
  const features: string[] = []
  for (const statement of statements) {
    if (statement.kind === 'assign') {
      isVariantOpen ||= statement.names.at(-1) === 'targetConfiguration'
      const isSaid = statement.value.kind === 'path' ? statement.value.names.join() : ''
      if (/^(?:isTransitive|transitive)$/.test(statement.names.at(-1)!) && isSaid === 'false') isTransitive = false
      if (/^(?:isForce|force)$/.test(statement.names.at(-1)!) && isSaid === 'true') isForced = true
      continue
    }
    if (statement.value.kind !== 'call') continue
    const { names, named } = statement.value
    const name = names.at(-1)!
    if (name === 'exclude') exclusions.push(...[toExclusion(statement.value, variables) ?? []].flat())
    if (name === 'version') {
      const block = closureOf(statement.value)
      version = { ...version, ...readVersionBlock(block, variables) }
      isVersionOpen ||= block.some((each) => isOpenVersion(each, variables))
    }
    if (name === 'capabilities') {
      const asked = readCapabilities(closureOf(statement.value), variables)
      capabilities.push(...asked.capabilities)
      features.push(...asked.features)
      isVariantOpen ||= asked.isVariantOpen
    }
    isVariantOpen ||= name === 'attributes'
    if (name === 'setForce' || (name === 'force' && named.length === 0)) isForced = true
  }
  return { exclusions, isTransitive, isForced, version, capabilities, features, isVariantOpen, isVersionOpen }
}

export function mergeOptions(a: Options, b: Options): Options {
  return {
    exclusions: [...a.exclusions, ...b.exclusions],
    isTransitive: a.isTransitive && b.isTransitive,
    isForced: a.isForced || b.isForced,
    version: { ...a.version, ...b.version },
    capabilities: [...a.capabilities, ...b.capabilities],
    features: [...a.features, ...b.features],
    isVariantOpen: a.isVariantOpen || b.isVariantOpen,
    isVersionOpen: a.isVersionOpen || b.isVersionOpen,
  }
}

type Wish = Pick<Options, 'capabilities' | 'features' | 'isVariantOpen'>

/** Reads `capabilities { requireCapability('g:a-x'); requireFeature('x') }`. */
function readCapabilities(statements: readonly Statement[], variables: Variables): Wish {
  const capabilities: string[] = []
  const features: string[] = []
  let isVariantOpen = false
  for (const { value, kind } of statements) {
    const call = kind === 'expression' && value.kind === 'call' ? value : undefined
    const texts = call?.positional.map((each) => evaluate(each, variables)) ?? []
    const name = call?.names.at(-1) ?? ''
    for (const text of texts) {
      const [group, artifact] = typeof text === 'string' ? text.split(':') : []
      if (/^requireCapabilit(?:y|ies)$/.test(name) && group && artifact) capabilities.push(`${group}:${artifact}`)
      else if (name === 'requireFeature' && typeof text === 'string') features.push(text)
      else isVariantOpen = true
    }
    isVariantOpen ||= texts.length === 0
  }
  return { capabilities, features, isVariantOpen }
}

/**
 * Reads `exclude group: 'g', module: 'a'`, `exclude(mapOf("group" to "g"))`, `exclude("g", "a")`. Undefined if a part
 * is unknown: as a wildcard it would exclude too much.
 */
export function toExclusion({ named, positional }: Call, variables: Variables): Exclusion | undefined {
  const given = new Map<string, Value>(named.map(({ name, value }) => [name, evaluate(value, variables)]))
  const plain: Value[] = []
  for (const each of positional) {
    const value = evaluate(each, variables)
    if (value instanceof Map) for (const [key, inner] of value) given.set(key, inner)
    else plain.push(value)
  }
  if (plain.length > 0) given.set('group', plain[0])
  if (plain.length > 1) given.set('module', plain[1])
  const [group, artifact] = [given.get('group'), given.get('module') ?? given.get('name')]
  const isKnown = [...given.values()].every((each) => typeof each === 'string')
  if (!isKnown || (group === undefined && artifact === undefined)) return undefined
  return { group: String(group ?? '*'), artifact: String(artifact ?? '*') }
}

/** Returns true if a requested version is known only by running the script. */
function isOpenVersion({ kind, value }: Statement, variables: Variables): boolean {
  if (kind !== 'expression' || value.kind !== 'call') return kind === 'expression'
  const isVersion = /^(?:strictly|require|prefer)$/.test(value.names.at(-1)!)
  const isKnown = value.positional.every((each) => typeof evaluate(each, variables) === 'string')
  return isVersion ? !isKnown : closureOf(value).length > 0
}

function readVersionBlock(statements: readonly Statement[], variables: Variables): Partial<RichVersion> {
  const rejects: string[] = []
  const found: { requires?: string; strictly?: string; prefers?: string } = {}
  for (const { value, kind } of statements) {
    if (kind !== 'expression' || value.kind !== 'call') continue
    const texts = value.positional.map((each) => evaluate(each, variables)).filter((each) => typeof each === 'string')
    const [text] = texts
    const name = value.names.at(-1)
    if (name === 'reject') rejects.push(...texts)
    if (text === undefined) continue
    if (name === 'strictly') found.strictly = text
    if (name === 'require') found.requires = text
    if (name === 'prefer') found.prefers = text
  }
  return { ...found, ...(rejects.length === 0 ? {} : { rejects }) }
}
