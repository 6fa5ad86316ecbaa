import { Unreadable } from '#analysis/documents/unreadable.ts'
import { findBuiltin } from './builtins.ts'
import { callMethod, callValue } from './calls.ts'
import { listsPackages } from './dropped-settings.ts'
import type { Context } from './externals.ts'
import { matchPattern } from './matching.ts'
import type { Case, Expression, Statement } from './scala/syntax.ts'
import { createNames, createScope, type Scope } from './scope.ts'
import {
  type Given,
  joinTexts,
  nothing,
  type Setting,
  type SourcePosition,
  toBoolean,
  toText,
  toUnknown,
  type Value,
  whyUnknown,
} from './values.ts'

const MAX_STEPS = 1_000_000
const MAX_CALLS = 100
/** Expressions within each other, through the values that they name; a chain of a thousand operators has as many. */
const MAX_DEPTH = 1_100
/** A named value takes the stack of several expressions. */
const DEPTH_OF_VALUE = 5

/** The build's callbacks for evaluation. */
export interface EvaluationContext {
  /** Returns a setting's value in the evaluated project. */
  settingValue(key: Setting['key'], place: SourcePosition): Value
}

/** Evaluates expressions of build definitions statically: runs nothing and queries nothing. */
export class Evaluation {
  /** Assumptions made, as sentences. */
  readonly assumptions: ReadonlySet<string>
  private readonly context: EvaluationContext
  private readonly assume: (sentence: string) => void
  private steps = 0
  private calls = 0
  private depth = 0

  constructor(context: EvaluationContext) {
    const assumptions = new Set<string>()
    this.context = context
    this.assumptions = assumptions
    this.assume = (sentence) => void assumptions.add(sentence)
  }

  /** True if evaluation stopped at its limit. */
  get isExhausted(): boolean {
    return this.steps > MAX_STEPS
  }

  /** Opens the scope of statements of a file or an object. */
  open(statements: readonly Statement[], parent: Scope | undefined, file: Scope['file']): Scope {
    return createScope({
      file,
      parent,
      statements,
      evaluate: (statement, name, scope) => this.define(statement, name, scope),
      extend: ({ of, statements: own }, value, scope) =>
        this.open(own, createNames(scope, new Map([[of!, value]])), file),
    })
  }

  private define(statement: Statement, name: string, scope: Scope): Value {
    const place = { file: scope.file, line: statement.line }
    if (statement.kind === 'object') {
      const inner = this.open(statement.statements, scope, scope.file)
      return { kind: 'object', names: inner.names, find: inner.findOwn, extension: inner.findOwnExtension }
    }
    if (statement.kind === 'def') return this.toFunction(statement, scope)
    if (statement.kind !== 'val') return toUnknown(`${name} is not supported`, place)
    this.depth += DEPTH_OF_VALUE
    try {
      const value = this.evaluate(statement.value, scope)
      const names = matchPattern(statement.pattern, value, (expression) => this.evaluate(expression, scope))
      return nameValue((names instanceof Map && names.get(name)) || toUnknown(whyUnknown(value), place), name)
    } finally {
      this.depth -= DEPTH_OF_VALUE
    }
  }

  /** Converts a method. Without parameters it is its value; several parameter lists become nested functions. */
  private toFunction({ name, takes, body, line }: Extract<Statement, { kind: 'def' }>, scope: Scope): Value {
    const place = { file: scope.file, line }
    const take = (at: number, names: ReadonlyMap<string, Value>): Value => {
      const parameters = takes[at]
      if (parameters === undefined)
        return this.guarded(name, place, () => this.evaluate(body, createNames(scope, names)))
      return {
        kind: 'function',
        call: (args, keywordArgs) => {
          const inner = new Map(names)
          const around = createNames(scope, inner)
          for (const [index, parameter] of parameters.entries()) {
            const rest = parameter.isRepeated ? toSpread(args.slice(index)) : args[index]
            const value =
              keywordArgs?.get(parameter.name) ??
              rest ??
              (parameter.fallback && this.evaluate(parameter.fallback, around))
            inner.set(parameter.name, value ?? toUnknown(`${name} lacks the argument ${parameter.name}`, place))
          }
          return take(at + 1, inner)
        },
      }
    }
    return take(0, new Map())
  }

  private guarded(name: string, place: SourcePosition, call: () => Value): Value {
    if (this.calls >= MAX_CALLS) return toUnknown(`${name} exceeds the depth limit of ${MAX_CALLS} calls`, place)
    this.calls++
    try {
      return call()
    } finally {
      this.calls--
    }
  }

