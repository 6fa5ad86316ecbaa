interface Choice {
  readonly const?: unknown
  readonly type?: unknown
}

/**
 * Writes a union of string constants as `enum`; a replacer for `JSON.stringify`. TypeBox writes one schema per
 * constant, from which client generators create one type and parser each (one generator accepts only the last
 * constant).
 */
export function choicesAsEnum(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('anyOf' in value)) return value
  const { anyOf, ...others } = value as { anyOf: readonly Choice[] }
  const [first] = anyOf
  const isWords = anyOf.every((choice) => 'const' in choice && choice.type === first?.type)
  return isWords ? { ...others, type: first?.type, enum: anyOf.map((choice) => choice.const) } : value
}
