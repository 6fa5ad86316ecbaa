import { nameOf, nodeAt, nodesAt, type SyntaxNode } from './syntax.ts'

/** A change of one span of a source file. */
export interface Change {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly replacement: string
}

/** The surroundings that decide which changes of a node make sense. */
export interface Place {
  readonly source: string
  readonly parent: SyntaxNode | undefined
  /** The node is the whole condition of a statement or of a conditional expression. */
  readonly isCondition: boolean
  /** The node is, or stands in, a text that only people read. */
  readonly isProse: boolean
}

const BOUNDARIES: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
}
const ARITHMETIC: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' }
const LOGICAL: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' }
const SWAPPED_METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
  union: 'intersection',
  intersection: 'union',
}
/** Methods whose removal leaves a value of the same type. */
const REMOVED_METHODS = new Set(['filter', 'sort', 'toSorted', 'reverse', 'toReversed', 'slice', 'trim', 'where'])
const SQL_OPERATORS: Readonly<Record<string, string>> = {
  '=': '!=',
  '!=': '=',
  '<>': '=',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  in: 'not in',
  is: 'is not',
  'is not': 'is',
}
const QUERY_METHODS = /^(?:where|andWhere|having|on|eb)$/

/** Returns the changes of an expression that the mutation run tries. */
export function changesOf(node: SyntaxNode, place: Place): Change[] {
  const forced = place.isCondition ? forcedConditions(node, place) : []
  return [...forced, ...ownChanges(node, place)]
}

function forcedConditions(node: SyntaxNode, { parent, source }: Place): Change[] {
  const isLoop = parent !== undefined && /^(?:While|DoWhile|For)Statement$/.test(parent.type)
  const values = isLoop ? ['false'] : ['true', 'false']
  const text = source.slice(node.start, node.end)
  return values.filter((value) => value !== text).map((value) => replace(node, 'condition', value))
}

function ownChanges(node: SyntaxNode, place: Place): Change[] {
  switch (node.type) {
    case 'BinaryExpression':
      return binaryChanges(node, place)
    case 'LogicalExpression':
      return logicalChanges(node, place)
    case 'UnaryExpression':
      return unaryChanges(node, place)
    case 'UpdateExpression':
    case 'AssignmentExpression':
      return assignmentChanges(node, place)
    case 'Literal':
      return literalChanges(node, place)
    case 'TemplateLiteral':
      return place.isProse || place.parent?.type === 'TaggedTemplateExpression' ? [] : [replace(node, 'string', "''")]
    case 'CallExpression':
      return callChanges(node, place)
    default:
      return []
  }
}

function binaryChanges(node: SyntaxNode, { source, isCondition }: Place): Change[] {
  const operator = String(node['operator'])
  const sides = [nodeAt(node, 'left')!, nodeAt(node, 'right')!] as const
  const span = operatorSpan(source, operator, sides)
  const boundaries = BOUNDARIES[operator]
  if (boundaries !== undefined) {
    // A condition forced both ways covers the negation of its operator.
    const wanted = isCondition ? boundaries.slice(0, boundaries.length - 1) : boundaries
    return wanted.map((replacement) => ({ kind: 'comparison', ...span, replacement }))
  }
  const opposite = ARITHMETIC[operator]
  if (opposite === undefined || sides.some(isText)) return []
  return [{ kind: 'arithmetic', ...span, replacement: opposite }]
}

function isText({ type, value }: SyntaxNode): boolean {
  return type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string')
}

function logicalChanges(node: SyntaxNode, { source }: Place): Change[] {
  const operator = String(node['operator'])
  const sides = [nodeAt(node, 'left')!, nodeAt(node, 'right')!] as const
  const opposite = LOGICAL[operator]
  if (opposite !== undefined) {
    return [{ kind: 'logical', ...operatorSpan(source, operator, sides), replacement: opposite }]
  }
  return sides.map(({ start, end }) => replace(node, 'fallback', source.slice(start, end)))
}

function unaryChanges(node: SyntaxNode, { source, isCondition }: Place): Change[] {
  const { start, end } = nodeAt(node, 'argument')!
  const isRemoved = node['operator'] === '-' || (node['operator'] === '!' && !isCondition)
  return isRemoved ? [replace(node, 'unary', source.slice(start, end))] : []
}

function assignmentChanges(node: SyntaxNode, { source }: Place): Change[] {
  const opposite = ({ '++': '--', '--': '++', '+=': '-=', '-=': '+=' } as const)[String(node['operator'])]
  const right = nodeAt(node, 'right')
  if (opposite === undefined || (right && isText(right))) return []
  const text = source.slice(node.start, node.end)
  return [replace(node, 'arithmetic', text.replace(String(node['operator']), opposite))]
}

function literalChanges(node: SyntaxNode, { parent, isProse }: Place): Change[] {
  const { value } = node
  if (typeof value === 'boolean') return [replace(node, 'boolean', String(!value))]
  if (typeof value === 'number') {
    const others = value === 0 ? [1] : [value + 1, value - 1]
    return others.filter((other) => other !== value).map((other) => replace(node, 'number', String(other)))
  }
  if (typeof value !== 'string' || value === '' || isProse) return []
  // Comparing with another text is what a forced or negated comparison does.
  if (parent?.type === 'BinaryExpression' && String(parent['operator']) in BOUNDARIES) return []
  return [replace(node, 'string', "''")]
}

function callChanges(node: SyntaxNode, { source, parent }: Place): Change[] {
  const callee = nodeAt(node, 'callee')!
  const name = nameOf(callee) ?? ''
  const changes: Change[] = []
  const operator = nodesAt(node, 'arguments')[1]
  if (QUERY_METHODS.test(name) && operator?.type === 'Literal') {
    const opposite = SQL_OPERATORS[String(operator['value'])]
    if (opposite !== undefined) changes.push(replace(operator, 'comparison', `'${opposite}'`))
  }
  if (callee.type !== 'MemberExpression' || callee['optional']) return changes
  const swapped = Object.hasOwn(SWAPPED_METHODS, name) ? SWAPPED_METHODS[name] : undefined
  if (swapped !== undefined) changes.push(replace(nodeAt(callee, 'property')!, 'method', swapped))
  if (REMOVED_METHODS.has(name) && parent?.type !== 'ExpressionStatement') {
    const { start, end } = nodeAt(callee, 'object')!
    changes.push(replace(node, 'method', source.slice(start, end)))
  }
  return changes
}

function operatorSpan(source: string, operator: string, [left, right]: readonly [SyntaxNode, SyntaxNode]) {
  const start = source.indexOf(operator, left.end)
  // A comment between the sides could hold the operator too; no such code is known.
  if (start < 0 || start >= right.start) throw new Error(`No ${operator} between ${left.end} and ${right.start}`)
  return { start, end: start + operator.length }
}

function replace({ start, end }: SyntaxNode, kind: string, replacement: string): Change {
  return { kind, start, end, replacement }
}
