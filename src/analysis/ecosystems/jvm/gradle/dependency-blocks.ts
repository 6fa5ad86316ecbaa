import { withinCondition } from './branches.ts'
import { isDevConfiguration } from './configurations.ts'
import { isOfTheBuild, readDependencyCall } from './declared.ts'
import { reportUnread, type ScriptContext } from './facts.ts'
import { type Call, closureOf, type Expression, type Statement } from './language/expressions.ts'
import { createVariables, evaluate } from './language/values.ts'
import { isLoop, roundsOf } from './loops.ts'

interface DeclarationMode {
  readonly isConstraint: boolean
}

const CONTROL = /^(?:if|else|for|while|do|when|switch|try|catch|finally|synchronized|repeat|with|apply|run|also|let)$/
const TAKING_A_BLOCK = /^(?:with|apply|run|also|let)$/
/** Calls that declare a dependency even if their result is assigned. */
const DECLARING =
  /(?:implementation|api|compile|compileOnly(?:Api)?|runtime|runtimeOnly|classpath|kapt|ksp|add|processor)$/i
const WITHOUT_DEPENDENCIES = new Set([
  'modules',
  'artifactTypes',
  'attributesSchema',
  'registerTransform',
  'exclude',
  'println',
  // Task configuration inside of the block.
  'jar',
  'war',
  'task',
  'tasks',
])

/** Reads the statements of a dependency block; reports declarations that cannot be read. */
export function readDependencies(statements: readonly Statement[], context: ScriptContext, mode: DeclarationMode) {
  for (const { kind, value } of statements) {
    if (kind === 'expression') readInBlock(value, context, mode)
    else if (
      value.kind === 'call' &&
      DECLARING.test(value.names.at(-1)!) &&
      evaluate(value, context.variables) === undefined
    )
      readDependencyStatement(value, context, mode)
  }
}

function readInBlock(value: Expression, context: ScriptContext, mode: DeclarationMode) {
  if (value.kind === 'call') readDependencyStatement(value, context, mode)
  else if (value.kind === 'closure') readDependencies(value.statements, context, mode)
  else if (value.kind === 'choice') for (const option of value.options) readInBlock(option, context, mode)
  else if (value.kind === 'other' && /[\p{L}"]/u.test(value.text)) reportStatement(value.text, value.line, context)
}

/** Reads one declaration, also outside a block: `dependencies.add('api', 'g:a:1')`. */
export function readDependencyStatement(call: Call, context: ScriptContext, mode: DeclarationMode) {
  const name = call.names.at(-1)!
  if (name === 'constraints') return readDependencies(closureOf(call), context, { isConstraint: true })
  if (WITHOUT_DEPENDENCIES.has(name) || WITHOUT_DEPENDENCIES.has(call.names[0]!)) return
  if (call.names[0] === 'components') return reportRules(call, context)
  const block = closureOf(call)
  if (isLoop(call) && block.length > 0) {
    for (const variables of roundsOf(call, context)) readDependencies(block, { ...context, variables }, mode)
    return
  }
  if (CONTROL.test(name) || name === 'dependencies') return readControl(call, context, mode)
  const args = call.positional.filter(({ kind }) => kind !== 'closure')
  if (args.length > 0 || call.keywordArgs.length > 0) return readDependencyCall(call, context, mode)
  if (block.length > 0) return readDependencies(block, context, mode)
  if (!isOfTheBuild(name)) reportStatement(`${call.names.join('.')}()`, call.line, context)
}

function readControl(call: Call, context: ScriptContext, mode: DeclarationMode) {
  const { names, positional, chained } = call
  const [first] = positional
  const isLoopOver = names.at(-1) === 'for' && first?.kind === 'path'
  const variables = isLoopOver ? createVariables(context.variables) : context.variables
  if (isLoopOver) variables.set(first.names, undefined)
  const inner = withinCondition(call, { ...context, variables })
  const block = closureOf(call)
  readDependencies(block, inner, mode)
  if (block.length === 0 && TAKING_A_BLOCK.test(names.at(-1)!) && first !== undefined)
    reportStatement(`${names.join('.')}(…)`, call.line, context)
  for (const expression of [...positional, ...chained]) {
    if (expression.kind === 'call') readDependencyStatement(expression, inner, mode)
  }
}

function reportStatement(text: string, line: number, { file, facts, isBuild }: ScriptContext) {
  const isDev = isBuild || isDevConfiguration(/^\w*/.exec(text)![0])
  reportUnread(facts, { name: text.slice(0, 200), place: { file, line }, isDev })
}

function reportRules({ line }: Call, { file, facts, isBuild }: ScriptContext) {
  reportUnread(facts, { name: 'components', place: { file, line }, isDev: isBuild })
}