  evaluate(expression: Expression, scope: Scope): Value {
    const place = { file: scope.file, line: expression.line }
    if (++this.steps > MAX_STEPS) return toUnknown(`Evaluation exceeded the limit of ${MAX_STEPS} steps`, place)
    if (this.depth >= MAX_DEPTH) {
      throw new Unreadable(`Evaluation exceeded the depth limit of ${MAX_DEPTH}`, place)
    }
    this.depth++
    try {
      return this.evaluateAt(expression, scope, place)
    } finally {
      this.depth--
    }
  }

  private evaluateAt(expression: Expression, scope: Scope, place: SourcePosition): Value {
    switch (expression.kind) {
      case 'text':
        return toText(expression.value)
      case 'number':
        return { kind: 'number', number: expression.value }
      case 'boolean':
        return toBoolean(expression.value)
      case 'name':
        return scope.find(expression.name) ?? findBuiltin(expression.name, place)
      case 'interpolated':
        return this.interpolate(expression, scope, place)
      case 'select':
        return this.select(expression, scope, place)
      case 'apply':
        return this.apply(expression, scope, place)
      case 'infix':
        return this.infix(expression, scope, place)
      case 'prefix':
        return callMethod(
          this.evaluate(expression.of, scope),
          `unary_${expression.operator}`,
          [],
          this.at(place, scope),
        )
      case 'tuple':
        if (expression.items.length === 0) return nothing
        return { kind: 'tuple', items: expression.items.map(({ value }) => this.evaluate(value, scope)) }
      case 'block':
        return this.evaluateBlock(expression.statements, scope)
      case 'lambda':
        return {
          kind: 'function',
          call: (args) => {
            const names = new Map(expression.takes.map((name, index) => [name, args[index] ?? nothing]))
            return this.guarded('a function', place, () => this.evaluate(expression.body, createNames(scope, names)))
          },
        }
      case 'match':
        return this.choose(expression.cases, this.evaluate(expression.of, scope), scope, place)
      case 'if': {
        const condition = this.evaluate(expression.condition, scope)
        if (condition.kind !== 'boolean') return toUnknown(`it depends on a condition: ${whyUnknown(condition)}`, place)
        if (condition.isTrue) return this.evaluate(expression.then, scope)
        return expression.otherwise === undefined ? nothing : this.evaluate(expression.otherwise, scope)
      }
      case 'unread':
        return toUnknown(expression.reason, place)
    }
  }

  private interpolate(
    { interpolator, parts }: Extract<Expression, { kind: 'interpolated' }>,
    scope: Scope,
    place: SourcePosition,
  ): Value {
    if (!['s', 'raw', 'f'].includes(interpolator)) return toUnknown(`${interpolator}"…" is not supported`, place)
    const texts: string[] = []
    for (const part of parts) {
      const value = typeof part === 'string' ? toText(part) : this.evaluate(part, scope)
      if (value.kind === 'text') texts.push(value.text)
      else if (value.kind === 'number') texts.push(String(value.number))
      else return toUnknown(whyUnknown(value), place)
    }
    return joinTexts(texts) ?? toUnknown('a text is too long', place)
  }

  private apply({ to, args }: Extract<Expression, { kind: 'apply' }>, scope: Scope, place: SourcePosition): Value {
    if (isInitializer(to)) {
      const read = () => args.map(({ value }) => this.evaluate(value, scope))[0] ?? nothing
      return { kind: 'initialize', run: () => this.toValue(read(), place) }
    }
    const isMethod = to.kind === 'select' && to.name !== 'value'
    const of = this.evaluate(isMethod ? to.of : to, scope)
    const all = args.map(({ name, value }) => ({ name, value: this.evaluate(value, scope) }))
    const context = this.at(place, scope)
    return isMethod ? callMethod(of, to.name, all, context) : callValue(of, all, context)
  }

  /** Unwraps `Def.settingDyn { … }`, whose result has a value itself. */
  private toValue(value: Value, place: SourcePosition): Value {
    if (value.kind === 'initialize') return value.run()
    return value.kind === 'key' ? this.context.settingValue(value.key, place) : value
  }

  private select({ of, name }: Extract<Expression, { kind: 'select' }>, scope: Scope, place: SourcePosition): Value {
    const value = this.evaluate(of, scope)
    if (name === 'value' && (value.kind === 'key' || value.kind === 'initialize')) return this.toValue(value, place)
    return callMethod(value, name, [], this.at(place, scope))
  }

