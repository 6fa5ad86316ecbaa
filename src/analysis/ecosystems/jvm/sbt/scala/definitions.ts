import { type TokenCursor, unexpected } from './cursor.ts'
import { parsePattern } from './patterns.ts'
import type { Expression, Parameter, Pattern, Statement } from './syntax.ts'

const modifiers = new Set(
  'private protected implicit override final sealed abstract lazy case inline transparent'.split(' '),
)

/** Parses a definition or an import; undefined for an expression. */
export function parseDefinition(cursor: TokenCursor): Statement[] | undefined {
  skipModifiers(cursor)
  const token = cursor.peek()
  if (token?.kind !== 'name') return undefined
  const { line } = token
  switch (token.value) {
    case 'package':
      return parsePackage(cursor)
    case 'import':
      return parseImports(cursor)
    case 'val':
    case 'var':
      cursor.next()
      return token.value === 'var' ? parseVal(cursor, line).map(toVariable) : parseVal(cursor, line)
    case 'def':
      cursor.next()
      return parseDef(cursor, line)
    case 'object':
      cursor.next()
      return [{ kind: 'object', name: nameHere(cursor), statements: parseTemplate(cursor), line }]
    case 'class':
    case 'trait': {
      cursor.next()
      const name = nameHere(cursor)
      return [{ kind: 'class', name, ...parseClass(cursor), line }]
    }
    case 'type':
      cursor.skipStatement(cursor.at)
      return []
    default:
      return undefined
  }
}

function skipModifiers(cursor: TokenCursor): void {
  for (;;) {
    const token = cursor.peek()
    if (cursor.isOperator('@') && cursor.peek(1)?.kind === 'name') {
      cursor.next()
      cursor.skipType()
      if (cursor.isSign('(')) cursor.skipType()
    } else if (token?.kind === 'name' && modifiers.has(token.value) && isDefinitionAhead(cursor)) {
      cursor.next()
      cursor.skipTypeArguments()
    } else return
  }
}

/** Looks ahead for a definition: `case x =>` is none, and a modifier's name may be a value's. */
function isDefinitionAhead(cursor: TokenCursor): boolean {
  if (cursor.isWord('case')) return cursor.isWord('class', 1) || cursor.isWord('object', 1)
  return cursor.peek(1)?.kind === 'name' || cursor.isSign('[', 1)
}

function nameHere(cursor: TokenCursor): string {
  const token = cursor.next()
  if (token?.kind !== 'name' && token?.kind !== 'operator') throw unexpected(token, 'a name')
  return token.value
}

function parsePackage(cursor: TokenCursor): Statement[] {
  cursor.next()
  if (cursor.isWord('object')) return []
  cursor.skipType()
  return cursor.isSign('{') ? parseTemplate(cursor) : []
}

function parseImports(cursor: TokenCursor): Statement[] {
  const { line } = cursor.next()!
  const imports: Statement[] = []
  do {
    if (cursor.isSign(',')) cursor.next()
    const path = [nameHere(cursor)]
    let members: Extract<Statement, { kind: 'import' }>['members'] | undefined
    while (cursor.isSign('.') && members === undefined) {
      cursor.next()
      if (cursor.isSign('{')) members = parseSelectors(cursor)
      else if (cursor.isOperator('*') || cursor.isWord('_')) {
        cursor.next()
        members = 'all'
      } else path.push(nameHere(cursor))
    }
    const last = path.at(-1)!
    imports.push({
      kind: 'import',
      path: members === undefined ? path.slice(0, -1) : path,
      members: members ?? [{ from: last, to: last }],
      line,
    })
  } while (cursor.isSign(','))
  return imports
}

function parseSelectors(cursor: TokenCursor): { from: string; to: string }[] | 'all' {
  const members: { from: string; to: string }[] = []
  let isAll = false
  cursor.expectSign('{')
  while (!cursor.isSign('}')) {
    const from = nameHere(cursor)
    if (from === '_' || from === '*') isAll = true
    const isRenamed = cursor.isOperator('=>') || cursor.isWord('as')
    if (isRenamed) cursor.next()
    members.push({ from, to: isRenamed ? nameHere(cursor) : from })
    if (cursor.isSign(',')) cursor.next()
  }
  cursor.next()
  return isAll && members.every(({ from, to }) => from === to) ? 'all' : members
}

