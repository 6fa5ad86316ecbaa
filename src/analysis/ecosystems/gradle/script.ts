import type { Exclusion, Place } from '../maven/pom.ts'
import { isDevConfiguration } from './configurations.ts'
import { type Declared, readDependencyCall } from './declared.ts'
import { type Call, closureOf, type Expression, type Statement } from './syntax.ts'
import type { Token } from './tokens.ts'
import { evaluate, showText, type Variables } from './values.ts'

/** What a build script says about dependencies, in the order it says it. */
export interface ScriptFacts {
  readonly dependencies: Declared[]
  /** What could not be read without running the script. */
  readonly unread: Unread[]
  /** `project(':x')` */
  readonly projects: { readonly path: string; readonly place: Place; readonly isDev: boolean }[]
  /** Base URLs of repositories. */
  readonly repositories: string[]
  /** Ids of plugins, with their versions when given. */
  readonly plugins: Map<string, string | undefined>
  /** Versions that hold whatever asks for others. */
  readonly forced: Declared[]
  /** Excluded everywhere. */
  readonly excluded: Exclusion[]
  /** Spring's dependency management: BOMs and single versions. */
  readonly imports: Declared[]
  readonly managed: Declared[]
  /** Blocks of dependencies that were read, as `file:line`. */
  readonly blocks: Set<string>
  /** Scripts that are applied. */
  readonly applied: { readonly path: string; readonly place: Place }[]
}

export interface Unread {
  readonly name: string
  readonly range: string
  readonly reason: string
  readonly code: 'not-static' | 'not-from-registry'
  readonly place: Place
  readonly isDev: boolean
}

export interface ScriptContext {
  readonly file: Place['file']
  readonly variables: Variables
  readonly facts: ScriptFacts
  /** Inside of `buildscript`: what the build itself needs. */
  readonly isBuild: boolean
}

export function createFacts(): ScriptFacts {
  return {
    dependencies: [],
    unread: [],
    projects: [],
    repositories: [],
    plugins: new Map(),
    forced: [],
    excluded: [],
    imports: [],
    managed: [],
    applied: [],
    blocks: new Set(),
  }
}

/** How sure it is that what is read will be run. */
type Certainty = 'certain' | 'perhaps'

/**
 * Gives variables their values, wherever in the script that is done. What different branches set to different values is
 * not known; a branch for a property that somebody may pass on the command line is not taken.
 */
export function readVariables(
  statements: readonly Statement[],
  variables: Variables,
  certainty: Certainty = 'certain',
) {
  for (const statement of statements) {
    if (statement.kind === 'assign') assign(statement, variables, certainty)
    else for (const call of callsIn(statement.value)) readCallVariables(call, variables, certainty)
  }
}

function assign(
  { names, sign, value }: Extract<Statement, { kind: 'assign' }>,
  variables: Variables,
  certainty: Certainty,
) {
  // `val x by project` names a property that is set elsewhere.
  if (sign === 'by' && value.kind === 'path') return
  const given = evaluate(value, variables)
  if (sign !== '+=') return certainty === 'certain' ? variables.set(names, given) : variables.setPerhaps(names, given)
  const before = variables.get(names)
  if (given === undefined) return
  if (before === undefined) variables.set(names, given)
  if (before instanceof Map && given instanceof Map) variables.set(names, new Map([...before, ...given]))
  if (Array.isArray(before)) variables.set(names, [...before, ...(Array.isArray(given) ? given : [given])])
}

const BRANCH = /^(?:if|else|when|switch|try|catch|for|while)$/

