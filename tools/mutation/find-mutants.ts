import { parseSync } from 'rolldown/utils'
import { type Change, changesOf } from './mutations.ts'
import { childrenOf, nameOf, nodeAt, nodesAt, type SyntaxNode } from './syntax.ts'

/** A change, and the expression or statement around it that both the original and the changed code replace. */
export interface MutationPoint extends Change {
  readonly line: number
  readonly host: { readonly start: number; readonly end: number; readonly isStatement: boolean }
}

interface Context {
  /** The expression that stands for the whole chain of members and calls, where the node is a part of one. */
  readonly chain?: SyntaxNode
  readonly parent?: SyntaxNode
  readonly isCondition?: boolean
  readonly isProse?: boolean
  /** The block around the node is a branch of an `if`. */
  readonly isBranch?: boolean
}

const CHAIN_PARTS = /^(?:ChainExpression|MemberExpression|CallExpression|TSNonNullExpression)$/
/** Nodes of types whose operand is an expression all the same. */
const VALUE_WITH_TYPE = /^TS(?:AsExpression|SatisfiesExpression|NonNullExpression|InstantiationExpression)$/
const PROSE_MEMBERS = new Set(['description', 'title', 'summary', 'detail', 'help', 'message', 'msg'])
const LOG_METHODS = /^(?:trace|debug|info|warn|error|fatal)$/
/** Methods of queries whose texts are names of tables and columns: an emptied name always fails. */
const NAME_METHODS =
  /^(?:selectFrom|insertInto|updateTable|deleteFrom|from|select|selectAll|returning|columns?|ref|table|groupBy|orderBy|(?:left|inner|right)Join|onRef|whereRef|where|having|on|eb|as|doUpdateSet|using|fn|with|addColumn|createTable|createIndex)$/

/** Returns the points of a TypeScript source at which the mutation run changes it, in the order of their places. */
export function findMutationPoints(path: string, source: string): MutationPoint[] {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]!.message}`)
  const lineAt = lineCounter(source)
  const points: MutationPoint[] = []
  const add = (change: Change, host: SyntaxNode, isStatement: boolean) => {
    const { start, end } = host
    points.push({ ...change, line: lineAt(change.start), host: { start, end, isStatement } })
  }
  visit(program as unknown as SyntaxNode, {})
  return points.sort((a, b) => a.start - b.start || a.end - b.end)

  function visit(node: SyntaxNode, context: Context): void {
    if (/^(?:Import|ExportAll)/.test(node.type)) return
    if (node.type.startsWith('TS') && !VALUE_WITH_TYPE.test(node.type)) return
    if (isRemovable(node, context)) add(removal(node), node, true)
    const chain = CHAIN_PARTS.test(node.type) ? (context.chain ?? node) : undefined
    const isProse = context.isProse || isSentence(node)
    const isBranch = context.isBranch ?? false
    const place = { source, parent: context.parent, isCondition: context.isCondition ?? false, isProse }
    for (const change of changesOf(node, place)) add(change, chain ?? node, false)
    for (const [member, child] of childrenOf(node)) {
      if (!isSkipped(node, member, child)) visit(child, contextOf(node, member, child, { chain, isProse, isBranch }))
    }
  }

  function contextOf(
    node: SyntaxNode,
    member: string,
    child: SyntaxNode,
    { chain, isProse, isBranch }: { chain: SyntaxNode | undefined; isProse: boolean; isBranch: boolean },
  ): Context {
    const isSpine = /^(?:object|callee|expression)$/.test(member)
    return {
      parent: node,
      isProse: isProse || holdsProse(node, member, child),
      isCondition: member === 'test' && node.type !== 'SwitchCase',
      isBranch: node.type === 'IfStatement' || (node.type === 'BlockStatement' && isBranch),
      ...(chain && isSpine && { chain }),
    }
  }
}

/** Returns true for names, assignment targets and directives: they are not values that can be changed in place. */
function isSkipped(node: SyntaxNode, member: string, child: SyntaxNode): boolean {
  if (member === 'key' || (member === 'property' && !node['computed'])) return !node['computed']
  if (node.type === 'AssignmentExpression' && member === 'left') return true
  if (node.type === 'UpdateExpression') return true
  if (node.type === 'UnaryExpression') return node['operator'] === 'delete' || node['operator'] === 'typeof'
  if (member === 'quasi' || member === 'quasis' || member === 'source' || member === 'label') return true
  return node.type === 'ExpressionStatement' && typeof node['directive'] === 'string' && child.type === 'Literal'
}

function isSentence(node: SyntaxNode): boolean {
  const text =
    node.type === 'TemplateLiteral'
      ? nodesAt(node, 'quasis')
          .map(({ value }) => (value as { cooked: string }).cooked)
          .join('…')
      : node['value']
  return (node.type === 'Literal' || node.type === 'TemplateLiteral') && typeof text === 'string'
    ? /[a-z,.:)] [a-z(…]/i.test(text)
    : false
}

/** Returns true if the texts of a child are read by people, or name columns of a query. */
function holdsProse(node: SyntaxNode, member: string, child: SyntaxNode): boolean {
  if (node.type === 'Property') return PROSE_MEMBERS.has(nameOf(nodeAt(node, 'key')) ?? '')
  if (member !== 'arguments') return false
  const callee = nodeAt(node, 'callee')
  const name = nameOf(callee) ?? ''
  const position = nodesAt(node, 'arguments').indexOf(child)
  if (node.type === 'NewExpression') return /Error$/.test(name) || (name === 'Problem' && position === 1)
  if (callee?.type === 'MemberExpression' && LOG_METHODS.test(name)) return true
  const isName = child.type === 'Literal' || child.type === 'ArrayExpression'
  return isName && NAME_METHODS.test(name) && !(position === 2 && /^(?:where|having|on|eb)$/.test(name))
}

function isRemovable(node: SyntaxNode, { parent, isBranch }: Context): boolean {
  if (node.type === 'ExpressionStatement') {
    const expression = nodeAt(node, 'expression')!
    const inner = expression.type === 'AwaitExpression' ? nodeAt(expression, 'argument')! : expression
    const call = inner.type === 'ChainExpression' ? nodeAt(inner, 'expression')! : inner
    if (call.type !== 'CallExpression' || nodeAt(call, 'callee')!.type === 'Super') return false
    return !LOG_METHODS.test(nameOf(nodeAt(call, 'callee')) ?? '')
  }
  // Removing the only statement of a branch is what forcing its condition does.
  if (!isBranch || parent?.type !== 'BlockStatement') return false
  return /^(?:Return|Break|Continue|Throw)Statement$/.test(node.type) && nodesAt(parent, 'body').length > 1
}

function removal({ start, end }: SyntaxNode): Change {
  return { kind: 'statement', start, end, replacement: '' }
}

function lineCounter(source: string): (offset: number) => number {
  let [line, at] = [1, 0]
  const known = new Map<number, number>()
  for (; at < source.length; at++) {
    known.set(at, line)
    if (source[at] === '\n') line++
  }
  return (offset) => known.get(offset) ?? line
}
