import { Unreadable } from '#analysis/documents/unreadable.ts'
import { type Grammar, NotUnderstood, TokenCursor, unexpected } from './cursor.ts'
import { parseDefinition } from './definitions.ts'
import { parseCasePattern } from './patterns.ts'
import type { Argument, Case, Expression, Statement } from './syntax.ts'
import { readTokens, type SentFile, type Token } from './tokens.ts'

const MAX_DEPTH = 200
/** Limit of operators and selections per chain, which is the depth of evaluation. */
const MAX_CHAIN = 1_000
/** Tokens of an unknown statement that are tried as statements of their own. */
const MAX_READ_AGAIN = 100

const grammar: Grammar = { parseExpression, parseBlock }

/** Parses the statements of a file. Throws `Unreadable` for a premature end; an unknown statement becomes `unread`. */
export function parseScala(text: string, file: SentFile): Statement[] {
  const cursor = new TokenCursor(readTokens(text, file), { file, grammar })
  const statements = parseStatements(cursor)
  const left = cursor.peek()
  if (left !== undefined) throw new Unreadable(`Unmatched ${left.value}`, { file, line: left.line })
  return statements
}

/** Parses up to the closing brace. */
function parseStatements(cursor: TokenCursor): Statement[] {
  const statements: Statement[] = []
  for (;;) {
    while (cursor.isSign(';') || cursor.isSign(',')) cursor.next()
    const token = cursor.peek()
    if (token === undefined || (token.kind === 'sign' && '})]'.includes(token.value)) || beginsCase(cursor)) {
      return statements
    }
    statements.push(...parseStatement(cursor))
  }
}

function parseStatement(cursor: TokenCursor): Statement[] {
  const begin = cursor.at
  const { line } = cursor.peek()!
  cursor.statementAt = begin
  const { length } = cursor.placeholders
  try {
    const definition = parseDefinition(cursor)
    const statements = definition ?? [{ kind: 'expression', value: parseExpression(cursor), line } as const]
    const after = cursor.peek()
    if (after === undefined || after.isFirst || endsStatement(after)) return statements
    throw unexpected(after)
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error
    skipUnread(cursor, begin)
    return [{ kind: 'expression', value: { kind: 'unread', reason: error.message, line }, line }]
  } finally {
    cursor.placeholders.length = length
  }
}

/**
 * Skips to the next line, where the next statement most often begins. Skips a long expression as far as it was read:
 * trying each of its lines would take quadratic time.
 */
function skipUnread(cursor: TokenCursor, begin: number): void {
  const failedAt = cursor.at
  cursor.skipStatement(begin)
  if (failedAt - cursor.at <= MAX_READ_AGAIN) return
  for (let last = begin; cursor.at < failedAt && cursor.at > last; ) {
    last = cursor.at
    cursor.skipStatement(last)
  }
}

function endsStatement({ kind, value }: Token): boolean {
  return kind === 'sign' && '};)],'.includes(value)
}

function parseExpression(cursor: TokenCursor): Expression {
  return cursor.deeper(MAX_DEPTH, () => {
    const { placeholders } = cursor
    const { length } = placeholders
    let isBare = false
    try {
      const expression = parseWhole(cursor)
      const takes = placeholders.slice(length)
      // A bare `_` belongs to the function around it; `_ % "1"` is the function `x => x % "1"` (SLS 6.23.2).
      isBare = expression.kind === 'name' && expression.name === takes[0]
      return isBare || takes.length === 0
        ? expression
        : { kind: 'lambda', takes, body: expression, line: expression.line }
    } finally {
      if (!isBare) placeholders.length = length
    }
  })
}

