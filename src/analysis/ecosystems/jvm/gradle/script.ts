import type { Exclusion, Place } from '../pom.ts'
import { type Branch, branchOf } from './branches.ts'
import { readConfigurations } from './configuration-rules.ts'
import type { Declared } from './declared.ts'
import { readDependencies, readDependencyStatement } from './dependency-blocks.ts'
import { type Call, closureOf, type Expression, type Statement, type TokenRange } from './language/expressions.ts'
import { evaluate, type Variables } from './language/values.ts'
import { isLoop, roundsOf } from './loops.ts'
import { readManagement } from './management-block.ts'
import { readApply, readPlugins } from './plugins.ts'

/** The facts about dependencies in build scripts, in order. */
export interface ScriptFacts {
  readonly dependencies: Declared[]
  /** Statements whose effect depends on running the script. */
  readonly unread: Unread[]
  /** `project(':x')` */
  readonly projects: { readonly path: string; readonly place: Place; readonly isDev: boolean }[]
  /** Base URLs of repositories. */
  readonly repositories: string[]
  /** Plugin ids with their versions, if stated. */
  readonly plugins: Map<string, string | undefined>
  /** Versions that override all requests. */
  readonly forced: Declared[]
  /** Exclusions for all modules. */
  readonly excluded: Exclusion[]
  /** Spring's dependency management: BOMs and single versions. */
  readonly imports: Declared[]
  readonly managed: Declared[]
  /** Calls read as dependencies, as `file:token`. */
  readonly blocks: Set<string>
  /** Deliberately omitted token ranges. */
  readonly leftOut: (Pick<TokenRange, 'from' | 'end'> & Pick<Place, 'file'>)[]
  /** Versions that rules set only for tests and tools. */
  readonly passedOver: Set<string>
  /** Configurations that the product's configurations include. */
  readonly extended: string[]
  /** Remaining rounds of loops, and words that all rounds may read. */
  readonly rounds: { left: number; wordsLeft: number }
  /** Applied plugins. */
  readonly used: PluginUse[]
  /** Places that enable locking. */
  readonly lockingCalls: { readonly place: Place; readonly isDev: boolean }[]
  /** Projects configured by a script: `project(':x') { … }`. */
  readonly configured: Set<string>
  /** Applied scripts. */
  readonly applied: { readonly path: string; readonly place: Place }[]
}

export interface PluginUse {
  /** Id or class name. */
  readonly id: string
  readonly place: Place
}

export interface Unread {
  readonly name: string
  readonly range: string
  readonly reason: string
  readonly code: 'not-static' | 'not-from-registry' | 'lockfile-not-read'
  readonly place: Place
  readonly isDev: boolean
}

export interface ScriptContext {
  readonly file: Place['file']
  readonly variables: Variables
  readonly facts: ScriptFacts
  /** True inside of `buildscript`: dependencies of the build itself. */
  readonly isBuild: boolean
  /** True for a script above the module's folder: plugins applied to its own project are not the module's. */
  readonly isAbove?: boolean
  /** The enclosing branches of conditions. */
  readonly branches?: readonly Branch[]
}

const MAX_ROUNDS = 2_000
const MAX_WORDS_OF_ROUNDS = 200_000

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
    leftOut: [],
    extended: [],
    passedOver: new Set(),
    rounds: { left: MAX_ROUNDS, wordsLeft: MAX_WORDS_OF_ROUNDS },
    configured: new Set(),
    used: [],
    lockingCalls: [],
  }
}

/** Marks the names of a call as dependencies that were read. */
export function markRead({ tokens }: Call, { file, facts }: Pick<ScriptContext, 'file' | 'facts'>) {
  for (let at = tokens.from; at < tokens.namesEnd; at++) facts.blocks.add(`${file}:${at}`)
}