function readCallVariables({ names, positional, closure, chained }: Call, variables: Variables, certainty: Certainty) {
  const [name, value] = positional
  if (names.at(-1) === 'set' && name !== undefined && value !== undefined) {
    const key = evaluate(name, variables)
    if (typeof key === 'string') variables.set([key], evaluate(value, variables))
  }
  const isBranch = BRANCH.test(names.at(-1)!) || names[0] === '(value)'
  const asksForProperty = names.at(-1) === 'if' && positional.some(isAboutProperty)
  // Without the property only the other branch is run.
  if (closure !== undefined && !asksForProperty) readVariables(closure, variables, isBranch ? 'perhaps' : certainty)
  for (const each of chained) {
    if (asksForProperty && each.names.at(-1) === 'else') readVariables(each.closure ?? [], variables, certainty)
    else readCallVariables(each, variables, certainty)
  }
}

function isAboutProperty(condition: Expression): boolean {
  return condition.kind === 'call' && condition.names.at(-1) === 'hasProperty'
}

/** Collects what the script says; blocks of conditions and of unknown names are taken as they stand. */
export function readFacts(statements: readonly Statement[], context: ScriptContext) {
  for (const { value, kind } of statements) {
    if (kind === 'expression') for (const call of callsIn(value)) readCall(call, context)
  }
}

/** A call, and those on its result that stand for statements of their own (`if (…) { } else { }`). */
function callsIn(value: Expression): readonly Call[] {
  return value.kind === 'call' ? [value] : []
}

function readCall(call: Call, context: ScriptContext) {
  const { names, positional, named, chained } = call
  const { facts, file } = context
  const name = names.at(-1)!
  const closure = closureOf(call)
  if (name === 'dependencies') facts.blocks.add(`${file}:${call.line}`)
  if (name === 'buildscript' || name === 'initscript') return readFacts(closure, { ...context, isBuild: true })
  if (name === 'plugins' && closure.length > 0) return readPlugins(closure, context)
  // Every build for Android configures it, also where a plugin of its own brings Android's.
  if (names.join() === 'android' && closure.length > 0) facts.plugins.set('com.android.base', undefined)
  if (name === 'apply') readApply(call, context)
  else if (name === 'dependencies' && closure.length > 0) readDependencies(closure, context, { isConstraint: false })
  else if (name === 'dependencyManagement') readManagement(closure, context)
  else if (names[0] === 'configurations') readConfigurations(call, context)
  else if (names.slice(0, -1).includes('dependencies')) {
    const own = names.slice(names.lastIndexOf('dependencies') + 1)
    facts.blocks.add(`${file}:${call.line}`)
    readDependencyStatement({ ...call, names: own }, context, { isConstraint: own[0] === 'constraints' })
  } else if (name === 'repositories') readRepositories(closure, context)
  else if (names[0] !== '(value)') readFacts(closure, context)
  if (/^(?:if|else|for|while|try|catch|finally)$/.test(name)) {
    for (const each of chained) readCall(each, context)
    // What follows on the line of a condition is read as an argument.
    for (const each of [...positional, ...named.map(({ value }) => value)]) {
      if (each.kind === 'call') readCall(each, context)
    }
  }
}

function readPlugins(statements: readonly Statement[], { facts, variables }: ScriptContext) {
  for (const { value, kind } of statements) {
    if (kind !== 'expression' || value.kind !== 'call') continue
    const [first] = value.positional
    const found = first && evaluate(first, variables)
    const fromCatalogue = found instanceof Map ? found : undefined
    const id = fromCatalogue?.get('id') ?? found
    if (typeof id !== 'string') continue
    const version = value.chained.find(({ names }) => names.at(-1) === 'version')?.positional[0]
    const text = version === undefined ? fromCatalogue?.get('version') : evaluate(version, variables)
    const isKotlin = value.names.at(-1) === 'kotlin'
    facts.plugins.set(isKotlin ? `org.jetbrains.kotlin.${id}` : id, typeof text === 'string' ? text : undefined)
  }
}

function readApply({ named, line }: Call, { facts, variables, file }: ScriptContext) {
  for (const { name, value } of named) {
    const text = evaluate(value, variables)
    const shown = typeof text === 'string' ? text : value.kind === 'text' ? showText(value.parts) : 'a script'
    if (name === 'plugin' && !facts.plugins.has(shown)) facts.plugins.set(shown, undefined)
    if (name === 'from') facts.applied.push({ path: shown, place: { file, line } })
  }
}

