import { findBuiltin } from './builtins.ts'
import type { Statement } from './scala/syntax.ts'
import type { SentFile } from './scala/tokens.ts'
import type { Value } from './values.ts'

/** The names visible at a place of the build definition. */
export interface Scope {
  readonly file: SentFile
  find(name: string): Value | undefined
  /** Finds a name defined in this scope. */
  findOwn(name: string): Value | undefined
  /** All names defined in this scope. */
  readonly names: ReadonlySet<string>
  /** Finds an extension method of a class defined in this scope. */
  findOwnExtension(name: string): Extension | undefined
  /** Returns an extension method defined in the sent files. */
  findExtension(name: string): Extension | undefined
}

/** A method whose first argument is its receiver. */
export type Extension = (value: Value) => Value

export interface ScopeParts {
  readonly file: SentFile
  readonly parent: Scope | undefined
  readonly statements: readonly Statement[]
  /** Evaluates a definition of this scope. */
  evaluate(statement: Statement, name: string, scope: Scope): Value
  /** Opens the scope of an extension class for a receiver. */
  extend(statement: Extract<Statement, { kind: 'class' }>, value: Value, scope: Scope): Scope
}

/** Creates a scope. Definitions are evaluated lazily at first use. */
export function createScope(parts: ScopeParts): Scope {
  const { file, parent, statements } = parts
  const definitions = new Map<string, Statement>()
  const values = new Map<string, Value>()
  for (const statement of statements) for (const name of namesOf(statement)) definitions.set(name, statement)
  const imports = statements.filter((statement) => statement.kind === 'import')
  const classes = statements.filter((statement) => statement.kind === 'class')
  const objects = new Map<string, Extract<Value, { kind: 'object' }> | undefined>()

  function own(name: string): Value | undefined {
    const cached = values.get(name)
    if (cached !== undefined) return cached
    const statement = definitions.get(name)
    if (statement === undefined) return undefined
    const place = { file, line: statement.line }
    values.set(name, { kind: 'unknown', reason: `${name} is defined in terms of itself`, place })
    try {
      const value = parts.evaluate(statement, name, scope)
      values.set(name, value)
      return value
    } catch (error) {
      values.delete(name)
      throw error
    }
  }

  function imported(name: string): Value | undefined {
    for (const { path, members, line } of imports) {
      const from = members === 'all' ? name : members.find(({ to }) => to === name)?.from
      if (from === undefined || path.includes(name)) continue
      const value = objectAt(path)?.find(from)
      if (value !== undefined) return value
      // Definitions of sbt may have another name here.
      if (from !== name) return findBuiltin(from, { file, line })
    }
    return undefined
  }

  /** Finds an object by path. Package names are not part of scopes: the path counts from its first object. */
  function objectAt(path: readonly string[]): Extract<Value, { kind: 'object' }> | undefined {
    const key = path.join('.')
    if (objects.has(key)) return objects.get(key)
    objects.set(key, undefined)
    for (const [index, name] of path.entries()) {
      let at = scope.find(name)
      for (const next of path.slice(index + 1)) at = at?.kind === 'object' ? at.find(next) : undefined
      if (at?.kind !== 'object') continue
      objects.set(key, at)
      break
    }
    return objects.get(key)
  }

  const scope: Scope = {
    file,
    names: new Set(definitions.keys()),
    find: (name) => own(name) ?? imported(name) ?? parent?.find(name),
    findOwn: own,
    findOwnExtension(name) {
      const statement = classes.find(
        (definition) => definition.of !== undefined && definition.statements.some((one) => namesOf(one).includes(name)),
      )
      return statement && ((value) => parts.extend(statement, value, scope).find(name)!)
    },
    findExtension: (name) => scope.findOwnExtension(name) ?? parent?.findExtension(name),
  }
  return scope
}

/** Creates a scope of given names, such as function parameters. */
export function createNames(parent: Scope, names: ReadonlyMap<string, Value>): Scope {
  return {
    file: parent.file,
    names: new Set(names.keys()),
    find: (name) => names.get(name) ?? parent.find(name),
    findOwn: (name) => names.get(name),
    findOwnExtension: () => undefined,
    findExtension: parent.findExtension,
  }
}

function namesOf(statement: Statement): readonly string[] {
  if (statement.kind === 'val') return namesIn(statement.pattern)
  return statement.kind === 'def' || statement.kind === 'object' ? [statement.name] : []
}

function namesIn(pattern: Extract<Statement, { kind: 'val' }>['pattern']): readonly string[] {
  if (pattern.kind === 'bind') return [pattern.name]
  return pattern.kind === 'extract' ? pattern.parts.flatMap(namesIn) : []
}
