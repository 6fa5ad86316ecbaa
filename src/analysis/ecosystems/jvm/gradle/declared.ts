import { Unreadable } from '#analysis/documents/unreadable.ts'
import { isDevConfiguration } from './configurations.ts'
import { mergeOptions, type Options, readOptions, toRich } from './dependency-options.ts'
import { type Declared, type RichVersion, reportUnread, type ScriptContext, type ScriptFacts } from './facts.ts'
import { type Call, closureOf, type Entry, type Expression, type Statement } from './language/expressions.ts'
import { evaluate, evaluateText, showText, type Value, type Variables } from './language/values.ts'
import { findKotlinVersion } from './plugins.ts'

type Declaration = Pick<Declared, 'kind' | 'isDev' | 'configuration' | 'isConditional' | 'isBuild' | 'place'> & {
  readonly options: Options
}

/** Lists that are declared again and again count each time. */
const MAX_DECLARED = 100_000

/** Calls that refer to Gradle itself or to the project, not to packages. */
const OF_THE_BUILD =
  /^(?:gradleApi|localGroovy|gradleTestKit|gradleKotlinDsl|sourceSets|configurations|tasks|javaModule)$/
export function isOfTheBuild(name: string): boolean {
  return OF_THE_BUILD.test(name)
}

const FILES = /^(?:files|fileTree|zipTree|layout)$/
const PLATFORMS: Readonly<Record<string, Declared['kind']>> = {
  platform: 'platform',
  enforcedPlatform: 'enforced-platform',
}

/** Reads `implementation 'g:a:v'` and similar calls. */
export function readDependencyCall(
  call: Call,
  context: ScriptContext,
  { isConstraint }: { readonly isConstraint: boolean },
) {
  const { variables, file, isBuild } = context
  const isAdd = isAddition(call)
  const [first, ...others] = call.positional
  const configuration = isAdd ? first && evaluate(first, variables) : call.names.at(-1)
  const options = readOptions([...closureOf(call), ...call.chained.map(toStatement)], variables)
  const declaration: Declaration = {
    kind: isConstraint ? 'constraint' : 'dependency',
    isBuild,
    ...(typeof configuration === 'string' && { configuration }),
    ...(context.isConditional && { isConditional: true }),
    isDev: isBuild || (typeof configuration === 'string' && isDevConfiguration(configuration)),
    place: { file, line: call.line },
    options,
  }
  const args = (isAdd ? others : call.positional).filter(({ kind }) => kind !== 'closure')
  if (call.keywordArgs.some(({ name }) => name === 'name' || name === 'module'))
    addMap(call.keywordArgs, declaration, context)
  const parts = args.map((arg) => (arg.kind === 'text' ? evaluateText(arg.parts, variables) : undefined))
  const [group, artifact, version] = parts
  // Kotlin may pass the parts separately: implementation("group", "name", "version").
  if (args.length > 1 && group && artifact && !parts.some((part) => part?.includes(':') !== false)) {
    return add({ group, artifact, version: toVersion(version) }, declaration, context)
  }
  for (const arg of args) addAsked(arg, declaration, context)
}

/** Reads a call as a dependency of the product into another list than that of dependencies. */
export function readDependencyInto(into: Declared[], call: Call, context: ScriptContext) {
  const inner = { ...context, facts: { ...context.facts, dependencies: into } }
  readDependencyCall({ ...call, names: ['implementation'] }, inner, { isConstraint: false })
}

/** Matches `add('api', 'g:a:1')`, unlike `api.add('g:a:1')`. */
function isAddition({ names, positional, keywordArgs }: Call): boolean {
  const of = names.at(-2)
  const isOnBlock = of === undefined || /^(?:delegate|this|it|owner|project|dependencies)$/.test(of)
  return (
    /^add(?:Provider(?:Convertible)?)?$/.test(names.at(-1)!) && isOnBlock && positional.length + keywordArgs.length > 1
  )
}

function toStatement(call: Call): Statement {
  return { kind: 'expression', value: call, line: call.line }
}

