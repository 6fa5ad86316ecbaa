import type { Statement, Token } from './ruby-tokens.ts'

const MAX_STATEMENTS = 20_000
const BEGINNINGS = /^(?:if|unless|case|begin|while|until|for|def|class|module)$/

interface Loop {
  /** The loop's name of each text. */
  readonly name: string
  readonly texts: readonly string[]
  /** The rest of the statement: of a loop in braces, all that it does. */
  readonly body: readonly Token[] | undefined
}

/** Repeats what stands in loops over lists of texts (`%w[a b].each do |name|`), once for each of them. */
export function unrollLoops(statements: readonly Statement[]): readonly Statement[] {
  const lists = new Map<string, readonly string[]>()
  const unrolled: Statement[] = []
  for (let at = 0; at < statements.length; at++) {
    const statement = statements[at]!
    noteList(statement.tokens, lists)
    const loop = loopOf(statement.tokens, lists)
    const end = loop === undefined || loop.body !== undefined ? at : endOf(statements, at)
    const body = loop?.body === undefined ? statements.slice(at + 1, end) : [{ ...statement, tokens: loop.body }]
    if (loop === undefined || end === undefined || body.length * loop.texts.length > MAX_STATEMENTS - unrolled.length) {
      unrolled.push(statement)
      continue
    }
    for (const text of loop.texts) unrolled.push(...body.map((statement) => withText(statement, loop.name, text)))
    at = end
  }
  return unrolled
}

/** `NAMES = %w[a b].freeze`; any other statement that begins with the name changes it. */
function noteList(tokens: readonly Token[], lists: Map<string, readonly string[]>): void {
  const [name, sign] = tokens
  if (name?.kind !== 'name') return
  if (sign?.value === '=') {
    const list = listAt(tokens, 2)
    const rest = list === undefined ? [] : tokens.slice(list.end)
    const isPlain = rest.length === 0 || rest.map(({ value }) => value).join('') === '.freeze'
    if (list !== undefined && isPlain) lists.set(name.value, list.texts)
    else lists.delete(name.value)
  } else if (tokens[2]?.value !== 'each') lists.delete(name.value)
}

function loopOf(tokens: readonly Token[], lists: ReadonlyMap<string, readonly string[]>): Loop | undefined {
  const texts = tokens[0]?.kind === 'name' ? lists.get(tokens[0].value) : undefined
  const list = texts === undefined ? listAt(tokens, 0) : { texts, end: 1 }
  if (list === undefined) return undefined
  const [dot, method, open, before, name, after] = tokens.slice(list.end)
  const isLoop = dot?.value === '.' && method?.value === 'each' && before?.value === '|' && after?.value === '|'
  if (!isLoop || name?.kind !== 'name') return undefined
  const rest = tokens.slice(list.end + 6)
  if (open?.value === 'do')
    return rest.length === 0 ? { name: name.value, texts: list.texts, body: undefined } : undefined
  const isWhole = open?.value === '{' && rest.at(-1)?.value === '}' && !rest.some(({ value }) => value === ';')
  return isWhole ? { name: name.value, texts: list.texts, body: rest.slice(0, -1) } : undefined
}

/** `['a', 'b']`. */
function listAt(tokens: readonly Token[], begin: number): { texts: readonly string[]; end: number } | undefined {
  if (tokens[begin]?.kind !== 'sign' || tokens[begin].value !== '[') return undefined
  const length = tokens.slice(begin).findIndex(({ kind, value }) => kind === 'sign' && value === ']')
  const inside = tokens.slice(begin + 1, begin + length)
  if (length === -1 || !inside.every(({ kind, value }) => kind === 'text' || (kind === 'sign' && value === ','))) {
    return undefined
  }
  return { texts: inside.flatMap(({ kind, value }) => (kind === 'text' ? value : [])), end: begin + length + 1 }
}

/** Returns the end of the block that the statement opens. */
function endOf(statements: readonly Statement[], begin: number): number | undefined {
  let depth = 1
  for (let at = begin + 1; at < statements.length; at++) {
    const { tokens } = statements[at]!
    const isName = (token: Token | undefined, name: RegExp) => token?.kind === 'name' && name.test(token.value)
    const isClosed = isName(tokens.at(-1), /^end$/)
    if (isName(tokens[0], /^end$/)) depth--
    else if (!isClosed && (isName(tokens[0], BEGINNINGS) || tokens.some((token) => isName(token, /^do$/)))) depth++
    if (depth === 0) return at
  }
  return undefined
}

function withText(statement: Statement, name: string, text: string): Statement {
  const { tokens } = statement
  return {
    ...statement,
    tokens: tokens.map((token, at): Token => {
      const isName = token.kind === 'name' && token.value === name
      return isName && tokens[at + 1]?.value !== '.' && tokens[at - 1]?.value !== '.'
        ? { kind: 'text', value: text }
        : token
    }),
  }
}
