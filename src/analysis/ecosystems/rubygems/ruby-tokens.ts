import { linesOf } from '#analysis/documents/text-lines.ts'

/** A token of a Gemfile line: text, symbol, name or sign. */
export interface Token {
  readonly kind: 'text' | 'symbol' | 'name' | 'sign' | 'other' | 'unfinished'
  readonly value: string
}

/** One statement with its first line; continued statements are one. */
export interface Statement {
  readonly line: number
  readonly tokens: readonly Token[]
  /** The written text for messages; first line only. */
  readonly source: string
}

const longestLine = 2_000
const longestStatement = 5_000
const sign = /^(?:;|=>|\|\||&&|==|!=|->|::|[[\]{}(),.!?&|<>=+*/%-])/
const name = /^[A-Za-z_]\w*[?!]?/
const label = /^([A-Za-z_]\w*):(?!:)/
const symbol = /^:(?:([A-Za-z_]\w*[?!]?)|"([^"\\#]*)")/
const word = /^%[wi][[({<]([^\])}>]*)[\])}>]/

/**
 * Reads Ruby statements of files that list gems. Texts with interpolation (`#{…}`) are `other`, unless they only insert
 * names in `values`. Here-documents and regular expressions are not supported and become unknown statements.
 */
export function readStatements(text: string, file: 'target' | number): Statement[] {
  const statements: Statement[] = []
  let isComment = false
  let open: { line: number; tokens: Token[]; source: string; depth: number } | undefined
  for (const [index, written] of linesOf(text, file).entries()) {
    const source = written.trim()
    if (/^__END__\r?$/.test(written)) break
    if (isComment || written.startsWith('=begin')) {
      isComment = !written.startsWith('=end')
      continue
    }
    const tokens = source.length > longestLine ? [other(source)] : tokensOf(source)
    if (tokens.length === 0) continue
    open ??= { line: index + 1, tokens: [], source, depth: 0 }
    open.tokens.push(...tokens)
    open.depth += depthOf(tokens)
    if (open.tokens.length < longestStatement && (open.depth > 0 || continuesAfter(tokens.at(-1)!))) continue
    statements.push(...atSemicolons(open))
    open = undefined
  }
  if (open !== undefined) statements.push(...atSemicolons(open))
  return statements
}

/** Splits at semicolons outside of brackets. */
function atSemicolons({ line, source, tokens }: Statement): Statement[] {
  const isEnd = ({ kind, value }: Token) => kind === 'sign' && value === ';'
  if (!tokens.some(isEnd)) return [{ line, source, tokens }]
  const parts: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    depth += depthOf([token])
    if (!isEnd(token)) parts.at(-1)!.push(token)
    else if (depth <= 0) parts.push([])
  }
  return parts.filter((part) => part.length > 0).map((part) => ({ line, source, tokens: part }))
}

/** Returns true if the line continues, e.g. after a comma. */
function continuesAfter({ kind, value }: Token): boolean {
  return kind === 'sign' && [',', '=>', '||', '&&', '+'].includes(value)
}

/** Counts unclosed brackets. */
function depthOf(tokens: readonly Token[]): number {
  let depth = 0
  for (const { kind, value } of tokens) {
    if (kind !== 'sign') continue
    if ('([{'.includes(value)) depth++
    else if (')]}'.includes(value)) depth--
  }
  return depth
}

function tokensOf(line: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < line.length; ) {
    const rest = line.slice(at)
    if (rest.startsWith('#')) break
    const space = /^\s+|^\\$/.exec(rest)
    if (space !== null) {
      at += space[0].length
      continue
    }
    const { token, length } = nextToken(rest)
    tokens.push(...token)
    at += length
  }
  return tokens
}

function nextToken(rest: string): { token: Token[]; length: number } {
  const first = rest[0]!
  if (first === '"' || first === "'") return quoted(rest, first)
  const words = word.exec(rest)
  if (words !== null) {
    const texts = words[1]!.split(/\s+/).filter((word) => word !== '')
    const listed = texts.flatMap((value): Token[] => [{ kind: 'text', value }, comma])
    return { token: [{ kind: 'sign', value: '[' }, ...listed, { kind: 'sign', value: ']' }], length: words[0].length }
  }
  const asLabel = label.exec(rest)
  // `group: :test` means `:group => :test`.
  if (asLabel !== null) return { token: [{ kind: 'symbol', value: asLabel[1]! }, arrow], length: asLabel[0].length }
  const asSymbol = symbol.exec(rest)
  if (asSymbol !== null)
    return { token: [{ kind: 'symbol', value: asSymbol[1] ?? asSymbol[2]! }], length: asSymbol[0].length }
  const asName = name.exec(rest)
  if (asName !== null) return { token: [{ kind: 'name', value: asName[0] }], length: asName[0].length }
  const asSign = sign.exec(rest)
  if (asSign !== null) return { token: [{ kind: 'sign', value: asSign[0] }], length: asSign[0].length }
  return { token: [other(first)], length: 1 }
}

function quoted(rest: string, quote: string): { token: Token[]; length: number } {
  let value = ''
  let isPlain = true
  for (let at = 1; at < rest.length; at++) {
    const character = rest[at]!
    if (character === quote) return { token: [isPlain ? { kind: 'text', value } : other(value)], length: at + 1 }
    if (character === '\\') value += rest[++at] ?? ''
    else {
      if (quote === '"' && character === '#' && rest[at + 1] === '{') isPlain = false
      value += character
    }
  }
  return { token: [{ kind: 'unfinished', value: rest }], length: rest.length }
}

const arrow: Token = { kind: 'sign', value: '=>' }
const comma: Token = { kind: 'sign', value: ',' }

function other(value: string): Token {
  return { kind: 'other', value }
}
