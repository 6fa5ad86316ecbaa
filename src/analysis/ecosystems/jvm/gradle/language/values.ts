import type { Call, Entry, Expression } from './expressions.ts'
import { parseExpression } from './syntax.ts'
import type { TextPart } from './texts.ts'
import { tokenize } from './tokens.ts'

/** A statically known value; undefined if it depends on running the script. */
export type Value = string | readonly Value[] | ReadonlyMap<string, Value> | undefined

/** Variables and their values. */
export interface Variables {
  get(path: readonly string[]): Value
  set(path: readonly string[], value: Value): void
  /** Sets a value conditionally: the variable is known afterward only if the previous value is equal. */
  setPerhaps(path: readonly string[], value: Value): void
  /** Items of lists and maps that may still be copied, in all scopes of the script. */
  readonly copies: { left: number }
  /** Values assigned in any scope, and all within them. */
  readonly assigned: Set<Value>
}

/** Qualifiers of variables, which do not affect which one is meant. */
const PLACES = new Set(['project', 'rootProject', 'ext', 'extra', 'properties', 'this', 'gradle', 'parent'])
const MAX_DEPTH = 50
const MAX_CHARACTERS = 10_000
const MAX_ITEMS = 5_000
/** Embedded expressions in a text. */
const MAX_EXPRESSIONS = 100
/** Enough for 400 copies of the longest list. */
const MAX_COPIES = 2_000_000

/** Creates variables in one scope; missing ones are looked up in `outer`. */
export function createVariables(outer?: Variables): Variables {
  const values = new Map<string, Value>()
  const keyOf = (path: readonly string[]) =>
    path.filter((name, index) => index === path.length - 1 || !PLACES.has(name)).join('.')

  return {
    copies: outer?.copies ?? { left: MAX_COPIES },
    assigned: outer?.assigned ?? new Set(),
    get(path) {
      const key = keyOf(path)
      if (values.has(key)) return values.get(key)
      if (path.length > 1) {
        const member = memberOf(values.get(keyOf(path.slice(0, -1))), path.at(-1)!)
        if (member !== undefined) return member
      }
      return outer?.get(path)
    },
    set(path, value) {
      values.set(keyOf(path), value)
    },
    setPerhaps(path, value) {
      const key = keyOf(path)
      const isSame = !values.has(key) || values.get(key) === value
      values.set(key, isSame ? value : undefined)
    },
  }
}

function memberOf(value: Value, name: string): Value {
  if (value instanceof Map) return value.get(name)
  return Array.isArray(value) && /^\d{1,6}$/.test(name) ? value[Number(name)] : undefined
}

/** Evaluates texts, variables, `+`, `?:`, lists, maps and property accessors. */
export function evaluate(expression: Expression, variables: Variables, depth = 0): Value {
  if (depth > MAX_DEPTH) return undefined
  const inner = (expression: Expression) => evaluate(expression, variables, depth + 1)
  switch (expression.kind) {
    case 'text':
      return evaluateText(expression.parts, variables, depth)
    case 'number':
      return expression.text
    case 'path':
      return variables.get(expression.names)
    case 'list':
      return expression.items.map(inner)
    case 'map':
      return toMap(expression.entries, inner)
    case 'binary':
      return combine(expression, inner, variables)
    case 'choice': {
      const [first, second] = expression.options.map(inner)
      return first === second ? first : undefined
    }
    case 'call':
      return evaluateCall(expression, inner, variables)
    default:
      return undefined
  }
}

export function evaluateText(parts: readonly TextPart[], variables: Variables, depth = 0): string | undefined {
  let text = ''
  if (parts.length > 2 * MAX_EXPRESSIONS + 1) return undefined
  for (const part of parts) {
    const value = 'text' in part ? part.text : evaluate(parseSource(part), variables, depth + 1)
    if (typeof value !== 'string') return undefined
    text += value
    if (text.length > MAX_CHARACTERS) return undefined
  }
  return text
}

