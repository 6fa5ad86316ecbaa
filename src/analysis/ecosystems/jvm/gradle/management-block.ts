import { readDependencyInto } from './declared.ts'
import { markRead, plainDeclaration, type ScriptContext } from './facts.ts'
import { type Call, callsIn, closureOf, type Statement } from './language/expressions.ts'
import { evaluate } from './language/values.ts'
import { reportDependencies } from './unaccounted.ts'

/**
 * Reads Spring's plugin: `imports { mavenBom 'g:a:v' }`, `dependencies { dependency 'g:a:v' }`, `dependencySet(…) {
 * entry 'a' }`.
 */
export function readManagement(statements: readonly Statement[], context: ScriptContext) {
  const { facts } = context
  for (const call of callsIn(statements)) {
    const name = call.names.at(-1)!
    if (name === 'dependencies') markRead(call, context)
    if (name === 'mavenBom') readDependencyInto(facts.imports, call, context)
    else if (name === 'dependency') readDependencyInto(facts.managed, call, context)
    else if (name === 'dependencySet') readDependencySet(call, context)
    else readManagement(closureOf(call), context)
  }
}

function readDependencySet(call: Call, context: ScriptContext) {
  const { facts, variables, file } = context
  const keywordArgs = new Map(call.keywordArgs.map(({ name, value }) => [name, evaluate(value, variables)]))
  const [group, version] = [keywordArgs.get('group'), keywordArgs.get('version')]
  for (const { value, line } of closureOf(call)) {
    const first = value.kind === 'call' ? value.positional[0] : undefined
    const artifact = first && evaluate(first, variables)
    if (typeof group === 'string' && typeof version === 'string' && typeof artifact === 'string') {
      const rich = { requires: version, rejects: [] }
      facts.managed.push({ group, artifact, version: rich, ...plainDeclaration, place: { file, line } })
    } else reportDependencies({ line }, context)
  }
}
