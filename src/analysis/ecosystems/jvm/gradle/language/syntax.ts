import { findTargets } from './assignment-targets.ts'
import type { Assignment, Call, Entry, Expression, Statement } from './expressions.ts'
import { plainText, TokenReader } from './token-reader.ts'
import type { Token } from './tokens.ts'

const MAX_DEPTH = 200
const MAX_TYPE_TOKENS = 40
/** Words before a declared name that do not affect its value. */
const DECLARING = new Set('def val var final static private internal const lateinit public'.split(' '))
const BINARY = new Set(['+', '?:', '==', '<<'])

/**
 * Parses the statements of a script. Never fails: syntax outside the known subset becomes `other` up to the end of its
 * line or bracket.
 */
export function parseScript(tokens: readonly Token[]): Statement[] {
  return new ScriptParser(tokens).script()
}

/** Parses one expression, e.g. between the braces of a text. */
export function parseExpression(tokens: readonly Token[]): Expression {
  return new ScriptParser(tokens).expression()
}

class ScriptParser extends TokenReader {
  private depth = 0

  /** Parses the whole script; ignores unmatched closing brackets. */
  script(): Statement[] {
    const statements = this.statements()
    while (this.at < this.tokens.length) {
      this.at++
      for (const statement of this.statements()) statements.push(statement)
    }
    return statements
  }

  private statements(): Statement[] {
    const statements: Statement[] = []
    for (this.skipBreaks(); this.at < this.tokens.length && !this.isSign('}'); this.skipBreaks()) {
      const before = this.at
      const one = this.statement()
      if (this.isEnd()) statements.push(one)
      else {
        const start = this.at
        statements.push(
          this.asUnknown(one),
          { kind: 'expression', value: this.rest(), line: this.line() },
          ...this.assignedIn(start),
        )
      }
      if (this.at === before) this.at++
    }
    return statements
  }

  /** Parses `if (a) b = 1`, after which `b` is unknown. */
  private assignedIn(start: number): Statement[] {
    return findTargets(this.tokens, start, this.at).map((target) =>
      this.asUnknown({ kind: 'assign', sign: '=', ...target }),
    )
  }

  /** Marks an assignment as unknown if tokens follow its value. */
  private asUnknown(one: Statement | Omit<Assignment, 'value'>): Statement {
    return one.kind === 'assign' ? { ...one, value: { kind: 'other', text: '', line: one.line } } : one
  }

  private statement(): Statement {
    const from = this.line()
    const declared = this.declaration()
    if (declared !== undefined) return declared
    const value = this.expression()
    if (value.kind === 'path' && (this.isSign('=') || this.isSign('+='))) {
      const sign = this.isSign('=') ? '=' : '+='
      this.advance()
      return { kind: 'assign', names: value.names, sign, value: this.expression(), line: from }
    }
    return { kind: 'expression', value, line: from }
  }

  /** Parses `def x = …`, `val x: String by extra(…)`, `String x = …`, but not `ext.x`. */
  private declaration(): Statement | undefined {
    const start = this.at
    const from = this.line()
    while (this.isName() && DECLARING.has(this.nameAt())) this.at++
    const isDeclared = this.at > start
    // Groovy allows a type before the name.
    if (this.isName() && this.isName(1) && this.isSign('=', 2)) this.at++
    else if (!isDeclared) return undefined
    const name = this.nameAt()
    if (name === '') {
      this.at = start
      return undefined
    }
    this.at++
    if (this.isSign(':')) while (!this.isEnd() && !this.isSign('=') && this.nameAt() !== 'by') this.at++
    if (this.isSign('=')) {
      this.advance()
      return { kind: 'assign', names: [name], sign: '=', value: this.expression(), line: from }
    }
    if (this.nameAt() === 'by') {
      this.at++
      return { kind: 'assign', names: [name], sign: 'by', value: this.expression(), line: from }
    }
    this.at = start
    return undefined
  }

  expression(): Expression {
    if (this.depth >= MAX_DEPTH) return this.rest()
    this.depth++
    let left = this.operand()
    for (;;) {
      const token = this.peek()
      const isBinary = token?.kind === 'sign' ? BINARY.has(token.text) : token?.kind === 'name' && token.text === 'to'
      if (token === undefined || token.kind === 'text' || !isBinary) break
      this.advance()
      // `list << 'a' + b` adds a sum.
      const right = token.text === '<<' ? this.expression() : this.operand()
      left = { kind: 'binary', sign: token.text, left, right, line: left.line }
    }
    if (this.isSign('?')) left = this.choice(left)
    // A cast does not change the value.
    while (this.nameAt() === 'as' && this.isName(1)) {
      this.at += 2
      if (this.isSign('?')) this.at++
    }
    this.depth--
    return left
  }

