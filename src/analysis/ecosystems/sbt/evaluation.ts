import { findBuiltin } from './builtins.ts'
import { callMethod, callValue } from './calls.ts'
import { matchPattern } from './matching.ts'
import type { Given, Means } from './means.ts'
import type { Argument, Case, Expression, Statement } from './scala-syntax.ts'
import { createNames, createScope, type Scope } from './scope.ts'
import { NO_CASE } from './simple-values.ts'
import { nothing, type Place, type Setting, toBoolean, toText, toUnknown, type Value, whyUnknown } from './values.ts'

const MAX_STEPS = 1_000_000
const MAX_CALLS = 100

/** Evaluates expressions of build definitions: only what is written down, nothing is run and nothing is asked for. */
export interface Evaluation {
  evaluate(expression: Expression, scope: Scope): Value
  /** The scope of a file's statements, or of an object's. */
  open(statements: readonly Statement[], parent: Scope | undefined, file: Scope['file']): Scope
  /** Whether there was more to evaluate than is done. */
  readonly isExhausted: boolean
  /** What was taken for granted, as sentences. */
  readonly assumptions: ReadonlySet<string>
}

/** What evaluation asks of the build around it. */
export interface Surroundings {
  /** The value that a setting has in the project that is evaluated. */
  settingValue(key: Setting['key'], place: Place): Value
}

