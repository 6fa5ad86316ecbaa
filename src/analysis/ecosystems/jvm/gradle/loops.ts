import type { ScriptContext } from './facts.ts'
import { type Call, parametersOf } from './language/expressions.ts'
import { createVariables, evaluate, type Value, type Variables } from './language/values.ts'

const LOOP =
  /^(?:each|forEach|eachWithIndex|forEachIndexed|collect|map|all|configureEach|also|let|with|run|apply|times)$/

/** Returns true if the call runs its block for each item of its receiver. */
export function isLoop({ names }: Call): boolean {
  return names.length > 1 && LOOP.test(names.at(-1)!)
}

/**
 * Returns the variables of each round of `list.each { … }` and similar loops. An unknown or too long list yields one
 * round with an unknown item.
 */
export function roundsOf(call: Call, { variables, facts: { rounds } }: ScriptContext): Variables[] {
  const parameters = parametersOf(call)
  const items = itemsOf(call, variables)
  const isIndexed = /(?:WithIndex|Indexed)$/.test(call.names.at(-1)!)
  const words = (items?.length ?? 0) * (call.tokens.end - call.tokens.from)
  if (items === undefined || items.length > rounds.left || words > rounds.wordsLeft)
    return [bind(variables, parameters, [])]
  rounds.left -= items.length
  rounds.wordsLeft -= words
  return items.map((item) => bind(variables, parameters, isIndexed ? [] : item))
}

/** Returns the parameter values of each round. */
function itemsOf({ names, positional }: Call, variables: Variables): (readonly Value[])[] | undefined {
  const [first] = positional
  const isOnValue = names[0] === '(value)' && names.length === 2
  const target = isOnValue ? first && evaluate(first, variables) : variables.get(names.slice(0, -1))
  if (Array.isArray(target)) return target.map((item: Value) => [item])
  if (!(target instanceof Map)) return undefined
  return [...target].map(([key, value]) => [key, value])
}

function bind(outer: Variables, parameters: readonly string[], item: readonly Value[]): Variables {
  const inner = createVariables(outer)
  const [first, second] = item
  const names = parameters.length === 0 ? ['it'] : parameters
  const isEntry = item.length === 2 && names.length === 1
  for (const [at, name] of names.entries()) {
    inner.set(
      [name],
      isEntry
        ? new Map([
            ['key', first],
            ['value', second],
          ])
        : item[at],
    )
  }
  return inner
}
