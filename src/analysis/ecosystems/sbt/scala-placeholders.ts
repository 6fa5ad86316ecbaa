import type { Argument, Expression, Pattern } from './scala-syntax.ts'

/** `_ % "1"` is the function `x => x % "1"` (SLS 6.23.2): each `_` of this expression becomes what it takes. */
export function closePlaceholders(expression: Expression): Expression {
  const takes: Pattern[] = []
  const body = replace(expression, () => {
    const name = `_${takes.length}`
    takes.push({ kind: 'bind', name, to: { kind: 'any' } })
    return name
  })
  return takes.length === 0 ? expression : { kind: 'lambda', takes, body, line: expression.line }
}

/** Only what belongs to the expression itself: arguments have closed theirs, unless they are nothing but `_`. */
function replace(expression: Expression, nextName: () => string): Expression {
  switch (expression.kind) {
    case 'placeholder':
      return { kind: 'name', name: nextName(), line: expression.line }
    case 'select':
    case 'prefix':
    case 'match':
      return { ...expression, of: replace(expression.of, nextName) }
    case 'infix': {
      const left = replace(expression.left, nextName)
      return { ...expression, left, right: replace(expression.right, nextName) }
    }
    case 'apply': {
      const to = replace(expression.to, nextName)
      return { ...expression, to, given: expression.given.map((each) => replaceBare(each, nextName)) }
    }
    case 'tuple':
      return { ...expression, items: expression.items.map((each) => replaceBare(each, nextName)) }
    default:
      return expression
  }
}

function replaceBare(argument: Argument, nextName: () => string): Argument {
  return argument.value.kind === 'placeholder' ? { ...argument, value: replace(argument.value, nextName) } : argument
}
