import { type Assignment, type Call, closureOf, type Expression, type Statement } from './expressions.ts'
import { evaluate, joinLists, joinMaps, mayCopy, type Value, type Variables } from './values.ts'

/** The certainty that a statement runs. */
type Certainty = 'certain' | 'perhaps'

/**
 * Evaluates assignments anywhere in the script. A variable set differently in branches is unknown; a branch for a
 * property that may come from the command line is not taken.
 */
export function readVariables(
  statements: readonly Statement[],
  variables: Variables,
  certainty: Certainty = 'certain',
) {
  for (const statement of statements) {
    const { value } = statement
    if (statement.kind === 'assign') assign(statement, variables, certainty)
    else if (value.kind === 'binary' && value.sign === '<<') append(value, variables, certainty)
    else if (value.kind === 'call') readCallVariables(value, variables, certainty)
  }
}

function assign({ names, sign, value }: Assignment, variables: Variables, certainty: Certainty) {
  // `val x by project` names a property that is set elsewhere.
  if (sign === 'by' && value.kind === 'path') return
  const given = evaluate(value, variables)
  if (sign !== '+=') {
    const holder = variables.get(names.slice(0, -1))
    if (isContainer(holder))
      put(holder, { key: names.at(-1)!, value: certainty === 'certain' ? given : undefined }, variables)
    return certainty === 'certain' ? variables.set(names, given) : variables.setPerhaps(names, given)
  }
  const before = variables.get(names)
  // Its previous content is unknown or undefined.
  if (before === undefined)
    variables.set(names, Array.isArray(given) ? joinLists(given, [undefined], variables) : undefined)
  else if (Array.isArray(before))
    variables.set(names, joinLists(before, given === undefined ? [undefined] : given, variables))
  else if (given === undefined) variables.set(names, undefined)
  else if (before instanceof Map && given instanceof Map) variables.set(names, joinMaps(before, given, variables))
}

const BRANCH = /^(?:if|else|when|switch|try|catch|for|while)$/

function readCallVariables(call: Call, variables: Variables, certainty: Certainty) {
  const { names, positional, chained } = call
  const closure = blockOf(call)
  const [name, value] = positional
  change(call, variables, certainty)
  if (names.at(-1) === 'set' && name !== undefined && value !== undefined) {
    const key = evaluate(name, variables)
    if (typeof key === 'string') variables.set([key], evaluate(value, variables))
  }
  const isBranch = BRANCH.test(names.at(-1)!) || names[0] === '(value)'
  const asksForProperty = names.at(-1) === 'if' && positional.some(isAboutProperty)
  // Without the property only the other branch runs.
  if (closure !== undefined && !asksForProperty) readVariables(closure, variables, isBranch ? 'perhaps' : certainty)
  for (const each of chained) {
    if (asksForProperty && each.names.at(-1) === 'else') readVariables(each.closure ?? [], variables, certainty)
    else readCallVariables(each, variables, certainty)
  }
}

/** Returns the block after the call, or the single argument of a call on a value. */
function blockOf(call: Call): readonly Statement[] | undefined {
  return call.closure ?? (ITERATING.test(call.names.at(-1)!) ? closureOf(call) : undefined)
}

function isAboutProperty(condition: Expression): boolean {
  return condition.kind === 'call' && condition.names.at(-1) === 'hasProperty'
}

/** Methods that read or copy a list or map without changing it. */
const LOOKING = new RegExp(
  `^(?:${[
    'each|eachWithIndex|forEach|every|any|all|none|find|findAll|first|last|head|tail|grep|filter\\w*|sort(?:ed)?\\w*|unique',
    'collect\\w*|map\\w*|flatMap|flatten|associate\\w*|inject|fold|reduce|group\\w*|join\\w*|plus|minus|size|count|isEmpty',
    'contains\\w*|indexOf|get|getAt|getOrDefault|getValue|getOrElse|keySet|values|entrySet|keys|entries|toString|toList|toSet',
    'toMutableList|toMutableMap|toTypedArray|stream|iterator|reverse\\w*|take\\w*|drop\\w*|remove\\w*|minusAssign|clear|let|println',
  ].join('|')})$`,
)
const ADDING = /^(?:add|addAll|addFirst|addLast|push|append|plusAssign|leftShift|putAll|put|putIfAbsent|set)$/
const ITERATING = /^(?:each|eachWithIndex|forEach|times|collect|with|also|apply|run|let|tap)$/

