import type { Exclusion, Place } from '../maven/pom.ts'
import { isDevConfiguration } from './configurations.ts'
import type { ScriptContext, ScriptFacts } from './script.ts'
import { type Call, closureOf, type Entry, type Expression, type Statement } from './syntax.ts'
import { evaluate, evaluateText, showText, type Value, type Variables } from './values.ts'

/** Gradle's rich version: what is asked for, and how firmly. */
export interface RichVersion {
  readonly requires?: string
  readonly strictly?: string
  readonly prefers?: string
  readonly rejects: readonly string[]
}

/** A module that a build script asks for. */
export interface Declared {
  readonly group: string
  readonly artifact: string
  readonly version: RichVersion
  /** A constraint only counts when something else brings the module; platforms bring constraints. */
  readonly kind: 'dependency' | 'constraint' | 'platform' | 'enforced-platform'
  readonly isDev: boolean
  /** What the build itself needs, apart from the project. */
  readonly isBuild: boolean
  readonly isTransitive: boolean
  /** `group:name` of what is wanted instead of the module's own. */
  readonly capabilities: readonly string[]
  readonly exclusions: readonly Exclusion[]
  readonly place: Place
}

type Manner = Pick<Declared, 'kind' | 'isDev' | 'isBuild' | 'isTransitive' | 'exclusions' | 'place'>

/** Of Gradle itself and of the project: no packages. */
const OF_THE_BUILD =
  /^(?:gradleApi|localGroovy|gradleTestKit|gradleKotlinDsl|sourceSets|configurations|tasks|javaModule)$/
const FILES = /^(?:files|fileTree|zipTree|layout)$/
const PLATFORMS: Readonly<Record<string, Declared['kind']>> = {
  platform: 'platform',
  enforcedPlatform: 'enforced-platform',
}

/** `implementation 'g:a:v'` and its relatives. */
export function readDependencyCall(
  call: Call,
  context: ScriptContext,
  { isConstraint }: { readonly isConstraint: boolean },
) {
  const { variables, file, isBuild } = context
  const isAdd = call.names.at(-1) === 'add'
  const [first, ...others] = call.positional
  const configuration = isAdd ? first && evaluate(first, variables) : call.names.at(-1)
  const options = readOptions([...closureOf(call), ...call.chained.map(toStatement)], variables)
  const manner: Manner & { readonly options: Options } = {
    kind: isConstraint ? 'constraint' : 'dependency',
    isBuild,
    isDev: isBuild || (typeof configuration === 'string' && isDevConfiguration(configuration)),
    isTransitive: options.isTransitive && !call.named.some((each) => each.name === 'transitive' && isFalse(each)),
    exclusions: options.exclusions,
    place: { file, line: call.line },
    options,
  }
  const asked = (isAdd ? others : call.positional).filter(({ kind }) => kind !== 'closure')
  if (call.named.some(({ name }) => name === 'name' || name === 'module')) addMap(call.named, manner, context)
  const parts = asked.map((each) => (each.kind === 'text' ? evaluateText(each.parts, variables) : undefined))
  const [group, artifact, version] = parts
  // Kotlin may take them apart: implementation("group", "name", "version").
  if (asked.length > 1 && group && artifact && !parts.some((each) => each?.includes(':') !== false)) {
    return add({ group, artifact, version: toVersion(version) }, manner, context)
  }
  for (const each of asked) addAsked(each, manner, context)
}

function toStatement(call: Call): Statement {
  return { kind: 'expression', value: call, line: call.line }
}

function isFalse({ value }: Entry): boolean {
  return value.kind === 'path' && value.names.join() === 'false'
}

type MannerWithOptions = Manner & { readonly options: Options }

