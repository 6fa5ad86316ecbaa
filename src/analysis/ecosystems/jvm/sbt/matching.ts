import type { Expression, Pattern } from './scala/syntax.ts'
import { areEqual, isUnknown, type Value } from './values.ts'

type Names = ReadonlyMap<string, Value>

/** Matches a pattern and returns the bound names; undefined on mismatch, `unknown` if undecided. */
export function matchPattern(
  pattern: Pattern,
  value: Value,
  evaluate: (expression: Expression) => Value,
): Names | undefined | 'unknown' {
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
      const matches = pattern.of.map((pattern) => matchPattern(pattern, value, evaluate))
      return matches.find((match) => match instanceof Map) ?? (matches.includes('unknown') ? 'unknown' : undefined)
    }
    case 'extract': {
      const items = itemsOf(pattern.name, value)
      if (items === 'unknown' || items?.length !== pattern.parts.length) return items === 'unknown' ? items : undefined
      const bindings = pattern.parts.map((part, index) => matchPattern(part, items[index]!, evaluate))
      const open = bindings.find((binding) => binding === undefined || binding === 'unknown')
      if (bindings.includes(undefined) || open === 'unknown') return open
      return new Map(bindings.flatMap((binding) => [...(binding as Names)]))
    }
  }
}

/** Returns the parts of a tuple (no name) or `Some`. */
function itemsOf(name: string, value: Value): readonly Value[] | undefined | 'unknown' {
  if (isUnknown(value) || !['', 'Some'].includes(name)) return 'unknown'
  if (name === '') return value.kind === 'tuple' ? value.items : undefined
  if (value.kind !== 'list') return 'unknown'
  return value.isOption ? value.items : undefined
}