function parseVal(cursor: TokenCursor, line: number): Statement[] {
  const pattern = parseDefined(cursor)
  if (cursor.isOperator(':')) {
    cursor.next()
    cursor.skipDefinedType()
  }
  if (!cursor.isOperator('=')) return []
  cursor.next()
  return [{ kind: 'val', pattern, value: cursor.grammar.parseExpression(cursor), line }]
}

/** Other statements may give it another value, and these are not followed. */
function toVariable(statement: Statement): Statement {
  if (statement.kind !== 'val') return statement
  const { line } = statement
  return { ...statement, value: { kind: 'unread', reason: 'a var may be assigned again', line } }
}

/** Parses the defined pattern. A bare name is a definition in any spelling. */
function parseDefined(cursor: TokenCursor): Pattern {
  const isName = cursor.peek()?.kind === 'name' && !cursor.isWord('_')
  const isAlone = cursor.isOperator('=', 1) || cursor.isOperator(':', 1)
  if (!isName || !isAlone) return parsePattern(cursor)
  return { kind: 'bind', name: cursor.next()!.value }
}

function parseDef(cursor: TokenCursor, line: number): Statement[] {
  const name = nameHere(cursor)
  cursor.skipTypeArguments()
  const takes: Parameter[][] = []
  while (cursor.isSign('(')) takes.push(parseParameters(cursor))
  if (cursor.isOperator(':')) {
    cursor.next()
    cursor.skipDefinedType()
  }
  if (cursor.isSign('{')) return [{ kind: 'def', name, takes, body: cursor.grammar.parseBlock(cursor), line }]
  if (!cursor.isOperator('=')) return []
  cursor.next()
  return [{ kind: 'def', name, takes, body: cursor.grammar.parseExpression(cursor), line }]
}

function parseParameters(cursor: TokenCursor): Parameter[] {
  const parameters: Parameter[] = []
  cursor.expectSign('(')
  cursor.inside('(', () => {
    while (!cursor.isSign(')')) {
      while (cursor.peek()?.kind === 'name' && cursor.peek(1)?.kind === 'name') cursor.next()
      const name = nameHere(cursor)
      let isRepeated = false
      if (cursor.isOperator(':')) {
        cursor.next()
        const begin = cursor.at
        cursor.skipType()
        isRepeated = cursor.isOperator('*', -1) && cursor.at > begin
      }
      let fallback: Expression | undefined
      if (cursor.isOperator('=')) {
        cursor.next()
        fallback = cursor.grammar.parseExpression(cursor)
      }
      parameters.push({ name, fallback, isRepeated })
      if (cursor.isSign(',')) cursor.next()
      else if (!cursor.isSign(')')) throw unexpected(cursor.peek(), ', or )')
    }
  })
  cursor.expectSign(')')
  return parameters
}

/** Parses a template's body after its parents. */
function parseTemplate(cursor: TokenCursor): Statement[] {
  skipExtended(cursor)
  if (!cursor.isSign('{')) return []
  const body = cursor.grammar.parseBlock(cursor)
  return body.kind === 'block' ? [...body.statements] : []
}

function parseClass(cursor: TokenCursor): { of: string | undefined; statements: Statement[] } {
  cursor.skipTypeArguments()
  const takes: Parameter[][] = []
  while (cursor.isSign('(')) takes.push(parseParameters(cursor))
  const only = takes.length === 1 && takes[0]!.length === 1 ? takes[0]![0]!.name : undefined
  return { of: only, statements: parseTemplate(cursor) }
}

function skipExtended(cursor: TokenCursor): void {
  while (cursor.isWord('extends') || cursor.isWord('with')) {
    cursor.next()
    cursor.skipType()
    while (cursor.isSign('(')) cursor.skipType()
  }
}
