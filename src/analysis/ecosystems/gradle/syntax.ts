import { findTargets } from './assignment-targets.ts'
import type { Assignment, Call, Entry, Expression, Statement } from './expressions.ts'
import type { TextPart, Token } from './tokens.ts'

const MAX_DEPTH = 200
const MAX_TYPE_TOKENS = 40
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
/** Words before a declared name that say nothing about its value. */
const DECLARING = new Set('def val var final static private internal const lateinit public'.split(' '))
const BINARY = new Set(['+', '?:', '==', '<<'])

/**
 * Reads the statements of a script. Never fails: what does not fit the part of the languages that is known becomes
 * `other` up to the end of its line or bracket.
 */
export function parseScript(tokens: readonly Token[]): Statement[] {
  return createParser(tokens).script()
}

/** One expression, e.g. between the braces of a text. */
export function parseExpression(tokens: readonly Token[]): Expression {
  return createParser(tokens).expression()
}

function createParser(tokens: readonly Token[]) {
  let at = 0
  let depth = 0

  const peek = (ahead = 0): Token | undefined => tokens[at + ahead]
  const isSign = (text: string, ahead = 0): boolean => {
    const token = peek(ahead)
    return token?.kind === 'sign' && token.text === text
  }
  const isName = (ahead = 0): boolean => peek(ahead)?.kind === 'name'
  const nameAt = (ahead = 0): string => {
    const token = peek(ahead)
    return token?.kind === 'name' ? token.text : ''
  }
  const line = (): number => peek()?.line ?? tokens.at(-1)?.line ?? 1
  const skipBreaks = (): void => {
    while (peek()?.kind === 'break' || isSign(';') || isSign(',')) at++
  }
  const isEnd = (): boolean => peek() === undefined || peek()?.kind === 'break' || isSign('}') || isSign(';')

  /** The whole script: an end that ends nothing does not end it. */
  function script(): Statement[] {
    const found = statements()
    while (at < tokens.length) {
      at++
      for (const statement of statements()) found.push(statement)
    }
    return found
  }

  function statements(): Statement[] {
    const found: Statement[] = []
    for (skipBreaks(); at < tokens.length && !isSign('}'); skipBreaks()) {
      const before = at
      const one = statement()
      if (isEnd()) found.push(one)
      else {
        const start = at
        found.push(asUnknown(one), { kind: 'expression', value: rest(), line: line() }, ...assignedIn(start))
      }
      if (at === before) at++
    }
    return found
  }

  /** `if (a) b = 1`: nobody knows afterwards what `b` is. */
  function assignedIn(start: number): Statement[] {
    return findTargets(tokens, start, at).map((each) => asUnknown({ kind: 'assign', sign: '=', ...each }))
  }

  /** What goes on behind the value of an assignment may make another value of it. */
  function asUnknown(one: Statement | Omit<Assignment, 'value'>): Statement {
    return one.kind === 'assign' ? { ...one, value: { kind: 'other', text: '', line: one.line } } : one
  }

  function statement(): Statement {
    const from = line()
    const declared = declaration()
    if (declared !== undefined) return declared
    const value = expression()
    if (value.kind === 'path' && (isSign('=') || isSign('+='))) {
      const sign = isSign('=') ? '=' : '+='
      advance()
      return { kind: 'assign', names: value.names, sign, value: expression(), line: from }
    }
    return { kind: 'expression', value, line: from }
  }

  /** `def x = …`, `val x: String by extra(…)`, `String x = …`, `ext.x` is none. */
  function declaration(): Statement | undefined {
    const start = at
    const from = line()
    while (isName() && DECLARING.has(nameAt())) at++
    const isDeclared = at > start
    // A type may stand before the name in Groovy.
    if (isName() && isName(1) && isSign('=', 2)) at++
    else if (!isDeclared) return undefined
    const name = nameAt()
    if (name === '') {
      at = start
      return undefined
    }
    at++
    if (isSign(':')) while (!isEnd() && !isSign('=') && nameAt() !== 'by') at++
    if (isSign('=')) {
      advance()
      return { kind: 'assign', names: [name], sign: '=', value: expression(), line: from }
    }
    if (nameAt() === 'by') {
      at++
      return { kind: 'assign', names: [name], sign: 'by', value: expression(), line: from }
    }
    at = start
    return undefined
  }

  function skipLineBreaks(): void {
    while (peek()?.kind === 'break') at++
  }

  function advance(): void {
    at++
    skipLineBreaks()
  }

  function expression(): Expression {
    if (depth >= MAX_DEPTH) return rest()
    depth++
    let left = operand()
    for (;;) {
      const token = peek()
      const isBinary = token?.kind === 'sign' ? BINARY.has(token.text) : token?.kind === 'name' && token.text === 'to'
      if (token === undefined || token.kind === 'text' || !isBinary) break
      advance()
      // `list << 'a' + b` adds a sum.
      const right = token.text === '<<' ? expression() : operand()
      left = { kind: 'binary', sign: token.text, left, right, line: left.line }
    }
    if (isSign('?')) left = choice(left)
    // A cast says nothing about the value.
    while (nameAt() === 'as' && isName(1)) {
      at += 2
      if (isSign('?')) at++
    }
    depth--
    return left
  }

  function choice(condition: Expression): Expression {
    advance()
    const first = expression()
    skipLineBreaks()
    if (!isSign(':')) return { kind: 'other', text: '?', line: condition.line }
    advance()
    return { kind: 'choice', options: [first, expression()], line: condition.line }
  }

  function operand(): Expression {
    const token = peek()
    const from = line()
    if (token === undefined) return { kind: 'other', text: '', line: from }
    if (token.kind === 'text') {
      at++
      // Kotlin names configurations that it does not know by a text: "custom"("g:a:1").
      const [only] = token.parts
      if (isSign('(') && token.parts.length === 1 && only !== undefined && 'text' in only)
        return call([only.text], from, at - 1)
      return after({ kind: 'text', parts: token.parts, line: from })
    }
    if (token.kind === 'number') {
      at++
      return { kind: 'number', text: token.text, line: from }
    }
    if (token.kind === 'name') return named()
    if (isSign('(')) {
      const { items } = inBrackets()
      return after(items.length === 1 ? items[0]! : { kind: 'list', items, line: from })
    }
    if (isSign('[')) {
      const { items, entries, isMap } = inBrackets()
      return after(isMap ? { kind: 'map', entries, line: from } : { kind: 'list', items, line: from })
    }
    if (isSign('{')) return { kind: 'closure', ...block(), line: from }
    return rest()
  }

  /** Calls on a value: `'a'.b()` is not followed, `[…].each { }` keeps its closure visible. */
  function after(value: Expression): Expression {
    if (!isSign('.') && !isSign('?.')) return value
    at++
    if (!isName()) return rest()
    const from = line()
    const called = named()
    const text = called.kind === 'path' ? `.${called.names.join('.')}` : ''
    if (called.kind !== 'call') return { kind: 'other', text, line: from }
    return { ...called, names: ['(value)', ...called.names], positional: [value, ...called.positional] }
  }

  function named(): Expression {
    const from = line()
    const start = at
    const names = [nameAt()]
    at++
    for (;;) {
      if ((isSign('.') || isSign('?.')) && isName(1)) {
        names.push(nameAt(1))
        at += 2
      } else if (isIndex()) {
        const index = peek(1)!
        names.push(index.kind === 'text' ? plainText(index.parts) : index.text)
        at += 3
      } else if (isSign('!!')) at++
      else break
    }
    const types = isSign('<') ? typeArguments() : []
    if (isSign('(') || isSign('{')) return { ...call(names, from, start), types }
    if (startsArguments()) return command(names, from, start)
    return { kind: 'path', names, line: from }
  }

  /** `['name']` or `[0]` directly behind a name. */
  function isIndex(): boolean {
    const index = peek(1)
    const isPlain = index?.kind === 'number' || (index?.kind === 'text' && index.parts.length === 1)
    return isSign('[') && peek()!.isGlued && isPlain && isSign(']', 2)
  }

  /** `<Type, other.Type>` before a call; a comparison stays where it is. */
  function typeArguments(): string[] {
    const types: string[] = []
    for (let ahead = 1; ahead < MAX_TYPE_TOKENS; ahead++) {
      if (isName(ahead)) types.push(nameAt(ahead))
      else if (isSign('>', ahead) && (isSign('(', ahead + 1) || isSign('{', ahead + 1))) {
        at += ahead + 1
        return types
      } else if (!['.', ',', '<', '>', '?', '*'].some((sign) => isSign(sign, ahead))) break
    }
    return []
  }

  function plainText(parts: readonly TextPart[]): string {
    const [only] = parts
    return only !== undefined && 'text' in only ? only.text : ''
  }

  /** Whether Groovy would take what follows on the line as arguments without brackets. */
  function startsArguments(): boolean {
    const token = peek()
    if (token?.kind === 'text' || token?.kind === 'number') return true
    if (token?.kind === 'name') return !['as', 'in', 'by', 'to'].includes(token.text)
    return isSign('[') && !isSign(']', 1)
  }

  function call(names: readonly string[], from: number, start: number): Call {
    const namesEnd = at
    const found = isSign('(') ? inBrackets() : { items: [], entries: [], isMap: false }
    return finish({ names, positional: found.items, named: found.entries, line: from }, start, namesEnd)
  }

  /** A call up to its end: a block behind its arguments, and what is called on its result. */
  function finish(begun: Pick<Call, 'names' | 'positional' | 'named' | 'line'>, start: number, namesEnd: number): Call {
    const found = isSign('{') ? block() : { statements: undefined, parameters: [] }
    const chained = chain()
    return {
      kind: 'call',
      ...begun,
      closure: found.statements,
      parameters: found.parameters,
      types: [],
      chained,
      tokens: { from: start, namesEnd, end: at },
    }
  }

  function command(names: readonly string[], from: number, start: number): Call {
    const namesEnd = at
    const positional: Expression[] = []
    const entries: Entry[] = []
    do {
      if (isSign(',')) at++
      skipLineBreaksAfterComma()
      if ((isName() || peek()?.kind === 'text') && isSign(':', 1)) entries.push(entry())
      else positional.push(expression())
    } while (isSign(','))
    return finish({ names, positional, named: entries, line: from }, start, namesEnd)
  }

  function skipLineBreaksAfterComma(): void {
    const before = tokens[at - 1]
    if (before?.kind === 'sign' && before.text === ',') skipLineBreaks()
  }

  function chain(): Call[] {
    const calls: Call[] = []
    for (;;) {
      if ((isSign('.') || isSign('?.')) && isName(1)) at++
      else if (!isName() || nameAt() === 'as') return calls
      const next = named()
      if (next.kind === 'call') calls.push({ ...next, chained: [] }, ...next.chained)
      else return calls
    }
  }

  /** A list, a map, arguments: separated by commas or ends of lines up to the closing bracket. */
  function inBrackets(): { items: Expression[]; entries: Entry[]; isMap: boolean } {
    const opening = peek()
    const closing = CLOSING[opening?.kind === 'sign' ? opening.text : ''] ?? ''
    at++
    const items: Expression[] = []
    const entries: Entry[] = []
    let isEmptyMap = false
    for (;;) {
      while (peek()?.kind === 'break' || isSign(',')) at++
      if (peek() === undefined) break
      if (isSign(closing)) {
        at++
        break
      }
      const before = at
      if (isSign(':') && isSign(closing, 1)) {
        isEmptyMap = true
        at++
      } else if ((isName() || peek()?.kind === 'text') && (isSign(':', 1) || isSign('=', 1))) entries.push(entry())
      else items.push(expression())
      if (!isSign(',') && !isSign(closing) && peek()?.kind !== 'break' && peek() !== undefined) {
        items.push(rest(closing))
      }
      if (at === before) at++
    }
    return { items, entries, isMap: isEmptyMap || entries.length > 0 }
  }

  function entry(): Entry {
    const key = peek()!
    const name = key.kind === 'text' ? plainText(key.parts) : key.text
    at += 2
    skipLineBreaks()
    return { name, value: expression() }
  }

  function block(): { readonly statements: Statement[]; readonly parameters: string[] } {
    at++
    if (depth >= MAX_DEPTH) {
      rest('}')
      if (isSign('}')) at++
      return { statements: [], parameters: [] }
    }
    depth++
    const parameters = readParameters()
    const found = statements()
    depth--
    if (isSign('}')) at++
    return { statements: found, parameters }
  }

  /** `name, Type other ->` or `name: Type ->` at the beginning of a block. */
  function readParameters(): string[] {
    const words: string[] = []
    const names: string[] = []
    for (let ahead = 0; ; ahead++) {
      const token = peek(ahead)
      if (token === undefined || isSign('{', ahead) || isSign('}', ahead)) return []
      const isEndOfOne = isSign(',', ahead) || isSign(':', ahead) || isSign('->', ahead)
      if (isEndOfOne) names.push(...words.splice(0).slice(-1))
      if (isSign(':', ahead)) while (peek(ahead + 1)?.kind === 'name') ahead++
      if (isSign('->', ahead)) {
        at += ahead + 1
        return names
      }
      if (token.kind === 'name') words.push(token.text)
      if (token.kind === 'break' && ahead > 0) return []
    }
  }

  /** Everything up to the end of the line, or before the bracket that closes what is open; blocks in it are read. */
  function rest(closing?: string): Expression {
    const from = line()
    const words: string[] = []
    const open: string[] = []
    for (; at < tokens.length; at++) {
      const token = peek()!
      if (open.length === 0) {
        if (token.kind === 'break' || isSign(';')) break
        if (token.kind === 'sign' && (token.text === closing || [')', ']', '}'].includes(token.text))) break
        if (isSign('{') && words.length > 0) break
      }
      if (token.kind === 'sign' && CLOSING[token.text] !== undefined) open.push(CLOSING[token.text]!)
      else if (token.kind === 'sign' && token.text === open.at(-1)) open.pop()
      if (words.length < 40) words.push(token.kind === 'text' ? `"${plainText(token.parts)}"` : token.text)
    }
    return { kind: 'other', text: words.join(' ').replace(/\n/g, ' ').trim(), line: from }
  }

  return { script, expression }
}