/** Collects facts from a script; `plugins { … }` applies plugins only at the top level. */
export function readScript(statements: readonly Statement[], context: ScriptContext) {
  for (const { value, kind } of statements) {
    const isPlugins = kind === 'expression' && value.kind === 'call' && value.names.join() === 'plugins'
    if (isPlugins) readPlugins(closureOf(value), context)
  }
  readFacts(statements, context)
}

/** Collects facts from statements. Blocks of conditions and of unknown names are read as they stand. */
function readFacts(statements: readonly Statement[], context: ScriptContext) {
  for (const { value, kind } of statements) {
    if (kind === 'expression' && value.kind === 'call') readCall(value, context)
    if (kind === 'expression' && value.kind === 'closure') readFacts(value.statements, context)
  }
}

function readCall(call: Call, context: ScriptContext) {
  const { names, positional, named, chained } = call
  const { facts } = context
  const name = names.at(-1)!
  const closure = closureOf(call)
  if (name === 'buildscript' || name === 'initscript') return readFacts(closure, { ...context, isBuild: true })
  // Every Android build has this block, even if another plugin applies Android's.
  if (names.join() === 'android' && closure.length > 0) facts.plugins.set('com.android.base', undefined)
  if (name === 'project' && closure.length > 0) {
    const path = positional[0] && evaluate(positional[0], context.variables)
    if (typeof path === 'string') facts.configured.add(path)
  }
  if (isLocking(call))
    facts.lockingCalls.push({ place: { file: context.file, line: call.line }, isDev: context.isBuild })
  if (isApply(call)) readApply(call, context)
  else if (names.join() === 'evaluate') readApply({ ...call, positional: [], named: sourcesOf(call) }, context)
  else if (name === 'dependencies' && isBlock(call)) {
    markRead(call, context)
    readDependencies(closure, context, { isConstraint: false })
  } else if (name === 'dependencyManagement') readManagement(closure, context)
  else if (names.includes('dependencyManagement')) readManagement([toStatement(call)], context)
  else if (names[0] === 'configurations') readConfigurations(call, context)
  else if (names.slice(0, -1).includes('dependencies')) readMember(call, context)
  else if (name === 'repositories') readRepositories(closure, context)
  else if (isLoop(call) && closure.length > 0) {
    for (const variables of roundsOf(call, context)) readFacts(closure, { ...context, variables })
  } else if (names[0] !== '(value)') readFacts(closure, branchOf(call, 'first', context))
  if (/^(?:if|else|for|while|try|catch|finally)$/.test(name)) {
    for (const each of chained) readCall(each, branchOf(call, 'other', context))
    // The rest of a condition's line is parsed as an argument.
    for (const each of [...positional, ...named.map(({ value }) => value)]) {
      if (each.kind === 'call') readCall(each, context)
    }
  }
}

/** Reads `dependencies.add('api', 'g:a:1')`, `project.dependencies.api('g:a:1')`. */
function readMember(call: Call, context: ScriptContext) {
  const own = call.names.slice(call.names.lastIndexOf('dependencies') + 1)
  markRead(call, context)
  readDependencyStatement({ ...call, names: own }, context, { isConstraint: own[0] === 'constraints' })
}

function toStatement(call: Call): Statement {
  return { kind: 'expression', value: call, line: call.line }
}

/** Returns true for a literal block: `dependencies { … }`, not `dependencies common`. */
function isBlock({ closure, positional }: Call): boolean {
  return closure !== undefined || positional.at(-1)?.kind === 'closure'
}

function isApply({ names }: Call): boolean {
  const of = names.at(-2)
  return names.at(-1) === 'apply' && (of === undefined || /^(?:this|it|plugins|pluginManager|\w*[pP]roject)$/.test(of))
}

function sourcesOf({ positional }: Call): Call['named'] {
  return positional.map((value) => ({ name: 'from', value }))
}

function isLocking({ names }: Call): boolean {
  return names.includes('dependencyLocking') || names.at(-1) === 'activateDependencyLocking'
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
