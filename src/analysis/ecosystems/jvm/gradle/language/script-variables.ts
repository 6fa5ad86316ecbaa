import { type Assignment, type Call, closureOf, type Expression, type Statement } from './expressions.ts'
import { evaluate, sum, type Value, type Variables } from './values.ts'

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
    else if (value.kind === 'binary' && value.sign === '<<') append(value, variables)
    else if (value.kind === 'call') readCallVariables(value, variables, certainty)
  }
}

function assign({ names, sign, value }: Assignment, variables: Variables, certainty: Certainty) {
  // `val x by project` names a property that is set elsewhere.
  if (sign === 'by' && value.kind === 'path') return
  const assigned = evaluate(value, variables)
  if (sign === '+=') return store(names, sum(variables.get(names), assigned, variables), variables)
  addTexts(assigned, variables.assigned)
  if (certainty === 'perhaps') variables.setPerhaps(names, assigned)
  else store(names, assigned, variables)
}

function addTexts(value: Value, into: Set<Value>) {
  if (into.has(value)) return
  into.add(value)
  if (typeof value === 'object') for (const member of value.values()) addTexts(member, into)
}

/** Sets a variable, or a member of its list or map. */
function store(names: readonly string[], value: Value, variables: Variables) {
  const path = names.slice(0, -1)
  const holder = variables.get(path)
  if (!isContainer(holder)) return variables.set(names, value)
  const member = Array.isArray(holder) ? [value] : new Map([[names.at(-1)!, value]])
  store(path, sum(holder, member, variables), variables)
}

const BRANCH = /^(?:if|else|when|switch|try|catch|for|while)$/

function readCallVariables(call: Call, variables: Variables, certainty: Certainty) {
  const { names, positional, chained } = call
  const closure = blockOf(call)
  const [name, value] = positional
  change(call, variables)
  if (names.at(-1) === 'set' && name !== undefined && value !== undefined) {
    const key = evaluate(name, variables)
    if (typeof key === 'string') variables.set([key], evaluate(value, variables))
  }
  const isBranch = BRANCH.test(names.at(-1)!) || names[0] === '(value)'
  const asksForProperty = names.at(-1) === 'if' && positional.some(isAboutProperty)
  // Without the property only the other branch runs.
  if (closure !== undefined && !asksForProperty) readVariables(closure, variables, isBranch ? 'perhaps' : certainty)
  for (const call of chained) {
    if (asksForProperty && call.names.at(-1) === 'else') readVariables(closureOf(call), variables, certainty)
    else readCallVariables(call, variables, certainty)
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
const ITERATING = /^(?:each|eachWithIndex|forEach|times|collect|with|also|apply|run|let|tap)$/

/** Applies `list.add('g:a:1')` and `list.addAll(…)`; other changes add an unknown item to a list and lose a map. */
function change({ names, positional }: Call, variables: Variables) {
  const method = names.at(-1)!
  const path = names.slice(0, -1)
  const target = variables.get(path)
  if (!isContainer(target) || LOOKING.test(method)) return
  const values = positional.map((expression) => evaluate(expression, variables))
  const added = method === 'add' ? values : method === 'addAll' ? values.flat() : [undefined]
  store(path, Array.isArray(target) ? sum(target, added, variables) : undefined, variables)
}

/** Applies `list << 'g:a:1' << 'g:b:1'`. */
function append({ left, right }: Extract<Expression, { kind: 'binary' }>, variables: Variables) {
  const target = left.kind === 'path' ? variables.get(left.names) : undefined
  if (left.kind !== 'path' || !isContainer(target)) return
  let rest = right
  let added: Value = target
  for (; rest.kind === 'binary' && rest.sign === '<<'; rest = rest.right) {
    added = sum(added, [evaluate(rest.left, variables)], variables)
  }
  store(left.names, sum(added, [evaluate(rest, variables)], variables), variables)
}

function isContainer(value: Value): boolean {
  return Array.isArray(value) || value instanceof Map
}