function addAsked(asked: Expression, manner: MannerWithOptions, context: ScriptContext) {
  const { facts, variables } = context
  if (asked.kind === 'call') return addCall(asked, manner, context)
  if (asked.kind === 'text') {
    const text = evaluateText(asked.parts, variables)
    if (text === undefined) return unread(showText(asked.parts), manner, context)
    return addNotation(text, manner, context)
  }
  if (asked.kind === 'map') return addMap(asked.entries, manner, context)
  if (asked.kind === 'list') {
    for (const each of asked.items) addAsked(each, manner, context)
    return
  }
  if (asked.kind === 'path' && OF_THE_BUILD.test(asked.names[0]!)) return
  if (asked.kind === 'path' && asked.names[0] === 'projects') {
    facts.projects.push({ path: asked.names.slice(1).join(':'), place: manner.place, isDev: manner.isDev })
    return
  }
  if (asked.kind === 'path' && asked.names.at(-1) === 'BOM_COORDINATES') {
    return add({ ...springBootBom, version: toVersion(findBootVersion(facts)) }, manner, context)
  }
  const value = asked.kind === 'path' ? findByPath(asked.names, variables) : evaluate(asked, variables)
  if (value !== undefined) return addValue(value, manner, context)
  const shown = asked.kind === 'path' ? asked.names.join('.') : asked.kind === 'other' ? asked.text : 'an expression'
  unread(shown, manner, { ...context, facts })
}

export const springBootBom = { group: 'org.springframework.boot', artifact: 'spring-boot-dependencies' } as const

const BOOT = 'org.springframework.boot'

/** The version of Spring Boot's plugin, by its id or as a package of the build. */
export function findBootVersion({ plugins }: ScriptFacts): string | undefined {
  return plugins.get(BOOT)
}

/** What a variable or an alias of a catalogue stands for; accessors may end in `get()` or `asProvider()`. */
function findByPath(names: readonly string[], variables: Variables): Value {
  const path = names.filter((name) => name !== 'get' && name !== 'asProvider')
  return variables.get(path)
}

function addValue(value: Value, manner: MannerWithOptions, context: ScriptContext) {
  if (typeof value === 'string') addNotation(value, manner, context)
  else if (value instanceof Map) {
    const text = (key: string) => {
      const found = value.get(key)
      return typeof found === 'string' ? found : undefined
    }
    const group = text('group')
    const artifact = text('name')
    if (group !== undefined && artifact !== undefined) {
      const rich = value.get('rich')
      const version = rich instanceof Map ? toRich(rich) : toVersion(text('version'))
      add({ group, artifact, version }, manner, context)
    } else for (const each of value.values()) addValue(each, manner, context)
  } else if (Array.isArray(value)) for (const each of value) addValue(each, manner, context)
  else unread('a value', manner, context)
}

function addCall(call: Call, manner: MannerWithOptions, context: ScriptContext) {
  const { facts, variables } = context
  const name = call.names.at(-1)!
  const { place, isDev } = manner
  if (OF_THE_BUILD.test(call.names[0]!) || OF_THE_BUILD.test(name)) return
  if (name === 'project' || call.names[0] === 'projects') {
    const path = call.positional[0] ?? call.named.find((each) => each.name === 'path')?.value
    const text = path && evaluate(path, variables)
    facts.projects.push({ path: typeof text === 'string' ? text : 'a project', place, isDev })
    return
  }
  if (FILES.test(call.names[0]!) || FILES.test(name)) {
    const reason = 'Files of the project are not looked into'
    const shown = call.positional.flatMap((each) => (each.kind === 'text' ? [showText(each.parts)] : [])).join(', ')
    facts.unread.push({ name: shown || name, range: '', code: 'not-from-registry', reason, place, isDev })
    return
  }
  const own = readOptions([...closureOf(call), ...call.chained.map(toStatement)], variables)
  const inner = {
    ...manner,
    options: mergeOptions(manner.options, name === 'testFixtures' ? { ...own, features: ['test-fixtures'] } : own),
    exclusions: [...manner.exclusions, ...own.exclusions],
  }
  const platform = PLATFORMS[name]
  if (name === 'kotlin') return addKotlin(call, inner, context)
  const asked = call.positional.filter(({ kind }) => kind !== 'closure')
  if (platform !== undefined || /^(?:create|testFixtures|variantOf|enforced|dependency|module)$/.test(name)) {
    const kind = platform ?? manner.kind
    if (call.named.length > 0) addMap(call.named, { ...inner, kind }, context)
    for (const each of asked) addAsked(each, { ...inner, kind }, context)
    return
  }
  const value = findByPath(call.names, variables) ?? evaluate(call, variables)
  if (value !== undefined) return addValue(value, inner, context)
  unread(`${call.names.join('.')}(…)`, manner, context)
}