function readDependencies(
  statements: readonly Statement[],
  context: ScriptContext,
  { isConstraint }: { readonly isConstraint: boolean },
) {
  for (const statement of statements) {
    if (statement.kind !== 'expression') continue
    const { value } = statement
    if (value.kind === 'call') readDependencyStatement(value, context, { isConstraint })
    else if (
      value.kind === 'other' &&
      /^\w*(?:implementation|api|compile|runtime)\w*\b|"[\w.-]+:[\w.-]+/i.test(value.text)
    ) {
      const place = { file: context.file, line: value.line }
      const reason = 'This declaration can only be understood by running the script'
      const isDev = context.isBuild || isDevConfiguration(/^\w*/.exec(value.text)![0])
      context.facts.unread.push({ name: value.text.slice(0, 200), range: '', code: 'not-static', reason, place, isDev })
    }
  }
}

const CONTROL = /^(?:if|else|for|while|try|catch|finally|with|apply|run)$/
const WITHOUT_DEPENDENCIES = new Set([
  'modules',
  'artifactTypes',
  'attributesSchema',
  'registerTransform',
  'exclude',
  'println',
])

/** Blocks that the reading did not come by, e.g. inside of a loop: what they declare is not known. */
export function findUnreadBlocks(tokens: readonly Token[], context: ScriptContext) {
  const { file, facts } = context
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'name' || token.text !== 'dependencies') continue
    const after = tokens.slice(at + 1, at + 3).map((each) => (each.kind === 'text' ? '' : each.text))
    const isBlock = after[0] === '{' || after.join('') === '){' || (after[0] === '.' && /^add/.test(after[1] ?? ''))
    if (isBlock && !facts.blocks.has(`${file}:${token.line}`)) nameUnread(token, context)
  }
}

/** Dependencies that are declared there and were not read. */
export function nameUnread({ line }: { readonly line: number }, { file, facts }: ScriptContext) {
  const reason = 'These dependencies are declared where only running the script leads'
  const place = { file, line }
  facts.unread.push({ name: 'dependencies', range: '', code: 'not-static', reason, place, isDev: false })
}

function readDependencyStatement(
  call: Call,
  context: ScriptContext,
  { isConstraint }: { readonly isConstraint: boolean },
) {
  const name = call.names.at(-1)!
  if (name === 'constraints') return readDependencies(closureOf(call), context, { isConstraint: true })
  if (WITHOUT_DEPENDENCIES.has(name) || WITHOUT_DEPENDENCIES.has(call.names[0]!)) return
  if (call.names[0] === 'components') {
    const reason = 'Rules in code change what packages ask for here'
    const place = { file: context.file, line: call.line }
    context.facts.unread.push({
      name: 'components',
      range: '',
      code: 'not-static',
      reason,
      place,
      isDev: context.isBuild,
    })
    return
  }
  if (CONTROL.test(name) || name === 'dependencies') {
    readDependencies(closureOf(call), context, { isConstraint })
    const inside = [
      ...call.chained,
      ...call.positional.filter((each): each is Call & Expression => each.kind === 'call'),
    ]
    for (const each of inside) readDependencyStatement(each, context, { isConstraint })
    return
  }
  readDependencyCall(call, context, { isConstraint })
}