  private choice(condition: Expression): Expression {
    this.advance()
    const first = this.expression()
    this.skipLineBreaks()
    if (!this.isSign(':')) return { kind: 'other', text: '?', line: condition.line }
    this.advance()
    return { kind: 'choice', options: [first, this.expression()], line: condition.line }
  }

  private operand(): Expression {
    const token = this.peek()
    const from = this.line()
    if (token === undefined) return { kind: 'other', text: '', line: from }
    if (token.kind === 'text') {
      this.at++
      // Kotlin names unknown configurations by a string: "custom"("g:a:1").
      const [only] = token.parts
      if (this.isSign('(') && token.parts.length === 1 && only !== undefined && 'text' in only)
        return this.withChain(this.call([only.text], from, this.at - 1))
      return this.after({ kind: 'text', parts: token.parts, line: from })
    }
    if (token.kind === 'number') {
      this.at++
      return { kind: 'number', text: token.text, line: from }
    }
    if (token.kind === 'name') return this.named()
    if (this.isSign('(')) {
      const { items } = this.inBrackets()
      return this.after(items.length === 1 ? items[0]! : { kind: 'list', items, line: from })
    }
    if (this.isSign('[')) {
      const { items, entries, isMap } = this.inBrackets()
      return this.after(isMap ? { kind: 'map', entries, line: from } : { kind: 'list', items, line: from })
    }
    if (this.isSign('{')) return { kind: 'closure', ...this.block(), line: from }
    return this.rest()
  }

  /** Parses calls on a value: `'a'.b()` is not evaluated; the closure of `[…].each { }` is kept. */
  private after(value: Expression): Expression {
    if (!this.isSign('.') && !this.isSign('?.')) return value
    this.at++
    if (!this.isName()) return this.rest()
    const from = this.line()
    const called = this.named()
    const text = called.kind === 'path' ? `.${called.names.join('.')}` : ''
    if (called.kind !== 'call') return { kind: 'other', text, line: from }
    return { ...called, names: ['(value)', ...called.names], positional: [value, ...called.positional] }
  }

  private named(): Expression {
    const first = this.link()
    return first.kind === 'call' ? this.withChain(first) : first
  }

  /** Parses a path, or a call without the calls on its result. */
  private link(): Expression {
    const from = this.line()
    const start = this.at
    const names = [this.nameAt()]
    this.at++
    for (;;) {
      if ((this.isSign('.') || this.isSign('?.')) && this.isName(1)) {
        names.push(this.nameAt(1))
        this.at += 2
      } else if (this.isIndex()) {
        const index = this.peek(1)!
        names.push(index.kind === 'text' ? plainText(index.parts) : index.text)
        this.at += 3
      } else if (this.isSign('!!')) this.at++
      else break
    }
    const types = this.isSign('<') ? this.typeArguments() : []
    if (this.isSign('(') || this.isSign('{')) return { ...this.call(names, from, start), types }
    if (this.startsArguments()) return this.command(names, from, start)
    return { kind: 'path', names, line: from }
  }

  /** Matches `['name']` or `[0]` directly after a name. */
  private isIndex(): boolean {
    const index = this.peek(1)
    const isPlain = index?.kind === 'number' || (index?.kind === 'text' && index.parts.length === 1)
    return this.isSign('[') && this.peek()!.isGlued && isPlain && this.isSign(']', 2)
  }

  /** Parses `<Type, other.Type>` before a call, but not comparisons. */
  private typeArguments(): string[] {
    const types: string[] = []
    for (let ahead = 1; ahead < MAX_TYPE_TOKENS; ahead++) {
      if (this.isName(ahead)) types.push(this.nameAt(ahead))
      else if (this.isSign('>', ahead) && (this.isSign('(', ahead + 1) || this.isSign('{', ahead + 1))) {
        this.at += ahead + 1
        return types
      } else if (!['.', ',', '<', '>', '?', '*'].some((sign) => this.isSign(sign, ahead))) break
    }
    return []
  }

  /** Returns true if Groovy parses the rest of the line as arguments without parentheses. */
  private startsArguments(): boolean {
    const token = this.peek()
    if (token?.kind === 'text' || token?.kind === 'number') return true
    if (token?.kind === 'name') return !['as', 'in', 'by', 'to'].includes(token.text)
    return this.isSign('[') && !this.isSign(']', 1)
  }

