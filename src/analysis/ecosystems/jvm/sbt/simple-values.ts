import { areEqual, isUnknown, joinTexts, toBoolean, toList, toOption, toText, type Value } from './values.ts'

const MAX_ITEMS = 20_000
/** Longest lists that are compared. */
const MAX_COMPARED = 2_000

type Given = readonly Value[]

/** Evaluates methods of texts, numbers and booleans; undefined for others. */
export function callOnSimple(value: Value, name: string, given: Given): Value | undefined {
  if (value.kind === 'text') return callOnText(value.text, name, given)
  if (value.kind === 'number') return callOnNumber(value.number, name, given)
  if (value.kind !== 'boolean') return undefined
  const [other] = given
  if (name === 'unary_!') return toBoolean(!value.isTrue)
  if (other?.kind !== 'boolean') return undefined
  if (name === '&&' || name === '&') return toBoolean(value.isTrue && other.isTrue)
  return name === '||' || name === '|' ? toBoolean(value.isTrue || other.isTrue) : undefined
}

const onTexts: Readonly<Record<string, (text: string, other: string) => Value | undefined>> = {
  startsWith: (text, other) => toBoolean(text.startsWith(other)),
  endsWith: (text, other) => toBoolean(text.endsWith(other)),
  contains: (text, other) => toBoolean(text.includes(other)),
  stripSuffix: (text, other) => toText(other !== '' && text.endsWith(other) ? text.slice(0, -other.length) : text),
  stripPrefix: (text, other) => toText(text.startsWith(other) ? text.slice(other.length) : text),
  equalsIgnoreCase: (text, other) => toBoolean(text.toLowerCase() === other.toLowerCase()),
  concat: (text, other) => joinTexts([text, other]),
  indexOf: (text, other) => ({ kind: 'number', number: text.indexOf(other) }),
  lastIndexOf: (text, other) => ({ kind: 'number', number: text.lastIndexOf(other) }),
  '<': (text, other) => toBoolean(text < other),
  '>': (text, other) => toBoolean(text > other),
  '<=': (text, other) => toBoolean(text <= other),
  '>=': (text, other) => toBoolean(text >= other),
}

const ofTexts: Readonly<Record<string, (text: string) => Value | undefined>> = {
  trim: (text) => toText(text.trim()),
  toLowerCase: (text) => toText(text.toLowerCase()),
  toUpperCase: (text) => toText(text.toUpperCase()),
  capitalize: (text) => toText(text.charAt(0).toUpperCase() + text.slice(1)),
  toString: (text: string) => toText(text),
  stripMargin: (text) => toText(text.replace(/^[ \t]*\|/gm, '')),
  isEmpty: (text) => toBoolean(text === ''),
  nonEmpty: (text) => toBoolean(text !== ''),
  isBlank: (text) => toBoolean(text.trim() === ''),
  length: (text) => ({ kind: 'number', number: text.length }),
  size: (text) => ({ kind: 'number', number: text.length }),
  toInt: (text) => (/^-?\d{1,9}$/.test(text) ? { kind: 'number', number: Number(text) } : undefined),
  toLong: (text) => (/^-?\d{1,15}$/.test(text) ? { kind: 'number', number: Number(text) } : undefined),
  toDouble: (text: string) =>
    /^-?\d{1,15}(?:\.\d{1,9})?$/.test(text) ? { kind: 'number', number: Number(text) } : undefined,
  toBoolean: (text) => (text === 'true' || text === 'false' ? toBoolean(text === 'true') : undefined),
}

function callOnText(text: string, name: string, given: Given): Value | undefined {
  const [first, second] = given
  if (Object.hasOwn(ofTexts, name) && given.length === 0) return ofTexts[name]!(text)
  if (name === '+') return concat(text, first)
  if (first?.kind === 'text') {
    if (Object.hasOwn(onTexts, name)) return onTexts[name]!(text, first.text)
    if ((name === 'replace' || name === 'replaceAllLiterally') && second?.kind === 'text') {
      return first.text === '' ? toText(text) : joinTexts(text.split(first.text), second.text)
    }
    if (name === 'split') return toList(splitText(text, first.text))
    if (name === '*') return undefined
  }
  if (first?.kind === 'number') {
    const { number } = first
    if (name === 'take') return toText(text.slice(0, Math.max(0, number)))
    if (name === 'drop') return toText(text.slice(Math.max(0, number)))
    if (name === 'takeRight') return toText(number <= 0 ? '' : text.slice(-number))
    if (name === 'dropRight') return toText(number <= 0 ? text : text.slice(0, -number))
    if (name === 'substring') return toText(text.slice(number, second?.kind === 'number' ? second.number : undefined))
    if (name === 'charAt' || name === 'apply') return toText(text.charAt(number))
  }
  if (name === 'takeWhile' || name === 'dropWhile' || name === 'filter' || name === 'exists') {
    const asList = callOnList([...text].map(toText), name, given)
    return asList?.kind === 'list'
      ? toText(asList.items.map((each) => (each.kind === 'text' ? each.text : '')).join(''))
      : asList
  }
  return undefined
}