function addAsked(expression: Expression, outer: Declaration, context: ScriptContext) {
  const { variables } = context
  const declaration = { ...outer, place: { ...outer.place, line: expression.line } }
  if (expression.kind === 'call') return addCall(expression, declaration, context)
  if (expression.kind === 'text') {
    const text = evaluateText(expression.parts, variables)
    if (text === undefined) return unread(showText(expression.parts), declaration, context)
    return addNotation(text, declaration, context)
  }
  if (expression.kind === 'map') return addMap(expression.entries, declaration, context)
  if (expression.kind === 'list') {
    for (const item of expression.items) addAsked(item, declaration, context)
    return
  }
  if (expression.kind === 'choice') {
    for (const option of expression.options) addAsked(option, { ...declaration, isConditional: true }, context)
    return
  }
  if (expression.kind === 'path') return addPath(expression.names, declaration, context)
  const value = evaluate(expression, variables)
  if (value !== undefined) return addValue(value, declaration, context)
  unread(expression.kind === 'other' ? expression.text : 'an expression', declaration, context)
}

function addPath(names: readonly string[], declaration: Declaration, context: ScriptContext) {
  const { facts, variables } = context
  const { place, isDev } = declaration
  const [first = '', ...others] = names
  if (first === 'configurations' && !isDev) facts.extended.push(others[0] ?? '')
  if (OF_THE_BUILD.test(first)) return
  if (first === 'projects') {
    facts.projects.push({ path: others.join(':'), place, isDev })
    return
  }
  if (names.at(-1) === 'BOM_COORDINATES') {
    return add({ ...springBootBom, version: toVersion(findBootVersion(facts)) }, declaration, context)
  }
  const value = findByPath(names, variables)
  if (value === undefined) unread(names.join('.'), declaration, context)
  else addValue(value, declaration, context)
}

export const springBootBom = { group: 'org.springframework.boot', artifact: 'spring-boot-dependencies' } as const

const BOOT = 'org.springframework.boot'

/** Returns the version of Spring Boot's plugin, applied by id or required as a package of the build. */
export function findBootVersion({ plugins }: ScriptFacts): string | undefined {
  return plugins.get(BOOT)
}

/** Returns the value of a variable or catalog alias; accessors may end in `get()` or `asProvider()`. */
function findByPath(names: readonly string[], variables: Variables): Value {
  const path = names.filter((name) => name !== 'get' && name !== 'asProvider')
  return variables.get(path)
}

function addValue(value: Value, declaration: Declaration, context: ScriptContext) {
  if (typeof value === 'string') addNotation(value, declaration, context)
  else if (value instanceof Map) {
    const [group, artifact, text, rich] = ['group', 'name', 'version', 'rich'].map((key) => value.get(key))
    if (typeof group === 'string' && typeof artifact === 'string') {
      const version = rich instanceof Map ? toRich(rich) : toVersion(typeof text === 'string' ? text : undefined)
      add({ group, artifact, version }, declaration, context)
    } else unread('a value', declaration, context)
  } else if (Array.isArray(value) && context.facts.rounds.wordsLeft-- > 0) {
    // Lists that hold a list twice, at each level, have too many items to visit.
    for (const element of value) addValue(element, declaration, context)
  } else unread('a value', declaration, context)
}

function addCall(call: Call, declaration: Declaration, context: ScriptContext) {
  const { facts, variables } = context
  const name = call.names.at(-1)!
  const { place, isDev } = declaration
  if (OF_THE_BUILD.test(call.names[0]!) || OF_THE_BUILD.test(name)) return
  if (name === 'project' || call.names[0] === 'projects') {
    const path = call.positional[0] ?? call.keywordArgs.find((argument) => argument.name === 'path')?.value
    const text = path && evaluate(path, variables)
    facts.projects.push({ path: typeof text === 'string' ? text : 'a project', place, isDev })
    return
  }
  if (FILES.test(call.names[0]!) || FILES.test(name)) {
    const reason = 'Files of the project are not read'
    const shown = call.positional
      .flatMap((expression) => (expression.kind === 'text' ? [showText(expression.parts)] : []))
      .join(', ')
    reportUnread(facts, { name: shown || name, code: 'not-from-registry', reason, place, isDev })
    return
  }
  const own = readOptions([...closureOf(call), ...call.chained.map(toStatement)], variables)
  const inner = {
    ...declaration,
    options: mergeOptions(
      declaration.options,
      name === 'testFixtures' ? { ...own, capabilities: ['-test-fixtures'] } : own,
    ),
  }
  const platform = PLATFORMS[name]
  if (name === 'kotlin') return addKotlin(call, inner, context)
  const args = call.positional.filter(({ kind }) => kind !== 'closure')
  if (platform !== undefined || /^(?:create|testFixtures|variantOf|enforced|dependency|module)$/.test(name)) {
    const kind = platform ?? declaration.kind
    if (call.keywordArgs.length > 0) addMap(call.keywordArgs, { ...inner, kind }, context)
    for (const arg of args) addAsked(arg, { ...inner, kind }, context)
    return
  }
  const value = findByPath(call.names, variables) ?? evaluate(call, variables)
  if (value !== undefined) return addValue(value, inner, context)
  unread(`${call.names.join('.')}(…)`, declaration, context)
}