  private call(names: readonly string[], from: number, start: number): Call {
    const namesEnd = this.at
    const brackets = this.isSign('(') ? this.inBrackets() : { items: [], entries: [], isMap: false }
    return this.finish(
      { names, positional: brackets.items, keywordArgs: brackets.entries, line: from },
      start,
      namesEnd,
    )
  }

  /** Parses the block after a call's arguments. */
  private finish(
    begun: Pick<Call, 'names' | 'positional' | 'keywordArgs' | 'line'>,
    start: number,
    namesEnd: number,
  ): Call {
    const block = this.isSign('{') ? this.block() : { statements: undefined, parameters: [] }
    return {
      kind: 'call',
      ...begun,
      closure: block.statements,
      parameters: block.parameters,
      types: [],
      chained: [],
      tokens: { from: start, namesEnd, end: this.at },
    }
  }

  private command(names: readonly string[], from: number, start: number): Call {
    const namesEnd = this.at
    const positional: Expression[] = []
    const entries: Entry[] = []
    do {
      if (this.isSign(',')) this.at++
      this.skipLineBreaksAfterComma()
      if ((this.isName() || this.peek()?.kind === 'text') && this.isSign(':', 1)) entries.push(this.entry())
      else positional.push(this.expression())
    } while (this.isSign(','))
    return this.finish({ names, positional, keywordArgs: entries, line: from }, start, namesEnd)
  }

  private skipLineBreaksAfterComma(): void {
    const before = this.tokens[this.at - 1]
    if (before?.kind === 'sign' && before.text === ',') this.skipLineBreaks()
  }

  /** Parses calls on the result of a call, in a loop: a chain may be as long as the file. */
  private withChain(first: Call): Call {
    const chained: Call[] = []
    for (;;) {
      if ((this.isSign('.') || this.isSign('?.')) && this.isName(1)) this.at++
      else if (!this.isName() || this.nameAt() === 'as') break
      const next = this.link()
      if (next.kind !== 'call') break
      chained.push(next)
    }
    return { ...first, chained, tokens: { ...first.tokens, end: this.at } }
  }

  /** Parses a list, a map or arguments: separated by commas or newlines up to the closing bracket. */
  private inBrackets(): { items: Expression[]; entries: Entry[]; isMap: boolean } {
    const closing = this.closingSign() ?? ''
    this.at++
    const items: Expression[] = []
    const entries: Entry[] = []
    let isEmptyMap = false
    for (;;) {
      while (this.peek()?.kind === 'break' || this.isSign(',')) this.at++
      if (this.peek() === undefined) break
      if (this.isSign(closing)) {
        this.at++
        break
      }
      const before = this.at
      if (this.isSign(':') && this.isSign(closing, 1)) {
        isEmptyMap = true
        this.at++
      } else if ((this.isName() || this.peek()?.kind === 'text') && (this.isSign(':', 1) || this.isSign('=', 1)))
        entries.push(this.entry())
      else items.push(this.expression())
      if (!this.isSign(',') && !this.isSign(closing) && this.peek()?.kind !== 'break' && this.peek() !== undefined) {
        items.push(this.rest(closing))
      }
      if (this.at === before) this.at++
    }
    return { items, entries, isMap: isEmptyMap || entries.length > 0 }
  }

  private entry(): Entry {
    const key = this.peek()!
    const name = key.kind === 'text' ? plainText(key.parts) : key.text
    this.at += 2
    this.skipLineBreaks()
    return { name, value: this.expression() }
  }

  private block(): { readonly statements: Statement[]; readonly parameters: string[] } {
    this.at++
    if (this.depth >= MAX_DEPTH) {
      this.rest('}')
      if (this.isSign('}')) this.at++
      return { statements: [], parameters: [] }
    }
    this.depth++
    const parameters = this.readParameters()
    const statements = this.statements()
    this.depth--
    if (this.isSign('}')) this.at++
    return { statements, parameters }
  }

  /** Parses `name, Type other ->` or `name: Type ->` at the beginning of a block. */
  private readParameters(): string[] {
    const words: string[] = []
    const names: string[] = []
    for (let ahead = 0; ; ahead++) {
      const token = this.peek(ahead)
      if (token === undefined || this.isSign('{', ahead) || this.isSign('}', ahead)) return []
      const isEndOfOne = this.isSign(',', ahead) || this.isSign(':', ahead) || this.isSign('->', ahead)
      if (isEndOfOne) names.push(...words.splice(0).slice(-1))
      if (this.isSign(':', ahead)) while (this.peek(ahead + 1)?.kind === 'name') ahead++
      if (this.isSign('->', ahead)) {
        this.at += ahead + 1
        return names
      }
      if (token.kind === 'name') words.push(token.text)
      if (token.kind === 'break' && ahead > 0) return []
    }
  }
}
