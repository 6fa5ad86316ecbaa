import { NotUnderstood, type TokenCursor } from './cursor.ts'
import { parsePattern } from './patterns.ts'
import type { Expression } from './syntax.ts'

/** Parsers of expressions that begin with a keyword. */
export const keywords: ReadonlyMap<string, (cursor: TokenCursor) => Expression> = new Map([
  ['true', (cursor: TokenCursor): Expression => ({ kind: 'boolean', value: true, line: cursor.next()!.line })],
  ['false', (cursor: TokenCursor): Expression => ({ kind: 'boolean', value: false, line: cursor.next()!.line })],
  ['if', parseIf],
  ['for', parseFor],
  ['new', parseNew],
  ['throw', parseThrow],
  ...['try', 'while', 'do', 'return'].map(
    (word) =>
      [
        word,
        (): Expression => {
          throw new NotUnderstood(`${word} is not read`)
        },
      ] as const,
  ),
])

function parseThrow(cursor: TokenCursor): Expression {
  const { line } = cursor.next()!
  cursor.grammar.parseExpression(cursor)
  return { kind: 'unread', reason: 'The build would stop here', line }
}

function parseIf(cursor: TokenCursor): Expression {
  const { line } = cursor.next()!
  cursor.expectSign('(')
  const condition = cursor.inside('(', () => cursor.grammar.parseExpression(cursor))
  cursor.expectSign(')')
  if (cursor.isWord('then')) cursor.next()
  const then = cursor.grammar.parseExpression(cursor)
  if (cursor.isSign(';') && cursor.isWord('else', 1)) cursor.next()
  if (!cursor.isWord('else')) return { kind: 'if', condition, then, otherwise: undefined, line }
  cursor.next()
  return { kind: 'if', condition, then, otherwise: cursor.grammar.parseExpression(cursor), line }
}

/** Desugars `for (x <- xs if c; y <- ys) yield e` to method calls (SLS 6.19). */
function parseFor(cursor: TokenCursor): Expression {
  const { line } = cursor.next()!
  const open = cursor.isSign('{') ? '{' : '('
  cursor.expectSign(open)
  const steps = cursor.inside(open, () => parseGenerators(cursor))
  cursor.expectSign(open === '{' ? '}' : ')')
  if (!cursor.isWord('yield')) {
    cursor.grammar.parseExpression(cursor)
    return { kind: 'unread', reason: 'A loop is not read', line }
  }
  cursor.next()
  let found = cursor.grammar.parseExpression(cursor)
  let method = 'map'
  for (const step of steps.toReversed()) {
    const call = (of: Expression, name: string, argument: Expression): Expression => ({
      kind: 'apply',
      to: { kind: 'select', of, name, line },
      given: [{ name: undefined, value: argument }],
      line,
    })
    const over = step.guards.reduce(
      (from, guard) => call(from, 'filter', { kind: 'lambda', takes: [step.pattern], body: guard, line }),
      step.from,
    )
    found = call(over, method, { kind: 'lambda', takes: [step.pattern], body: found, line })
    method = 'flatMap'
  }
  return found
}

function parseGenerators(cursor: TokenCursor) {
  const steps: { pattern: ReturnType<typeof parsePattern>; from: Expression; guards: Expression[] }[] = []
  while (!cursor.isSign(')') && !cursor.isSign('}')) {
    if (cursor.isSign(';')) cursor.next()
    else if (cursor.isWord('if') && steps.length > 0) {
      cursor.next()
      steps.at(-1)!.guards.push(cursor.grammar.parseInfix(cursor, 0))
    } else {
      const pattern = parsePattern(cursor)
      if (!cursor.isOperator('<-')) throw new NotUnderstood('Only generators are read in a for')
      cursor.next()
      steps.push({ pattern, from: cursor.grammar.parseInfix(cursor, 0), guards: [] })
    }
  }
  return steps
}

/** Parses `new Name(…)` as a call of the name; skips a body. */
function parseNew(cursor: TokenCursor): Expression {
  const { line } = cursor.next()!
  const made = cursor.grammar.parseSelections(cursor)
  return made.kind === 'unread' ? made : { ...made, line }
}