function parseWhole(cursor: TokenCursor): Expression {
  // Only a function that is a block's result goes on to the end of its braces (SLS 6.11 and 6.23).
  const isResult = cursor.at === cursor.statementAt && cursor.isInBlock
  const { length } = cursor.placeholders
  const left = parseInfix(cursor, 0)
  const { line } = left
  if (cursor.isOperator(':')) {
    cursor.next()
    cursor.skipType()
  }
  if (!cursor.isOperator('=>')) return left
  cursor.next()
  cursor.placeholders.length = length
  const parameters = left.kind === 'tuple' ? left.items.map(({ value }) => value) : [left]
  const takes = parameters.map((parameter) => (parameter.kind === 'name' ? parameter.name : '_'))
  const body: Expression = isResult
    ? { kind: 'block', statements: parseStatements(cursor), line }
    : parseExpression(cursor)
  return { kind: 'lambda', takes, body, line }
}

/** Returns Scala's operator precedence by first character (SLS 6.12.3); assignments bind least. */
function precedenceOf(operator: string): number {
  if (/^[^=].*=$|^=$/.test(operator) && !/^(?:<=|>=|!=)$/.test(operator)) return 0
  if (operator === '<+=' || operator === '<++=' || operator === '<<=') return 0
  if (/^[\p{L}_$]/u.test(operator)) return 1
  const levels = ['|', '^', '&', '=!', '<>', ':', '+-', '*/%']
  const level = levels.findIndex((signs) => signs.includes(operator[0]!))
  return level === -1 ? levels.length + 2 : level + 2
}

const notInfix = new Set(
  'match if else then case yield extends with do while val def lazy object class import'.split(' '),
)

function parseInfix(cursor: TokenCursor, least: number): Expression {
  let left = parsePrefix(cursor)
  for (let links = 0; ; links++) {
    if (links === MAX_CHAIN) throw new NotUnderstood(`More than ${MAX_CHAIN} operators in an expression`)
    const token = cursor.peek()
    if (token === undefined) return left
    if (cursor.isWord('match')) {
      cursor.next()
      left = { kind: 'match', of: left, cases: parseCases(cursor), line: left.line }
      continue
    }
    const isInfix =
      (token.kind === 'operator' && !['=>', ':', '=', '<-', '@', '?=>'].includes(token.value)) ||
      (token.kind === 'name' && !notInfix.has(token.value) && token.value !== '_')
    if (!isInfix || cursor.beginsStatement()) return left
    const precedence = precedenceOf(token.value)
    if (precedence < least) return left
    cursor.next()
    if (!beginsOperand(cursor)) {
      left = { kind: 'select', of: left, name: token.value, line: token.line }
      continue
    }
    cursor.skipTypeArguments()
    const right = cursor.deeper(MAX_DEPTH, () =>
      parseInfix(cursor, token.value.endsWith(':') ? precedence : precedence + 1),
    )
    left = { kind: 'infix', left, operator: token.value, right, line: token.line }
  }
}

/** Returns false after a postfix operator (`xs toList`). */
function beginsOperand(cursor: TokenCursor): boolean {
  const token = cursor.peek()
  return token !== undefined && !(token.kind === 'sign' && ')]},;.'.includes(token.value))
}

function parsePrefix(cursor: TokenCursor): Expression {
  const token = cursor.peek()
  if (token?.kind === 'operator' && ['!', '-', '+', '~'].includes(token.value)) {
    cursor.next()
    return { kind: 'prefix', operator: token.value, of: parseSelections(cursor), line: token.line }
  }
  return parseSelections(cursor)
}

function parseSelections(cursor: TokenCursor): Expression {
  let expression = parsePrimary(cursor)
  for (let links = 0; ; links++) {
    if (links === MAX_CHAIN) throw new NotUnderstood(`More than ${MAX_CHAIN} selections in an expression`)
    const token = cursor.peek()
    if (token === undefined) return expression
    const { line } = token
    if (cursor.isSign('.')) {
      cursor.next()
      const name = cursor.next()
      if (name?.kind !== 'name' && name?.kind !== 'operator') throw new NotUnderstood("Expected a name after '.'")
      expression = { kind: 'select', of: expression, name: name.value, line }
    } else if (cursor.isSign('[') && !token.isFirst) cursor.skipTypeArguments()
    else if (cursor.isWord('_') && !token.isFirst && (expression.kind === 'name' || expression.kind === 'select'))
      cursor.next()
    else if (cursor.isSign('(') && !token.isFirst)
      expression = { kind: 'apply', to: expression, args: parseArguments(cursor), line }
    else if (cursor.isSign('{') && !token.isFirst && mayTakeBlock(expression)) {
      const value = parseBlock(cursor)
      expression = { kind: 'apply', to: expression, args: [{ name: undefined, value }], line }
    } else return expression
  }
}