  private infix(
    { left, operator, right }: Extract<Expression, { kind: 'infix' }>,
    scope: Scope,
    place: SourcePosition,
  ): Value {
    if (isAssignment(operator)) return this.assign(this.evaluate(left, scope), operator, { right, scope, place })
    const operands = right.kind === 'tuple' ? right.items.map(({ value }) => value) : [right]
    const args = operands.map((value) => this.evaluate(value, scope))
    const of = this.evaluate(left, scope)
    const [argument = nothing] = args
    if (operator === '->') return { kind: 'tuple', items: [of, argument] }
    // Operators that end in a colon are methods of the right operand.
    if (operator.endsWith(':')) return callMethod(argument, operator, [toGiven(of)], this.at(place, scope))
    return callMethod(of, operator, args.map(toGiven), this.at(place, scope))
  }

  /** Assigns lazily: a setting's value is computed within a project on demand. */
  private assign(
    left: Value,
    operator: string,
    { right, scope, place }: { readonly right: Expression; readonly scope: Scope; readonly place: SourcePosition },
  ): Value {
    // Settings of other plugins' keys are irrelevant.
    const pending = left.kind === 'function' ? left.pending : undefined
    const isOfPlugin = pending !== undefined && /^\w+$/.test(pending) && !listsPackages(pending)
    const path = left.kind === 'external' ? left.name : isOfPlugin ? pending : undefined
    const name = path === undefined ? undefined : /[^.]*$/.exec(path)![0]
    const key = left.kind === 'key' ? left.key : name === undefined ? undefined : { name, project: undefined, axes: [] }
    if (key === undefined) return toUnknown(`what is set with ${operator} is not known: ${whyUnknown(left)}`, place)
    // Operators of sbt 0.13, such as `<<=`, are not supported.
    const read = () =>
      operator.startsWith('<') ? toUnknown(`${operator} is not supported`, place) : this.evaluate(right, scope)
    return { kind: 'setting', setting: { key, operator: operator.replace(/^<<?/, ''), read, place } }
  }

  private evaluateBlock(statements: readonly Statement[], scope: Scope): Value {
    const last = statements.at(-1)
    if (last === undefined) return nothing
    const inner = statements.length === 1 ? scope : this.open(statements, scope, scope.file)
    return last.kind === 'expression' ? this.evaluate(last.value, inner) : nothing
  }

  private choose(cases: readonly Case[], subject: Value, scope: Scope, place: SourcePosition): Value {
    for (const { pattern, guard, body } of cases) {
      const names = matchPattern(pattern, subject, (expression) => this.evaluate(expression, scope))
      if (names === undefined) continue
      if (names === 'unknown') return toUnknown(`it depends on a choice: ${whyUnknown(subject)}`, place)
      const inner = createNames(scope, names)
      const condition = guard === undefined ? toBoolean(true) : this.evaluate(guard, inner)
      if (condition.kind !== 'boolean') return toUnknown(`it depends on a condition: ${whyUnknown(condition)}`, place)
      if (condition.isTrue) return this.evaluate(body, inner)
    }
    return toUnknown('no case matches', place)
  }

  private at(place: SourcePosition, { findExtension }: Scope): Context {
    return { place, assume: this.assume, settingValue: this.context.settingValue, findExtension }
  }
}

function toGiven(value: Value): Given {
  return { name: undefined, value }
}

function isInitializer(to: Expression): boolean {
  if (to.kind !== 'select' || to.of.kind !== 'name' || to.of.name !== 'Def') return false
  return ['setting', 'task', 'settingDyn', 'taskDyn', 'inputTask'].includes(to.name)
}

function isAssignment(operator: string): boolean {
  return [':=', '+=', '++=', '-=', '--=', '~=', '<+=', '<++=', '<<='].includes(operator)
}

/** Evaluates `f(xs: _*)`, which passes the items of a list. */
function toSpread(values: readonly Value[]): Value {
  const [only] = values
  if (values.length === 1 && only!.kind === 'list' && only!.isOption === undefined) return only!
  return { kind: 'list', items: values }
}

/** Names a value after its definition, as projects and keys are. */
function nameValue(value: Value, name: string): Value {
  if (value.kind === 'key' && value.key.name === '') return { kind: 'key', key: { ...value.key, name } }
  if (value.kind !== 'project' || value.project.id !== undefined) return value
  return { kind: 'project', project: { ...value.project, id: name, folder: value.project.folder ?? name } }
}