/** Adds `kotlin("stdlib")`, in the version of Kotlin's plugin by default. */
function addKotlin(call: Call, declaration: Declaration, context: ScriptContext) {
  const [module, version] = call.positional.map((expression) => evaluate(expression, context.variables))
  if (typeof module !== 'string') return unread('kotlin(…)', declaration, context)
  const text = typeof version === 'string' ? version : findKotlinVersion(context.facts)
  add({ group: 'org.jetbrains.kotlin', artifact: `kotlin-${module}`, version: toVersion(text) }, declaration, context)
}

function addMap(entries: readonly Entry[], declaration: Declaration, context: ScriptContext) {
  const value = (key: string) => {
    const entry = entries.find((entry) => entry.name === key)
    return entry && evaluate(entry.value, context.variables)
  }
  const [group, artifact, version] = [value('group'), value('name') ?? value('module'), value('version')]
  const shown = entries.map(
    ({ name, value: expression }) => `${name}: ${expression.kind === 'text' ? showText(expression.parts) : '…'}`,
  )
  const isVersionOpen = entries.some(({ name }) => name === 'version') && typeof version !== 'string'
  if (typeof group !== 'string' || typeof artifact !== 'string') return unread(shown.join(', '), declaration, context)
  if (isVersionOpen) return unread(`${group}:${artifact}:?`, declaration, context)
  add({ group, artifact, version: toVersion(typeof version === 'string' ? version : undefined) }, declaration, context)
}

/** Adds `group:name[:version[:classifier]][@extension]`. */
function addNotation(text: string, declaration: Declaration, context: ScriptContext) {
  const [coordinates = ''] = text.split('@')
  const [group, artifact, version] = coordinates.split(':')
  if (!group || !artifact) return unread(text, declaration, context)
  add(
    { group, artifact, version: toVersion(version) },
    text.includes('@') ? { ...declaration, options: { ...declaration.options, isTransitive: false } } : declaration,
    context,
  )
}

function add(
  { group, artifact, version }: Pick<Declared, 'group' | 'artifact' | 'version'>,
  { options, ...declaration }: Declaration,
  { facts }: ScriptContext,
) {
  const rich = { ...version, ...options.version }
  const { requires, strictly, prefers } = rich
  if (facts.dependencies.length === MAX_DECLARED) {
    throw new Unreadable(`The build scripts declare more than ${MAX_DECLARED} dependencies`, declaration.place)
  }
  const { isTransitive, exclusions } = options
  const declared = {
    ...declaration,
    isTransitive,
    exclusions,
    capabilities: options.capabilities.map((capability) =>
      capability.startsWith('-') ? `${group}:${artifact}${capability}` : capability,
    ),
    group,
    artifact,
    version: rich,
  }
  facts.dependencies.push(declared)
  if (options.isOpen) {
    const { place, isDev } = declaration
    reportUnread(facts, { name: `${group}:${artifact}`, range: requires ?? strictly ?? prefers ?? '', place, isDev })
  }
  if (artifact === 'spring-boot-gradle-plugin' && declaration.isBuild) facts.plugins.set(BOOT, requires ?? strictly)
  if (options.isForced) facts.forced.push(declared)
}

function unread(text: string, { place, isDev }: Declaration, { facts }: ScriptContext) {
  const [group = '', artifact, ...version] = text.split(':')
  const hasName = artifact !== undefined && !`${group}${artifact}`.includes('$')
  reportUnread(facts, {
    name: (hasName ? `${group}:${artifact}` : text).slice(0, 200),
    range: hasName ? version.join(':').slice(0, 200) : '',
    place,
    isDev,
  })
}

/** Parses a version: `1.0!!` is strictly 1.0, `[1,2)!!1.5` strictly within the range and preferably 1.5. */
function toVersion(text: string | undefined): RichVersion {
  if (text === undefined || text === '') return { rejects: [] }
  const [strictly, prefers] = text.split('!!')
  if (prefers === undefined) return { requires: text, rejects: [] }
  return { strictly: strictly!, ...(prefers === '' ? {} : { prefers }), rejects: [] }
}