function mayTakeBlock({ kind }: Expression): boolean {
  return ['name', 'select', 'apply', 'infix'].includes(kind)
}

function parsePrimary(cursor: TokenCursor): Expression {
  const token = cursor.peek()
  if (token === undefined) throw unexpected(token)
  const { line, value } = token
  if (token.kind === 'sign') {
    if (value === '(') {
      const items = parseArguments(cursor)
      const [only] = items
      return items.length === 1 && only!.name === undefined ? only!.value : { kind: 'tuple', items, line }
    }
    if (value === '{') return parseBlock(cursor)
    throw unexpected(token)
  }
  if (token.kind === 'name') {
    const word = keywords.get(value)
    if (word !== undefined) return word(cursor)
  }
  cursor.next()
  switch (token.kind) {
    case 'text':
      return { kind: 'text', value, line }
    case 'interpolated':
      return parseInterpolated(token, cursor.file)
    case 'number':
      return { kind: 'number', value: Number(value), line }
    case 'character':
      return { kind: 'text', value, line }
    case 'name':
      if (value !== '_') return { kind: 'name', name: value, line }
      return placeholder(cursor, line)
    case 'operator':
      if (reserved.has(value)) throw unexpected(token)
      return { kind: 'name', name: value, line }
    case 'xml':
      return { kind: 'unread', reason: 'XML is not supported', line }
  }
}

const reserved = new Set(['=>', '=', '<-', ':', '@', '#'])

function parseArguments(cursor: TokenCursor): Argument[] {
  cursor.expectSign('(')
  const args = cursor.inside('(', () => {
    const items: Argument[] = []
    while (!cursor.isSign(')')) {
      const isNamed = cursor.peek()?.kind === 'name' && cursor.isOperator('=', 1)
      const name = isNamed ? cursor.next()!.value : undefined
      if (isNamed) cursor.next()
      items.push({ name, value: parseArgument(cursor) })
      if (!cursor.isSign(',')) break
      cursor.next()
    }
    return items
  })
  cursor.expectSign(')')
  return args
}

/** Parses an argument; an unknown one does not affect the others. */
function parseArgument(cursor: TokenCursor): Expression {
  const begin = cursor.at
  const { line } = cursor.peek()!
  const { length } = cursor.placeholders
  try {
    const expression = parseExpression(cursor)
    const after = cursor.peek()
    if (after?.kind === 'sign' && ',)'.includes(after.value)) return expression
    throw unexpected(after)
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error
    cursor.skipArgument(begin)
    cursor.placeholders.length = length
    return { kind: 'unread', reason: error.message, line }
  }
}

function parseBlock(cursor: TokenCursor): Expression {
  const line = cursor.expectSign('{')
  if (beginsCase(cursor)) {
    cursor.at--
    cursor.skipBrackets()
    return { kind: 'unread', reason: 'A function of cases is not supported', line }
  }
  const statements = cursor.inside('{', () => parseStatements(cursor))
  cursor.expectSign('}')
  return { kind: 'block', statements, line }
}

/** Returns true at a case clause; `case class` is a definition. */
function beginsCase(cursor: TokenCursor): boolean {
  return cursor.isWord('case') && !cursor.isWord('class', 1) && !cursor.isWord('object', 1)
}

function parseCases(cursor: TokenCursor): Case[] {
  cursor.expectSign('{')
  const cases = cursor.inside('{', () => parseCaseList(cursor))
  cursor.expectSign('}')
  return cases
}

