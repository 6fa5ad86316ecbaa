/** Returns the query parameters that the schema describes as lists. */
export function listNamesOf(querystring: unknown): readonly string[] {
  const { properties = {} } = (querystring ?? {}) as { properties?: Record<string, { type?: unknown }> }
  return Object.entries(properties).flatMap(([name, { type }]) => (type === 'array' ? [name] : []))
}

/** Splits lists: `a,b` or a repeated parameter. */
export function withLists(query: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  const lists = names.flatMap((name) => {
    const value = query[name]
    const texts = [value].flat().filter((text) => typeof text === 'string')
    return value === undefined ? [] : [[name, texts.flatMap((text) => text.split(','))] as const]
  })
  return lists.length === 0 ? query : { ...query, ...Object.fromEntries(lists) }
}
