import { areEqual, isUnknown, joinTexts, toBoolean, toList, toOption, toText, type Value } from './values.ts'

const MAX_ITEMS = 20_000
/** Longest lists that are compared. */
const MAX_COMPARED = 2_000

type Given = readonly Value[]
type List = Extract<Value, { kind: 'list' }>
type Methods<T> = Readonly<Record<string, (value: T, ...args: Given) => Value | undefined>>

/** Evaluates methods of texts, numbers, booleans and lists; undefined for others. */
export function callOnSimple(value: Value, name: string, args: Given): Value | undefined {
  if (value.kind === 'text') return call(onTexts, value.text, name, args)
  if (value.kind === 'number') return call(onNumbers, value.number, name, args)
  if (value.kind === 'boolean') return call(onBooleans, value.isTrue, name, args)
  return value.kind === 'list' ? call(onLists, value, name, args) : undefined
}

function call<T>(methods: Methods<T>, value: T, name: string, args: Given): Value | undefined {
  return Object.hasOwn(methods, name) ? methods[name]!(value, ...args) : undefined
}

const onBooleans: Methods<boolean> = {
  'unary_!': (isTrue) => toBoolean(!isTrue),
  '&&': (isTrue, other) => (other?.kind === 'boolean' ? toBoolean(isTrue && other.isTrue) : undefined),
  '||': (isTrue, other) => (other?.kind === 'boolean' ? toBoolean(isTrue || other.isTrue) : undefined),
}

function compare<T extends string | number>(test: (value: T, other: T) => boolean) {
  return (value: T, other?: Value): Value | undefined => {
    const right = other?.kind === 'text' ? other.text : other?.kind === 'number' ? other.number : undefined
    return typeof right === typeof value ? toBoolean(test(value, right as T)) : undefined
  }
}

const comparisons: Methods<string | number> = {
  '<': compare((value, other) => value < other),
  '>': compare((value, other) => value > other),
  '<=': compare((value, other) => value <= other),
  '>=': compare((value, other) => value >= other),
}

const onNumbers: Methods<number> = { ...comparisons, toString: (number: number) => toText(String(number)) }

const withText =
  (method: (text: string, other: string) => Value | undefined) =>
  (text: string, other?: Value): Value | undefined =>
    other?.kind === 'text' ? method(text, other.text) : undefined

const onTexts: Methods<string> = {
  ...comparisons,
  '+': (text, other) =>
    other?.kind === 'text' || other?.kind === 'number'
      ? joinTexts([text, other.kind === 'text' ? other.text : String(other.number)])
      : undefined,
  startsWith: withText((text, other) => toBoolean(text.startsWith(other))),
  endsWith: withText((text, other) => toBoolean(text.endsWith(other))),
  contains: withText((text, other) => toBoolean(text.includes(other))),
  split: withText((text, by) => toList(splitText(text, by))),
  replace: (text, from, to) =>
    from?.kind === 'text' && to?.kind === 'text' && from.text !== ''
      ? joinTexts(text.split(from.text), to.text)
      : undefined,
  substring: (text, from, to) =>
    from?.kind === 'number'
      ? toText(text.slice(from.number, to?.kind === 'number' ? to.number : undefined))
      : undefined,
  trim: (text) => toText(text.trim()),
  capitalize: (text) => toText(text.charAt(0).toUpperCase() + text.slice(1)),
  stripMargin: (text) => toText(text.replace(/^[ \t]*\|/gm, '')),
  nonEmpty: (text) => toBoolean(text !== ''),
  toInt: (text) => (/^-?\d{1,9}$/.test(text) ? { kind: 'number', number: Number(text) } : undefined),
  toBoolean: (text) => (text === 'true' || text === 'false' ? toBoolean(text === 'true') : undefined),
}

/** Splits as Java does, by regular expressions; supports those for a single character. */
function splitText(text: string, by: string): Value[] {
  const plain = /^(?:\\(.)|\[(.)\]|([^\\[\](){}.*+?^$|]+))$/.exec(by)
  const sign = plain?.slice(1).find((group) => group !== undefined) ?? by
  const parts = text.split(sign)
  while (parts.length > 1 && parts.at(-1) === '') parts.pop()
  return parts.map(toText)
}

/** Returns a list or option with other items. */
function like(list: List, items: Given | undefined): Value | undefined {
  return items === undefined || items.length > MAX_ITEMS ? undefined : { ...list, items }
}

const append = (list: List, item?: Value) => item && like(list, [...list.items, item])
const prepend = (list: List, item?: Value) => item && like(list, [item, ...list.items])
/** A partly known list keeps its items, so that the unknown ones are reported. */
const concat = (list: List, other?: Value) =>
  other && like(list, [...list.items, ...(other.kind === 'list' ? other.items : [other])])

