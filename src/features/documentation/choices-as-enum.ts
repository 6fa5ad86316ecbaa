interface Choice {
  readonly const?: unknown
  readonly type?: unknown
}

/**
 * For `JSON.stringify`: a choice among words is written as `enum`. TypeBox writes one schema for each word, of which
 * generators of clients make a type and a parser each (one of them parsers that take the last word only).
 */
export function choicesAsEnum(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('anyOf' in value)) return value
  const { anyOf, ...others } = value as { anyOf: readonly Choice[] }
  const [first] = anyOf
  const isWords = anyOf.every((choice) => 'const' in choice && choice.type === first?.type)
  return isWords ? { ...others, type: first?.type, enum: anyOf.map((choice) => choice.const) } : value
}
