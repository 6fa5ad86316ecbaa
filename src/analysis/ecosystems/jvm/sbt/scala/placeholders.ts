import type { Argument, Expression, Pattern } from './syntax.ts'

/** Turns `_ % "1"` into the function `x => x % "1"` (SLS 6.23.2): each `_` becomes a parameter. */
export function closePlaceholders(expression: Expression): Expression {
  const takes: Pattern[] = []
  const body = replace(expression, () => {
    const name = `_${takes.length}`
    takes.push({ kind: 'bind', name, to: { kind: 'any' } })
    return name
  })
  return takes.length === 0 ? expression : { kind: 'lambda', takes, body, line: expression.line }
}

/** Replaces placeholders of the expression itself: arguments have bound theirs, unless they are a bare `_`. */
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