export function createEvaluation(surroundings: Surroundings): Evaluation {
  let steps = 0
  let calls = 0
  const assumptions = new Set<string>()

  function open(statements: readonly Statement[], parent: Scope | undefined, file: Scope['file']): Scope {
    return createScope({ file, parent, statements, evaluate: define, extend })
  }

  function extend(statement: Extract<Statement, { kind: 'class' }>, value: Value, scope: Scope): Scope {
    return open(statement.statements, createNames(scope, new Map([[statement.of!, value]])), scope.file)
  }

  function define(statement: Statement, name: string, scope: Scope): Value {
    const place = { file: scope.file, line: statement.line }
    if (statement.kind === 'object') {
      const inner = open(statement.statements, scope, scope.file)
      return { kind: 'object', names: inner.names, find: inner.findOwn, extension: inner.findOwnExtension }
    }
    if (statement.kind === 'def') return toFunction(statement, scope)
    if (statement.kind !== 'val') return toUnknown(`${name} is not read`, place)
    const value = evaluate(statement.value, scope)
    const names = matchPattern(statement.pattern, value, (expression) => evaluate(expression, scope))
    const found = names === 'unknown' || names === undefined ? toUnknown(whyUnknown(value), place) : names.get(name)!
    return named(found, name)
  }

  /** A method without parameters is its value; more lists of parameters are functions that give functions. */
  function toFunction({ name, takes, body, line }: Extract<Statement, { kind: 'def' }>, scope: Scope): Value {
    const place = { file: scope.file, line }
    const take = (at: number, names: ReadonlyMap<string, Value>): Value => {
      const parameters = takes[at]
      if (parameters === undefined) return guarded(name, place, () => evaluate(body, createNames(scope, names)))
      return {
        kind: 'function',
        call(given, named) {
          const inner = new Map(names)
          const around = createNames(scope, inner)
          for (const [index, parameter] of parameters.entries()) {
            const rest = parameter.isRepeated ? toSpread(given.slice(index)) : given[index]
            const value =
              named?.get(parameter.name) ?? rest ?? (parameter.fallback && evaluate(parameter.fallback, around))
            inner.set(parameter.name, value ?? toUnknown(`${name} is given too little`, place))
          }
          return take(at + 1, inner)
        },
      }
    }
    return take(0, new Map())
  }

  function guarded(name: string, place: Place, call: () => Value): Value {
    if (calls >= MAX_CALLS) return toUnknown(`${name} calls itself too often`, place)
    calls++
    try {
      return call()
    } finally {
      calls--
    }
  }

  function evaluate(expression: Expression, scope: Scope): Value {
    const place = { file: scope.file, line: expression.line }
    if (++steps > MAX_STEPS) return toUnknown('the build takes too long to evaluate', place)
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
        return interpolate(expression, scope, place)
      case 'select':
        return select(expression, scope, place)
      case 'apply':
        return apply(expression, scope, place)
      case 'infix':
        return infix(expression, scope, place)
      case 'prefix':
        return callMethod(evaluate(expression.of, scope), `unary_${expression.operator}`, [], place, meansIn(scope))
      case 'tuple':
        if (expression.items.length === 0) return nothing
        return { kind: 'tuple', items: expression.items.map(({ value }) => evaluate(value, scope)) }
      case 'block':
        return evaluateBlock(expression.statements, scope)
      case 'lambda':
        return {
          kind: 'function',
          call: (given) => guarded('a function', place, () => callLambda(expression, given, scope)),
        }
      case 'cases':
        return {
          kind: 'function',
          call: (given) => guarded('a function', place, () => choose(expression.cases, toSubject(given), scope, place)),
        }
      case 'match':
        return choose(expression.cases, evaluate(expression.of, scope), scope, place)
      case 'if': {
        const condition = evaluate(expression.condition, scope)
        if (condition.kind !== 'boolean') return toUnknown(`it depends on a condition: ${whyUnknown(condition)}`, place)
        if (condition.isTrue) return evaluate(expression.then, scope)
        return expression.otherwise === undefined ? nothing : evaluate(expression.otherwise, scope)
      }
      case 'placeholder':
        return toUnknown('_ stands for nothing here', place)
      case 'unread':
        return toUnknown(expression.reason, place)
    }
  }

  function interpolate(
    { interpolator, parts }: Extract<Expression, { kind: 'interpolated' }>,
    scope: Scope,
    place: Place,
  ): Value {
    if (!['s', 'raw', 'f'].includes(interpolator)) return toUnknown(`${interpolator}"…" is not read`, place)
    const texts: string[] = []
    for (const part of parts) {
      const value = typeof part === 'string' ? toText(part) : evaluate(part, scope)
      if (value.kind === 'text') texts.push(value.text)
      else if (value.kind === 'number') texts.push(String(value.number))
      else return toUnknown(whyUnknown(value), place)
    }
    return toText(texts.join(''))
  }

  function apply({ to, given }: Extract<Expression, { kind: 'apply' }>, scope: Scope, place: Place): Value {
    if (isInitializer(to)) {
      const read = () => given.map(({ value }) => evaluate(value, scope))[0] ?? nothing
      return { kind: 'initialize', run: () => toValue(read(), place) }
    }
    const means = meansIn(scope)
    if (to.kind !== 'select' || to.name === 'value')
      return callValue(evaluate(to, scope), giveAll(given, scope), place, means)
    const of = evaluate(to.of, scope)
    return callMethod(of, to.name, giveAll(given, scope), place, means)
  }

  /** `Def.settingDyn { … }` gives what has a value itself. */
  function toValue(value: Value, place: Place): Value {
    if (value.kind === 'initialize') return value.run()
    return value.kind === 'key' ? surroundings.settingValue(value.key, place) : value
  }

  function select({ of, name }: Extract<Expression, { kind: 'select' }>, scope: Scope, place: Place): Value {
    const value = evaluate(of, scope)
    if (name === 'value' && (value.kind === 'key' || value.kind === 'initialize')) return toValue(value, place)
    return callMethod(value, name, [], place, meansIn(scope))
  }

  function infix({ left, operator, right }: Extract<Expression, { kind: 'infix' }>, scope: Scope, place: Place): Value {
    // What is not needed to decide is not evaluated.
    if (operator === '&&' || operator === '||') {
      const first = evaluate(left, scope)
      if (first.kind === 'boolean' && first.isTrue === (operator === '||')) return first
      return callMethod(first, operator, [toGiven(evaluate(right, scope))], place, meansIn(scope))
    }
    if (isAssignment(operator)) return assign(evaluate(left, scope), operator, { right, scope, place })
    const given =
      right.kind === 'tuple' ? right.items.map(({ value }) => evaluate(value, scope)) : [evaluate(right, scope)]
    const [argument] = given
    if (operator === '->') return { kind: 'tuple', items: [evaluate(left, scope), argument ?? nothing] }
    // Operators that end in a colon belong to their right side.
    const isOfRight = operator.endsWith(':')
    const of = isOfRight ? (argument ?? nothing) : evaluate(left, scope)
    return callMethod(of, operator, (isOfRight ? [evaluate(left, scope)] : given).map(toGiven), place, meansIn(scope))
  }

  /** A setting's value is found within a project, when somebody asks for it. */
  function assign(
    left: Value,
    operator: string,
    { right, scope, place }: { readonly right: Expression; readonly scope: Scope; readonly place: Place },
  ): Value {
    // What other plugins' keys are set to is nothing to us.
    const path = left.kind === 'external' ? left.name : left.kind === 'function' ? left.pending : undefined
    const name = path === undefined ? undefined : /[^.]*$/.exec(path)![0]
    const key = left.kind === 'key' ? left.key : name === undefined ? undefined : { name, project: undefined, axes: [] }
    if (key === undefined) return toUnknown(`what is set with ${operator} is not known: ${whyUnknown(left)}`, place)
    const isInitialize = operator.startsWith('<')
    return {
      kind: 'setting',
      setting: {
        key,
        operator: operator.replace(/^<<=/, ':=').replace(/^</, ''),
        read() {
          const value = evaluate(right, scope)
          if (!isInitialize) return value
          if (value.kind === 'key') return surroundings.settingValue(value.key, place)
          return value.kind === 'initialize' ? value.run() : toUnknown(whyUnknown(value), place)
        },
        place,
      },
    }
  }

  function evaluateBlock(statements: readonly Statement[], scope: Scope): Value {
    const last = statements.at(-1)
    if (last === undefined) return nothing
    const inner = statements.length === 1 ? scope : open(statements, scope, scope.file)
    return last.kind === 'expression' ? evaluate(last.value, inner) : nothing
  }

  function callLambda(
    { takes, body }: Extract<Expression, { kind: 'lambda' }>,
    given: readonly Value[],
    scope: Scope,
  ): Value {
    const [first] = given
    const values = takes.length > 1 && given.length === 1 && first?.kind === 'tuple' ? first.items : given
    const names = new Map<string, Value>()
    for (const [index, pattern] of takes.entries()) {
      const value = values[index]
      const bound = value && matchPattern(pattern, value, (expression) => evaluate(expression, scope))
      if (bound === undefined || bound === 'unknown')
        return toUnknown('a function is given something else', placeOf(body, scope))
      for (const [name, each] of bound) names.set(name, each)
    }
    return evaluate(body, createNames(scope, names))
  }

  function choose(cases: readonly Case[], subject: Value, scope: Scope, place: Place): Value {
    for (const { pattern, guard, body } of cases) {
      const names = matchPattern(pattern, subject, (expression) => evaluate(expression, scope))
      if (names === undefined) continue
      if (names === 'unknown') return toUnknown(`it depends on a choice: ${whyUnknown(subject)}`, place)
      const inner = createNames(scope, names)
      const held = guard === undefined ? toBoolean(true) : evaluate(guard, inner)
      if (held.kind !== 'boolean') return toUnknown(`it depends on a condition: ${whyUnknown(held)}`, place)
      if (held.isTrue) return evaluate(body, inner)
    }
    return toUnknown(NO_CASE, place)
  }

  function giveAll(given: readonly Argument[], scope: Scope): Given[] {
    return given.map(({ name, value }) => ({ name, value: evaluate(value, scope) }))
  }

  const assume = (sentence: string) => void assumptions.add(sentence)
  const { settingValue } = surroundings
  const meansIn = ({ findExtension }: Scope): Means => ({ assume, settingValue, findExtension })

  return {
    evaluate,
    open,
    get isExhausted() {
      return steps > MAX_STEPS
    },
    assumptions,
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

function placeOf({ line }: Expression, { file }: Scope): Place {
  return { file, line }
}

function toSubject(given: readonly Value[]): Value {
  return given.length === 1 ? given[0]! : { kind: 'tuple', items: given }
}

/** `f(xs: _*)` gives the items of a list. */
function toSpread(given: readonly Value[]): Value {
  const [only] = given
  if (given.length === 1 && only!.kind === 'list' && only!.isOption === undefined) return only!
  return { kind: 'list', items: given }
}

/** What gets its name from the definition: projects and keys. */
function named(value: Value, name: string): Value {
  if (value.kind === 'key' && value.key.name === '') return { kind: 'key', key: { ...value.key, name } }
  if (value.kind !== 'project' || value.project.id !== undefined) return value
  return { kind: 'project', project: { ...value.project, id: name, folder: value.project.folder ?? name } }
}