/** Applies `list.add('g:a:1')`, `map.put('a', 'g:a:1')`; other changes make a list or map unknown. */
function change({ names, positional, named, line }: Call, variables: Variables, certainty: Certainty) {
  const method = names.at(-1)!
  const [first, ...others] = positional
  if (names.join('.') === 'Collections.addAll' && first?.kind === 'path') {
    return addAll(variables.get(first.names), others, variables)
  }
  const whole = variables.get(names)
  if (isContainer(whole)) return spoil(whole)
  const target = names.length > 1 ? variables.get(names.slice(0, -1)) : undefined
  if (!isContainer(target) || LOOKING.test(method)) return
  if (!ADDING.test(method)) return spoil(target)
  if (Array.isArray(target)) return addAll(target, positional, variables)
  const [key, value] = positional.map((each) => evaluate(each, variables))
  if (/^(?:put|set)/.test(method) && typeof key === 'string' && positional.length === 2) {
    const isKnown = certainty === 'certain' || !(target as Map<string, Value>).has(key)
    return put(target, { key, value: isKnown ? value : undefined }, variables)
  }
  const more = named.length > 0 ? evaluate({ kind: 'map', entries: named, line }, variables) : key
  join(target, more, variables)
}

/** Applies `list << 'g:a:1'`, `map << [a: 'g:a:1']`. */
function append({ left, right }: Extract<Expression, { kind: 'binary' }>, variables: Variables, certainty: Certainty) {
  if (right.kind === 'binary' && right.sign === '<<') {
    append({ ...right, left }, variables, certainty)
    return append({ ...right, left, right: right.left }, variables, certainty)
  }
  const target = left.kind === 'path' ? variables.get(left.names) : undefined
  if (Array.isArray(target)) push(target as Value[], evaluate(right, variables), variables)
  else join(target, evaluate(right, variables), variables)
}

function addAll(target: Value, items: readonly Expression[], variables: Variables) {
  if (!Array.isArray(target)) return
  for (const item of items) {
    const value = evaluate(item, variables)
    const added = !Array.isArray(value) ? [value] : mayCopy(variables, value.length) ? [...value] : [undefined]
    for (const each of added) push(target as Value[], each, variables)
  }
}

function join(target: Value, more: Value, variables: Variables) {
  if (!(target instanceof Map)) return
  if (!(more instanceof Map) || !mayCopy(variables, more.size)) return spoil(target)
  for (const [key, value] of more) put(target, { key, value }, variables)
}

function put(target: Value, { key, value }: { key: string; value: Value }, variables: Variables) {
  if (target instanceof Map) target.set(key, copyOf(value, variables))
  else if (Array.isArray(target)) push(target as Value[], value, variables)
}

const MAX_ITEMS = 5_000
const MAX_DEPTH = 20

/** Adds a value; at the limit, adds a marker for missing values instead. */
function push(target: Value[], value: Value, variables: Variables) {
  if (target.length < MAX_ITEMS) target.push(copyOf(value, variables))
  else if (target.length === MAX_ITEMS) target.push(undefined)
}

/** Copies a value. A list that contains itself would not end; a value too large to copy becomes unknown. */
function copyOf(value: Value, variables: Variables): Value {
  let items = 0
  const copy = (each: Value, depth: number): Value => {
    if (++items > MAX_ITEMS || depth > MAX_DEPTH || !mayCopy(variables, 1)) return undefined
    if (Array.isArray(each)) return each.map((item: Value) => copy(item, depth + 1))
    return each instanceof Map ? new Map([...each].map(([key, item]) => [key, copy(item, depth + 1)])) : each
  }
  return copy(value, 0)
}

function isContainer(value: Value): boolean {
  return Array.isArray(value) || value instanceof Map
}

/** Marks the content as unknown. */
function spoil(value: Value) {
  if (Array.isArray(value)) (value as Value[]).push(undefined)
  else if (value instanceof Map) {
    value.clear()
    value.set('?', undefined)
  }
}