function parseCaseList(cursor: TokenCursor): Case[] {
  const cases: Case[] = []
  while (cursor.isWord('case')) {
    const { line } = cursor.next()!
    const pattern = parseCasePattern(cursor)
    let guard: Expression | undefined
    if (cursor.isWord('if')) {
      cursor.next()
      guard = parseInfix(cursor, 0)
    }
    if (!cursor.isOperator('=>')) throw unexpected(cursor.peek(), '=>')
    cursor.next()
    cases.push({ pattern, guard, body: { kind: 'block', statements: parseStatements(cursor), line } })
  }
  return cases
}

/** Parses `s"…$name…${expression}…"`; insertions are Scala. */
function parseInterpolated({ value, line, interpolator = 's' }: Token, file: SentFile): Expression {
  const parts: (string | Expression)[] = []
  const inserted = /\$\$|\$([A-Za-z][A-Za-z0-9]*|_\w+)|\$\{([^{}]*)\}/g
  let end = 0
  for (const match of value.matchAll(inserted)) {
    parts.push(value.slice(end, match.index))
    end = match.index + match[0].length
    if (match[0] === '$$') parts.push('$')
    else if (match[1] !== undefined) parts.push({ kind: 'name', name: match[1], line })
    else parts.push(parseInserted(match[2]!, { file, line }))
  }
  parts.push(value.slice(end))
  return { kind: 'interpolated', interpolator, parts, line }
}

function parseInserted(text: string, { file, line }: { readonly file: SentFile; readonly line: number }): Expression {
  const cursor = new TokenCursor(readTokens(text, file, line), { file, grammar })
  const expression = parseExpression(cursor)
  return cursor.peek() === undefined ? expression : { kind: 'unread', reason: `\${${text}} is not supported`, line }
}

/** Parsers of expressions that begin with a keyword. */
const keywords: ReadonlyMap<string, (cursor: TokenCursor) => Expression> = new Map([
  ['true', parseBoolean],
  ['false', parseBoolean],
  ['if', parseIf],
  ['for', parseFor],
  ['new', parseNew],
  ['throw', parseThrow],
  ...['try', 'while', 'do', 'return'].map((word) => [word, refuse] as const),
])

function parseBoolean(cursor: TokenCursor): Expression {
  const { value, line } = cursor.next()!
  return { kind: 'boolean', value: value === 'true', line }
}

function refuse(cursor: TokenCursor): Expression {
  throw new NotUnderstood(`${cursor.peek()!.value} is not supported`)
}

function parseThrow(cursor: TokenCursor): Expression {
  const { line } = cursor.next()!
  parseExpression(cursor)
  return { kind: 'unread', reason: 'The build stops here', line }
}

function parseIf(cursor: TokenCursor): Expression {
  const { line } = cursor.next()!
  cursor.expectSign('(')
  const condition = cursor.inside('(', () => parseExpression(cursor))
  cursor.expectSign(')')
  const then = parseExpression(cursor)
  if (!cursor.isWord('else')) return { kind: 'if', condition, then, otherwise: undefined, line }
  cursor.next()
  return { kind: 'if', condition, then, otherwise: parseExpression(cursor), line }
}

function parseFor(cursor: TokenCursor): Expression {
  const { line } = cursor.next()!
  cursor.skipBrackets()
  if (cursor.isWord('yield')) cursor.next()
  parseExpression(cursor)
  return { kind: 'unread', reason: 'for is not supported', line }
}

/** Parses `new Name(…)` as a call of the name; skips a body. */
function parseNew(cursor: TokenCursor): Expression {
  const { line } = cursor.next()!
  return { ...parseSelections(cursor), line }
}

/** Names a `_`, which becomes a parameter of the function around it. */
function placeholder(cursor: TokenCursor, line: number): Expression {
  const name = `_${cursor.at}`
  cursor.placeholders.push(name)
  return { kind: 'name', name, line }
}
