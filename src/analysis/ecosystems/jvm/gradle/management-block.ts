import { readDependencyCall } from './declared.ts'
import { type Declared, markRead, plainDeclaration, type ScriptContext } from './facts.ts'
import { type Call, closureOf, type Statement } from './language/expressions.ts'
import { evaluate } from './language/values.ts'
import { reportDependencies } from './unaccounted.ts'

/**
 * Reads Spring's plugin: `imports { mavenBom 'g:a:v' }`, `dependencies { dependency 'g:a:v' }`, `dependencySet(…) {
 * entry 'a' }`.
 */
export function readManagement(statements: readonly Statement[], context: ScriptContext) {
  const { facts } = context
  for (const { value, kind } of statements) {
    if (kind !== 'expression' || value.kind !== 'call') continue
    const name = value.names.at(-1)!
    if (name === 'dependencies') markRead(value, context)
    const asDependency = (into: Declared[]) => {
      const own = { ...context, facts: { ...facts, dependencies: into } }
      readDependencyCall({ ...value, names: ['implementation'] }, own, { isConstraint: false })
    }
    if (name === 'mavenBom') asDependency(facts.imports)
    else if (name === 'dependency') asDependency(facts.managed)
    else if (name === 'dependencySet') readDependencySet(value, context)
    else readManagement(closureOf(value), context)
  }
}

function readDependencySet(call: Call, context: ScriptContext) {
  const { facts, variables, file } = context
  const named = new Map(call.named.map(({ name, value }) => [name, evaluate(value, variables)]))
  const [group, version] = [named.get('group'), named.get('version')]
  for (const { value, line } of closureOf(call)) {
    const first = value.kind === 'call' ? value.positional[0] : undefined
    const artifact = first && evaluate(first, variables)
    if (typeof group === 'string' && typeof version === 'string' && typeof artifact === 'string') {
      const rich = { requires: version, rejects: [] }
      facts.managed.push({ group, artifact, version: rich, ...plainDeclaration, place: { file, line } })
    } else reportDependencies({ line }, context)
  }
}
