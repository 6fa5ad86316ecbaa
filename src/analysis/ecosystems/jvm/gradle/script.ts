import { withinCondition } from './branches.ts'
import { readConfigurations } from './configuration-rules.ts'
import { readDependencies, readDependencyStatement } from './dependency-blocks.ts'
import { markRead, type ScriptContext } from './facts.ts'
import { type Call, closureOf, type Expression, type Statement } from './language/expressions.ts'
import { evaluate } from './language/values.ts'
import { isLoop, roundsOf } from './loops.ts'
import { readManagement } from './management-block.ts'
import { readApply, readPlugins } from './plugins.ts'
import { reportDependencies } from './unaccounted.ts'

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
  const { names, positional, keywordArgs, chained } = call
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
  if (isApply(call)) readApply(call, context)
  else if (names.join() === 'evaluate') reportDependencies(call, context)
  else if (name === 'dependencies' && isBlock(call)) {
    markRead(call, context)
    readDependencies(closure, context, { isConstraint: false })
  } else if (name === 'dependencyManagement') readManagement(closure, context)
  else if (names[0] === 'configurations') readConfigurations(call, context)
  else if (names.slice(0, -1).includes('dependencies')) readMember(call, context)
  else if (name === 'repositories') readRepositories(closure, context)
  else if (isLoop(call) && closure.length > 0) {
    for (const variables of roundsOf(call, context)) readFacts(closure, { ...context, variables })
  } else if (names[0] !== '(value)') readFacts(closure, withinCondition(call, context))
  if (/^(?:if|else|for|while|try|catch|finally)$/.test(name)) {
    for (const chainedCall of chained) readCall(chainedCall, withinCondition(call, context))
    // The rest of a condition's line is parsed as an argument.
    for (const expression of [...positional, ...keywordArgs.map(({ value }) => value)]) {
      if (expression.kind === 'call') readCall(expression, context)
    }
  }
}

/** Reads `dependencies.add('api', 'g:a:1')`, `project.dependencies.api('g:a:1')`. */
function readMember(call: Call, context: ScriptContext) {
  const own = call.names.slice(call.names.lastIndexOf('dependencies') + 1)
  markRead(call, context)
  readDependencyStatement({ ...call, names: own }, context, { isConstraint: own[0] === 'constraints' })
}

/** Returns true for a literal block: `dependencies { … }`, not `dependencies common`. */
function isBlock({ closure, positional }: Call): boolean {
  return closure !== undefined || positional.at(-1)?.kind === 'closure'
}

function isApply({ names }: Call): boolean {
  const of = names.at(-2)
  return names.at(-1) === 'apply' && (of === undefined || /^(?:this|it|plugins|pluginManager|\w*[pP]roject)$/.test(of))
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
    const { names, positional } = statement.value
    if (names.at(-1) === 'google') facts.repositories.push('google')
    if (names.at(-1) === 'url' || names.at(-1) === 'setUrl') add(positional[0])
    if (names.at(-1) === 'maven' && positional[0]?.kind !== 'closure') add(positional[0])
    readRepositories(closureOf(statement.value), context)
  }
}