function concat(text: string, other: Value | undefined): Value | undefined {
  const more = other?.kind === 'text' ? other.text : other?.kind === 'number' ? String(other.number) : undefined
  return more === undefined ? undefined : joinTexts([text, more])
}

/** Splits as Java does, by regular expressions; supports those for a single character. */
function splitText(text: string, by: string): Value[] {
  const plain = /^(?:\\(.)|\[(.)\]|([^\\[\](){}.*+?^$|]+))$/.exec(by)
  const sign = plain?.slice(1).find((each) => each !== undefined) ?? (by === '.' ? '.' : by)
  const parts = text.split(sign)
  while (parts.length > 1 && parts.at(-1) === '') parts.pop()
  return parts.map(toText)
}

function callOnNumber(number: number, name: string, [other]: Given): Value | undefined {
  if (name === 'toString') return toText(String(number))
  if (name === 'toInt' || name === 'toLong' || name === 'toDouble')
    return { kind: 'number', number: Math.trunc(number) }
  if (name === 'unary_-') return { kind: 'number', number: -number }
  if (name === '+' && other?.kind === 'text') return concat(String(number), other)
  if (other?.kind !== 'number') return undefined
  const right = other.number
  const results: Readonly<Record<string, number | boolean>> = {
    '+': number + right,
    '-': number - right,
    '*': number * right,
    '/': right === 0 ? Number.NaN : Math.trunc(number / right),
    '%': right === 0 ? Number.NaN : number % right,
    '<': number < right,
    '>': number > right,
    '<=': number <= right,
    '>=': number >= right,
  }
  const result = Object.hasOwn(results, name) ? results[name] : undefined
  if (typeof result === 'boolean') return toBoolean(result)
  return result === undefined || Number.isNaN(result) ? undefined : { kind: 'number', number: result }
}

/** Evaluates methods of sequences, sets, maps (sequences of pairs) and options; undefined for others. */
export function callOnList(items: Given, name: string, given: Given, isOption?: true): Value | undefined {
  const [first] = given
  const like = (found: Given): Value | undefined =>
    found.length > MAX_ITEMS ? undefined : isOption ? { kind: 'list', items: found, isOption } : toList(found)
  if (Object.hasOwn(ofLists, name) && given.length === 0) return ofLists[name]!(items)
  if (first === undefined) return undefined
  switch (name) {
    case '++':
    case ':::':
    case 'union':
    case '|':
    case 'concat': {
      // A partly known list keeps its items, so that the unknown ones are reported.
      const more = first.kind === 'list' ? first.items : [first]
      return like([...items, ...more])
    }
    case ':+':
    case '+':
      return like([...items, first])
    case '++:':
      return first.kind === 'list' ? like([...first.items, ...items]) : undefined
    case '+:':
    case '::':
      return like([first, ...items])
    case 'contains': {
      const found = items.map((each) =>
        areEqual(each.kind === 'tuple' && first.kind !== 'tuple' ? each.items[0]! : each, first),
      )
      return found.includes(true) ? toBoolean(true) : found.includes(undefined) ? undefined : toBoolean(false)
    }
    case '--':
    case 'diff':
      return first.kind === 'list' && items.length + first.items.length <= MAX_COMPARED
        ? like(items.filter((each) => !first.items.some((other) => areEqual(each, other))))
        : undefined
    case '-':
      return like(items.filter((each) => areEqual(each, first) !== true))
    case 'getOrElse':
      if (given.length === 2) return lookUp(items, first) ?? given[1]
      return items[0] ?? first
    case 'orElse':
      return items.length > 0 ? like(items) : first
    case 'get':
      return toOption(lookUp(items, first))
    case 'apply':
      return first.kind === 'number' ? items[first.number] : lookUp(items, first)
    case 'mkString': {
      const texts = items.flatMap((each) => (each.kind === 'text' ? each.text : []))
      return first.kind === 'text' && texts.length === items.length ? joinTexts(texts, first.text) : undefined
    }
    case 'take':
      return first.kind === 'number' ? like(items.slice(0, first.number)) : undefined
    case 'drop':
      return first.kind === 'number' ? like(items.slice(first.number)) : undefined
    case 'zip':
      return first.kind === 'list'
        ? like(
            items
              .slice(0, first.items.length)
              .map((each, index) => ({ kind: 'tuple', items: [each, first.items[index]!] })),
          )
        : undefined
    default:
      return callWithFunction(items, name, given, like)
  }
}