/** Spring's plugin: `imports { mavenBom 'g:a:v' }`, `dependencies { dependency 'g:a:v' }`, `dependencySet(…) { entry 'a' }`. */
function readManagement(statements: readonly Statement[], context: ScriptContext) {
  const { facts } = context
  for (const { value, kind } of statements) {
    if (kind !== 'expression' || value.kind !== 'call') continue
    const name = value.names.at(-1)!
    if (name === 'dependencies') facts.blocks.add(`${context.file}:${value.line}`)
    const asDependency = (into: Declared[]) => {
      const own = { ...context, facts: { ...facts, dependencies: into } }
      readDependencyCall({ ...value, names: ['implementation'] }, own, { isConstraint: false })
    }
    if (name === 'mavenBom') asDependency(facts.imports)
    else if (name === 'dependency') asDependency(facts.managed)
    else if (name === 'dependencySet') readDependencySet(value, context)
    else if (/^(?:imports|dependencies)$/.test(name) || CONTROL.test(name)) readManagement(closureOf(value), context)
  }
}

function readDependencySet(call: Call, { facts, variables, file }: ScriptContext) {
  const given = new Map(call.named.map(({ name, value }) => [name, evaluate(value, variables)]))
  const [text] = call.positional.map((each) => evaluate(each, variables))
  const [group, version] = typeof text === 'string' ? text.split(':') : [given.get('group'), given.get('version')]
  for (const { value, kind } of closureOf(call)) {
    const [first] = kind === 'expression' && value.kind === 'call' ? value.positional : []
    const artifact = first && evaluate(first, variables)
    if (typeof group !== 'string' || typeof version !== 'string' || typeof artifact !== 'string') continue
    facts.managed.push({
      group,
      artifact,
      version: { requires: version, rejects: [] },
      kind: 'dependency',
      isDev: false,
      isBuild: false,
      isTransitive: true,
      capabilities: [],
      exclusions: [],
      place: { file, line: value.line },
    })
  }
}

/** `configurations.all { exclude …; resolutionStrategy { force … } }` */
function readConfigurations(call: Call, context: ScriptContext) {
  const { facts, variables, file } = context
  const { names, named, positional } = call
  const name = names.at(-1)!
  if (name === 'exclude') {
    const text = (key: string) => {
      const entry = named.find((each) => each.name === key)
      const value = entry && evaluate(entry.value, variables)
      return typeof value === 'string' ? value : '*'
    }
    facts.excluded.push({ group: text('group'), artifact: text('module') })
  }
  if (name === 'force') {
    const into = { ...context, facts: { ...facts, dependencies: facts.forced } }
    readDependencyCall({ ...call, names: ['implementation'], positional }, into, { isConstraint: false })
  }
  if (names.includes('dependencies') && /^add/.test(name)) return nameUnread(call, context)
  if (/^(?:eachDependency|dependencySubstitution|capabilitiesResolution|withDependencies)$/.test(name)) {
    const reason = 'Rules in code choose versions or packages here'
    const place = { file, line: call.line }
    facts.unread.push({ name, range: '', code: 'not-static', reason, place, isDev: context.isBuild })
    return
  }
  for (const { value, kind } of closureOf(call)) {
    if (kind === 'expression' && value.kind === 'call') readConfigurations(value, context)
  }
  for (const each of call.chained) readConfigurations(each, context)
}

function readRepositories(statements: readonly Statement[], context: ScriptContext) {
  const { facts, variables, isBuild } = context
  if (isBuild) return
  const add = (expression: Expression | undefined) => {
    const url =
      expression &&
      evaluate(expression.kind === 'call' ? (expression.positional[0] ?? expression) : expression, variables)
    if (typeof url === 'string') facts.repositories.push(url)
  }
  for (const statement of statements) {
    if (statement.kind === 'assign') {
      if (statement.names.at(-1) === 'url') add(statement.value)
      continue
    }
    if (statement.value.kind !== 'call') continue
    const { names, positional, named } = statement.value
    if (names.at(-1) === 'google') facts.repositories.push('google')
    if (names.at(-1) === 'url' || names.at(-1) === 'setUrl') add(positional[0])
    if (names.at(-1) === 'maven') {
      if (positional[0]?.kind !== 'closure') add(positional[0])
      add(named.find(({ name }) => name === 'url')?.value)
    }
    readRepositories(closureOf(statement.value), context)
  }
}
