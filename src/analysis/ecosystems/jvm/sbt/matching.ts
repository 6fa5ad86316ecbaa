import type { Expression, Pattern } from './scala/syntax.ts'
import { areEqual, isUnknown, type Value } from './values.ts'

/** Matches a pattern and returns the bound names; undefined on mismatch, `unknown` if undecided. */
export function matchPattern(
  pattern: Pattern,
  value: Value,
  evaluate: (expression: Expression) => Value,
): ReadonlyMap<string, Value> | undefined | 'unknown' {
  switch (pattern.kind) {
    case 'any':
      return new Map()
    case 'bind':
      return new Map([[pattern.name, value]])
    case 'unread':
      return 'unknown'
    case 'equal': {
      const equal = areEqual(value, evaluate(pattern.to))
      return equal === undefined ? 'unknown' : equal ? new Map() : undefined
    }
    case 'either': {
      const found = pattern.of.map((each) => matchPattern(each, value, evaluate))
      return found.find((each) => each instanceof Map) ?? (found.includes('unknown') ? 'unknown' : undefined)
    }
    case 'extract':
      return isUnknown(value) ? 'unknown' : matchParts(pattern, value, evaluate)
  }
}

function matchParts(
  { name, parts }: Extract<Pattern, { kind: 'extract' }>,
  value: Value,
  evaluate: (expression: Expression) => Value,
): ReadonlyMap<string, Value> | undefined | 'unknown' {
  const items = itemsOf(name, value)
  if (items === 'unknown' || items === undefined) return items
  if (items.length !== parts.length) return undefined
  const names = new Map<string, Value>()
  for (const [index, part] of parts.entries()) {
    const found = matchPattern(part, items[index]!, evaluate)
    if (found === undefined || found === 'unknown') return found
    for (const [key, each] of found) names.set(key, each)
  }
  return names
}

/** Returns the parts of a value if its kind matches the pattern's name. */
function itemsOf(name: string, value: Value): readonly Value[] | undefined | 'unknown' {
  if (name === '') return value.kind === 'tuple' ? value.items : undefined
  if (name !== 'Some' || value.kind !== 'list') return 'unknown'
  return value.isOption && value.items.length === 1 ? value.items : undefined
}