const ofLists: Readonly<Record<string, (items: Given) => Value | undefined>> = {
  toSeq: toList,
  toList,
  toVector: toList,
  toArray: toList,
  toSet: toList,
  toMap: toList,
  iterator: toList,
  flatten: joinItems,
  distinct: (items) =>
    items.length > MAX_COMPARED
      ? undefined
      : toList(items.filter((each, index) => !items.slice(0, index).some((other) => areEqual(each, other)))),
  reverse: (items) => toList(items.toReversed()),
  head: (items) => items[0],
  last: (items) => items.at(-1),
  get: (items) => items[0],
  headOption: (items) => toOption(items[0]),
  lastOption: (items) => toOption(items.at(-1)),
  tail: (items) => toList(items.slice(1)),
  init: (items) => toList(items.slice(0, -1)),
  isEmpty: (items) => toBoolean(items.length === 0),
  nonEmpty: (items) => toBoolean(items.length > 0),
  isDefined: (items) => toBoolean(items.length > 0),
  size: (items) => ({ kind: 'number', number: items.length }),
  length: (items) => ({ kind: 'number', number: items.length }),
  keys: (items) => toList(items.flatMap((each) => (each.kind === 'tuple' ? each.items[0]! : []))),
  values: (items) => toList(items.flatMap((each) => (each.kind === 'tuple' ? each.items[1]! : []))),
  mkString: (items) => callOnList(items, 'mkString', [toText('')]),
  zipWithIndex: (items) =>
    toList(items.map((each, number) => ({ kind: 'tuple', items: [each, { kind: 'number', number }] }))),
}

function joinItems(lists: Given): Value | undefined {
  const size = lists.reduce((sum, each) => sum + (each.kind === 'list' ? each.items.length : 1), 0)
  if (size > MAX_ITEMS) return undefined
  return toList(lists.flatMap((each) => (each.kind === 'list' ? each.items : [each])))
}

function lookUp(items: Given, key: Value): Value | undefined {
  const pair = items.findLast((each) => each.kind === 'tuple' && areEqual(each.items[0]!, key) === true)
  return pair?.kind === 'tuple' ? pair.items[1] : undefined
}

function callWithFunction(
  items: Given,
  name: string,
  given: Given,
  like: (found: Given) => Value | undefined,
): Value | undefined {
  const chosen = given.find((each) => each.kind === 'function')
  if (chosen?.kind !== 'function') return undefined
  const results = () => items.map((each) => chosen.call([each]))
  switch (name) {
    case 'map':
      return like(results())
    case 'flatMap':
      return joinItems(results())
    case 'collect':
      return like(results().filter((each) => !(each.kind === 'unknown' && each.reason === NO_CASE)))
    case 'filter':
    case 'withFilter':
    case 'filterNot': {
      const unwanted = name === 'filterNot'
      // Undecidable items are kept: tests more, never less.
      const judged = results()
      return like(items.filter((_, index) => !isFalse(judged[index]!, { unwanted })))
    }
    case 'exists':
    case 'forall': {
      const judged = results()
      const decisive = judged.some((each) => each.kind === 'boolean' && each.isTrue === (name === 'exists'))
      if (decisive) return toBoolean(name === 'exists')
      return judged.some(isUnknown) ? undefined : toBoolean(name === 'forall')
    }
    case 'find':
      return toOption(items[results().findIndex(isTrue)])
    case 'takeWhile': {
      const end = results().findIndex((each) => !isTrue(each))
      return like(end === -1 ? items : items.slice(0, end))
    }
    case 'dropWhile': {
      const end = results().findIndex((each) => !isTrue(each))
      return like(end === -1 ? [] : items.slice(end))
    }
    case 'foreach':
      return { kind: 'tuple', items: [] }
    case 'foldLeft':
      return given[0] && given.length === 2
        ? items.reduce((sum, each) => chosen.call([sum, each]), given[0])
        : undefined
    case 'foldRight':
      return given[0] && given.length === 2
        ? items.reduceRight((sum, each) => chosen.call([each, sum]), given[0])
        : undefined
    case 'fold':
      return items[0] === undefined ? given[0] : chosen.call([items[0]])
    case 'reduce':
    case 'reduceLeft':
      return items.length === 0 ? undefined : items.reduce((sum, each) => chosen.call([sum, each]))
    default:
      return undefined
  }
}

/** The reason for which a partial function has no value. */
export const NO_CASE = 'no case fits'

function isTrue(value: Value): boolean {
  return value.kind === 'boolean' && value.isTrue
}

function isFalse(value: Value, { unwanted }: { readonly unwanted: boolean }): boolean {
  return value.kind === 'boolean' && value.isTrue === unwanted
}