/** Methods of sequences, sets, maps (sequences of pairs) and options. */
const onLists: Methods<List> = {
  '++': concat,
  ':::': concat,
  '++:': (list, other) => (other?.kind === 'list' ? concat(other, list) : undefined),
  ':+': append,
  '+': append,
  '+:': prepend,
  '::': prepend,
  contains(list, item) {
    const matches = list.items.map((element) => (item === undefined ? undefined : areEqual(element, item)))
    return matches.includes(true) ? toBoolean(true) : matches.includes(undefined) ? undefined : toBoolean(false)
  },
  distinct: ({ items }) =>
    items.length > MAX_COMPARED
      ? undefined
      : toList(items.filter((item, index) => !items.slice(0, index).some((other) => areEqual(item, other)))),
  getOrElse: ({ items }, fallback) => items[0] ?? fallback,
  orElse: (list, other) => (list.items.length > 0 ? list : other),
  get: ({ items }) => items[0],
  apply: ({ items }, key) => (key?.kind === 'number' ? items[key.number] : key && lookUp(items, key)),
  head: ({ items }) => items[0],
  last: ({ items }) => items.at(-1),
  tail: ({ items }) => toList(items.slice(1)),
  take: (list, count) => (count?.kind === 'number' ? like(list, list.items.slice(0, count.number)) : undefined),
  isDefined: ({ items }) => toBoolean(items.length > 0),
  values: ({ items }) => toList(items.flatMap((item) => (item.kind === 'tuple' ? item.items[1]! : []))),
  ...Object.fromEntries(
    ['toSeq', 'toList', 'toSet', 'toMap'].map((name) => [name, (list: List) => toList(list.items)]),
  ),
  flatten: ({ items }) => joinItems(items),
  mkString({ items }, separator = toText('')) {
    const texts = items.flatMap((item) => (item.kind === 'text' ? item.text : []))
    return separator.kind === 'text' && texts.length === items.length ? joinTexts(texts, separator.text) : undefined
  },
  map: (list, change) => like(list, results(list, change)),
  flatMap: (list, change) => joinItems(results(list, change)),
  filter: (list, test) => leaveOut(list, test, toBoolean(false)),
  filterNot: (list, test) => leaveOut(list, test, toBoolean(true)),
  exists(list, test) {
    const judged = results(list, test)
    if (judged === undefined || judged.some(isTrue)) return judged && toBoolean(true)
    return judged.some(isUnknown) ? undefined : toBoolean(false)
  },
  find(list, test) {
    const judged = results(list, test)
    return judged && toOption(list.items[judged.findIndex(isTrue)])
  },
  foldLeft: ({ items }, start, join) =>
    join?.kind === 'function' ? items.reduce((sum, item) => join.call([sum, item]), start!) : undefined,
  reduce: ({ items }, join) =>
    join?.kind === 'function' && items.length > 0 ? items.reduce((sum, item) => join.call([sum, item])) : undefined,
  fold: ({ items }, otherwise, change) =>
    change?.kind === 'function' ? (items[0] === undefined ? otherwise : change.call([items[0]])) : undefined,
  foldRight: ({ items }, start, join) =>
    join?.kind === 'function' ? items.reduceRight((sum, item) => join.call([item, sum]), start!) : undefined,
}

function joinItems(lists: Given | undefined): Value | undefined {
  const size = lists?.reduce((sum, list) => sum + (list.kind === 'list' ? list.items.length : 1), 0) ?? 0
  if (lists === undefined || size > MAX_ITEMS) return undefined
  return toList(lists.flatMap((list) => (list.kind === 'list' ? list.items : [list])))
}

function lookUp(items: Given, key: Value): Value | undefined {
  const pair = items.findLast((item) => item.kind === 'tuple' && areEqual(item.items[0]!, key) === true)
  return pair?.kind === 'tuple' ? pair.items[1] : undefined
}

function results({ items }: List, change: Value | undefined): Given | undefined {
  return change?.kind === 'function' ? items.map((item) => change.call([item])) : undefined
}

/** Leaves out the items for which a test has the unwanted result. Undecidable ones are kept: tests more, never less. */
function leaveOut(list: List, test: Value | undefined, unwanted: Value): Value | undefined {
  const judged = results(list, test)
  return (
    judged &&
    like(
      list,
      list.items.filter((_, index) => areEqual(judged[index]!, unwanted) !== true),
    )
  )
}

function isTrue(value: Value): boolean {
  return value.kind === 'boolean' && value.isTrue
}
