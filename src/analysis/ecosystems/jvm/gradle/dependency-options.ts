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
  /** `group:name`, or a suffix such as `-test-fixtures` of the module's own name. */
  readonly capabilities: readonly string[]
  /** True if another version or variant is requested that is not known statically. */
  readonly isOpen: boolean
}

const NO_OPTIONS: Options = {
  exclusions: [],
  isTransitive: true,
  isForced: false,
  version: {},
  capabilities: [],
  isOpen: false,
}

export function readOptions(statements: readonly Statement[], variables: Variables): Options {
  return statements
    .map((statement) => ({ ...NO_OPTIONS, ...readOption(statement, variables) }))
    .reduce(mergeOptions, NO_OPTIONS)
}

function readOption(statement: Statement, variables: Variables): Partial<Options> {
  const { kind, value } = statement
  if (kind === 'assign') {
    const name = statement.names.at(-1)!
    const text = value.kind === 'path' ? value.names.join() : ''
    if (/^(?:isTransitive|transitive)$/.test(name)) return { isTransitive: text !== 'false' }
    if (/^(?:isForce|force)$/.test(name)) return { isForced: text === 'true' }
    return { isOpen: name === 'targetConfiguration' }
  }
  if (value.kind !== 'call') return {}
  const name = value.names.at(-1)
  if (name === 'exclude') return { exclusions: [toExclusion(value, variables) ?? []].flat() }
  if (name === 'version') return readVersion(closureOf(value), variables)
  if (name === 'capabilities') return readCapabilities(closureOf(value), variables)
  return { isOpen: name === 'attributes' }
}

export function mergeOptions(a: Options, b: Options): Options {
  return {
    exclusions: [...a.exclusions, ...b.exclusions],
    isTransitive: a.isTransitive && b.isTransitive,
    isForced: a.isForced || b.isForced,
    version: { ...a.version, ...b.version },
    capabilities: [...a.capabilities, ...b.capabilities],
    isOpen: a.isOpen || b.isOpen,
  }
}

/** Reads `capabilities { requireCapability('g:a-x'); requireFeature('x') }`. */
function readCapabilities(statements: readonly Statement[], variables: Variables): Partial<Options> {
  const capabilities = statements.flatMap(({ value }) => {
    const texts =
      value.kind === 'call' ? value.positional.map((expression) => evaluate(expression, variables)) : [undefined]
    const isFeature = value.kind === 'call' && value.names.at(-1) === 'requireFeature'
    return texts.map((text) => (typeof text !== 'string' ? undefined : isFeature ? `-${text}` : toModule(text)))
  })
  const present = capabilities.filter((capability) => capability !== undefined)
  return { capabilities: present, isOpen: present.length < capabilities.length }
}

function toModule(capability: string): string {
  return capability.split(':', 2).join(':')
}

/**
 * Reads `exclude group: 'g', module: 'a'`, `exclude("g", "a")`. Undefined if a part is unknown: as a wildcard it would
 * exclude too much.
 */
export function toExclusion({ keywordArgs, positional }: Call, variables: Variables): Exclusion | undefined {
  const inOrder = positional.map((value, index) => ({ name: index === 0 ? 'group' : 'module', value }))
  const parts = new Map([...inOrder, ...keywordArgs].map(({ name, value }) => [name, evaluate(value, variables)]))
  const [group, artifact] = [parts.get('group'), parts.get('module') ?? parts.get('name')]
  const isKnown = [...parts.values()].every((part) => typeof part === 'string')
  if (!isKnown || (group === undefined && artifact === undefined)) return undefined
  return { group: String(group ?? '*'), artifact: String(artifact ?? '*') }
}

/** Reads `version { strictly '1'; reject '1.1' }`. */
function readVersion(statements: readonly Statement[], variables: Variables): Partial<Options> {
  const values = new Map<string, Value>()
  let isOpen = false
  for (const { value, kind } of statements) {
    if (kind === 'expression' && value.kind !== 'call') isOpen = true
    if (value.kind !== 'call') continue
    const name = value.names.at(-1)!
    const texts = value.positional.map((expression) => evaluate(expression, variables))
    values.set(name, name === 'reject' ? texts : texts[0])
    const isVersion = /^(?:strictly|require|prefer)$/.test(name)
    isOpen ||= isVersion ? texts.some((text) => typeof text !== 'string') : closureOf(value).length > 0
  }
  return { version: toRich(values), isOpen }
}

/** Converts the parts of a rich version, named as in scripts and catalogs. */
export function toRich(value: ReadonlyMap<string, Value>): RichVersion {
  const parts = { strictly: value.get('strictly'), requires: value.get('require'), prefers: value.get('prefer') }
  const present = Object.entries(parts).filter(([, part]) => typeof part === 'string')
  return {
    ...Object.fromEntries(present),
    rejects: [value.get('reject')].flat().filter((selector) => typeof selector === 'string'),
  }
}