/** `kotlin("stdlib")`, in the version of Kotlin's plugin unless given. */
function addKotlin(call: Call, manner: MannerWithOptions, context: ScriptContext) {
  const [module, version] = call.positional.map((each) => evaluate(each, context.variables))
  if (typeof module !== 'string') return unread('kotlin(…)', manner, context)
  const { plugins } = context.facts
  const ofPlugin = [...plugins].find(
    ([id, given]) => id.startsWith('org.jetbrains.kotlin.') && given !== undefined,
  )?.[1]
  const text = typeof version === 'string' ? version : ofPlugin
  add({ group: 'org.jetbrains.kotlin', artifact: `kotlin-${module}`, version: toVersion(text) }, manner, context)
}

function addMap(entries: readonly Entry[], manner: MannerWithOptions, context: ScriptContext) {
  const value = (key: string) => {
    const entry = entries.find((each) => each.name === key)
    return entry && evaluate(entry.value, context.variables)
  }
  const [group, artifact, version] = [value('group'), value('name') ?? value('module'), value('version')]
  const shown = entries.map(({ name, value: each }) => `${name}: ${each.kind === 'text' ? showText(each.parts) : '…'}`)
  const isVersionOpen = entries.some(({ name }) => name === 'version') && typeof version !== 'string'
  if (typeof group !== 'string' || typeof artifact !== 'string') return unread(shown.join(', '), manner, context)
  if (isVersionOpen) return unread(`${group}:${artifact}:?`, manner, context)
  add({ group, artifact, version: toVersion(typeof version === 'string' ? version : undefined) }, manner, context)
}

/** `group:name[:version[:classifier]][@extension]` */
function addNotation(text: string, manner: MannerWithOptions, context: ScriptContext) {
  const [coordinates = ''] = text.split('@')
  const [group, artifact, version] = coordinates.split(':')
  if (!group || !artifact) return unread(text, manner, context)
  add(
    { group, artifact, version: toVersion(version) },
    { ...manner, isTransitive: manner.isTransitive && !text.includes('@') },
    context,
  )
}

function add(
  { group, artifact, version }: Pick<Declared, 'group' | 'artifact' | 'version'>,
  { options, ...manner }: MannerWithOptions,
  { facts }: ScriptContext,
) {
  const { requires, strictly, prefers, rejects } = { ...version, ...options.version }
  const rich = {
    ...(requires === undefined ? {} : { requires }),
    ...(strictly === undefined ? {} : { strictly }),
    ...(prefers === undefined ? {} : { prefers }),
    rejects,
  }
  const features = options.features.map((feature) => `${group}:${artifact}-${feature}`)
  const declared = { ...manner, capabilities: [...options.capabilities, ...features], group, artifact, version: rich }
  facts.dependencies.push(declared)
  if (options.isVariantOpen) {
    const reason = 'Which variant of it is wanted is only known by running the script'
    const { place, isDev } = manner
    const range = requires ?? strictly ?? prefers ?? ''
    facts.unread.push({ name: `${group}:${artifact}`, range, code: 'not-static', reason, place, isDev })
  }
  if (artifact === 'spring-boot-gradle-plugin' && manner.isBuild) facts.plugins.set(BOOT, requires ?? strictly)
  if (options.isForced) facts.forced.push(declared)
}