/** Returns the text as written, with its first expressions. */
export function showText(parts: readonly TextPart[]): string {
  const shown = parts.slice(0, 2 * MAX_EXPRESSIONS + 1)
  return shown.map((part) => ('text' in part ? part.text : `\${${part.source}}`)).join('')
}

/** Loops evaluate the same parts in each round. */
const parsed = new WeakMap<TextPart, Expression>()

function parseSource(part: TextPart & { readonly source: string }): Expression {
  const cached = parsed.get(part)
  if (cached !== undefined) return cached
  const expression = parseExpression(tokenize({ file: 'target', text: part.source }))
  parsed.set(part, expression)
  return expression
}

function toMap(entries: readonly Entry[], inner: (expression: Expression) => Value): ReadonlyMap<string, Value> {
  return new Map(entries.map(({ name, value }) => [name, inner(value)]))
}

function combine(
  { sign, left, right }: Extract<Expression, { kind: 'binary' }>,
  inner: (expression: Expression) => Value,
  variables: Variables,
): Value {
  if (sign === '?:') return inner(left) ?? inner(right)
  return sign === '+' ? sum(inner(left), inner(right), variables) : undefined
}

/** Adds texts, lists and maps. Unknown parts of a list, and those beyond the limits, become an unknown item. */
export function sum(left: Value, right: Value, { copies }: Variables): Value {
  if (typeof left === 'string' && typeof right === 'string') {
    return left.length + right.length > MAX_CHARACTERS ? undefined : left + right
  }
  const mayAdd = (items: number) => {
    copies.left -= items
    return items <= MAX_ITEMS && copies.left >= 0
  }
  if (left instanceof Map && right instanceof Map) {
    return mayAdd(left.size + right.size) ? new Map([...left, ...right]) : undefined
  }
  if (!Array.isArray(left) && !(left === undefined && Array.isArray(right))) return undefined
  const [before, added]: (readonly Value[])[] = [left, right].map((operand) =>
    Array.isArray(operand) ? operand : [operand],
  )
  if (mayAdd(before!.length + added!.length)) return [...before!, ...added!]
  return before!.at(-1) === undefined ? before : [...before!, undefined]
}

/**
 * Evaluates `property('x')`, `findProperty("x")`, `extra("x")` as an initializer, `"x".toString()`, `listOf(…)`,
 * `mapOf(…)`.
 */
function evaluateCall(
  { names, positional, chained }: Call,
  inner: (expression: Expression) => Value,
  variables: Variables,
): Value {
  const called = names.at(-1)
  const [first] = positional
  const isPlain = chained.every((call) => /^(?:toString|get|trim|toVersion)$/.test(call.names.at(-1) ?? ''))
  if (!isPlain) return undefined
  if (first !== undefined && /^(?:property|findProperty|getProperty|gradleProperty|get)$/.test(called ?? '')) {
    const name = inner(first)
    return typeof name === 'string' ? (variables.get(name.split('.')) ?? variables.get([name])) : undefined
  }
  if (first !== undefined && (called === 'toString' || called === 'trim') && names[0] === '(value)') return inner(first)
  if (called === 'extra' && first !== undefined) return inner(first)
  if ((called === 'toString' || called === 'get') && positional.length === 0) return variables.get(names.slice(0, -1))
  if (called === 'listOf' || called === 'setOf' || called === 'arrayOf') return positional.map(inner)
  if (called === 'mapOf' || called === 'hashMapOf') return pairsOf(positional, inner)
  return undefined
}

/** Evaluates Kotlin's `mapOf("a" to "b")`. */
function pairsOf(items: readonly Expression[], inner: (expression: Expression) => Value): ReadonlyMap<string, Value> {
  const pairs = items.flatMap((expression): [string, Value][] => {
    const key = expression.kind === 'binary' && expression.sign === 'to' ? inner(expression.left) : undefined
    return typeof key === 'string' && expression.kind === 'binary' ? [[key, inner(expression.right)]] : []
  })
  return new Map(pairs)
}