function unread(text: string, { place, isDev }: Manner, { facts }: ScriptContext) {
  const [group = '', artifact, ...version] = text.split(':')
  const hasName = artifact !== undefined && !`${group}${artifact}`.includes('$')
  const reason = hasName
    ? 'What its version stands for is only known by running the script'
    : 'What this stands for is only known by running the script'
  facts.unread.push({
    name: (hasName ? `${group}:${artifact}` : text).slice(0, 200),
    range: hasName ? version.join(':').slice(0, 200) : '',
    code: 'not-static',
    reason,
    place,
    isDev,
  })
}

/** What a block behind a dependency says. */
interface Options {
  readonly exclusions: readonly Exclusion[]
  readonly isTransitive: boolean
  readonly isForced: boolean
  readonly version: Partial<RichVersion>
  readonly capabilities: readonly string[]
  /** Short for a capability: `x` of `g:a` is `g:a-x`. */
  readonly features: readonly string[]
  /** Whether another variant is wanted, and it is not known which. */
  readonly isVariantOpen: boolean
}

function readOptions(statements: readonly Statement[], variables: Variables): Options {
  const exclusions: Exclusion[] = []
  let isTransitive = true
  let isForced = false
  let isVariantOpen = false
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
    if (name === 'exclude') exclusions.push(toExclusion(statement.value, variables))
    if (name === 'version') version = { ...version, ...readVersionBlock(closureOf(statement.value), variables) }
    if (name === 'capabilities') {
      const asked = readCapabilities(closureOf(statement.value), variables)
      capabilities.push(...asked.capabilities)
      features.push(...asked.features)
      isVariantOpen ||= asked.isVariantOpen
    }
    isVariantOpen ||= name === 'attributes'
    if (name === 'setForce' || (name === 'force' && named.length === 0)) isForced = true
  }
  return { exclusions, isTransitive, isForced, version, capabilities, features, isVariantOpen }
}

function mergeOptions(a: Options, b: Options): Options {
  return {
    exclusions: [...a.exclusions, ...b.exclusions],
    isTransitive: a.isTransitive && b.isTransitive,
    isForced: a.isForced || b.isForced,
    version: { ...a.version, ...b.version },
    capabilities: [...a.capabilities, ...b.capabilities],
    features: [...a.features, ...b.features],
    isVariantOpen: a.isVariantOpen || b.isVariantOpen,
  }
}

type Wish = Pick<Options, 'capabilities' | 'features' | 'isVariantOpen'>

/** `capabilities { requireCapability('g:a-x'); requireFeature('x') }` */
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

function toExclusion({ named, positional }: Call, variables: Variables): Exclusion {
  const entries = [...named, ...positional.flatMap((each) => (each.kind === 'map' ? each.entries : []))]
  const text = (key: string) => {
    const entry = entries.find(({ name }) => name === key)
    const value = entry && evaluate(entry.value, variables)
    return typeof value === 'string' ? value : undefined
  }
  const [group, module] = positional.map((each) => evaluate(each, variables))
  return {
    group: text('group') ?? (typeof group === 'string' ? group : '*'),
    artifact: text('module') ?? (typeof module === 'string' ? module : '*'),
  }
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

function toRich(value: ReadonlyMap<string, Value>): RichVersion {
  const text = (key: string) => {
    const found = value.get(key)
    return typeof found === 'string' ? found : undefined
  }
  const [strictly, requires, prefers, reject] = [text('strictly'), text('require'), text('prefer'), value.get('reject')]
  return {
    ...(requires === undefined ? {} : { requires }),
    ...(strictly === undefined ? {} : { strictly }),
    ...(prefers === undefined ? {} : { prefers }),
    rejects: [reject].flat().filter((each) => typeof each === 'string'),
  }
}

/** `1.0!!` is strictly 1.0, `[1,2)!!1.5` strictly within the range and preferably 1.5. */
function toVersion(text: string | undefined): RichVersion {
  if (text === undefined || text === '') return { rejects: [] }
  const [strictly, prefers] = text.split('!!')
  if (prefers === undefined) return { requires: text, rejects: [] }
  return { strictly: strictly!, ...(prefers === '' ? {} : { prefers }), rejects: [] }
}
