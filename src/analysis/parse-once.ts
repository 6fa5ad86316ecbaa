const MAX_TEXTS = 5_000
/** Longer texts are not cached, to limit memory. */
const MAX_CHARACTERS = 500

/** Parses equal texts once: lockfiles repeat a few of them thousands of times, and so do ranges that conflict. */
export function parseOnce<Parsed>(parse: (text: string) => Parsed): (text: string) => Parsed {
  const cache = new Map<string, { readonly parsed: Parsed }>()
  return (text) => {
    const cached = cache.get(text)
    if (cached !== undefined) return cached.parsed
    const parsed = parse(text)
    if (text.length > MAX_CHARACTERS) return parsed
    if (cache.size >= MAX_TEXTS) cache.clear()
    cache.set(text, { parsed })
    return parsed
  }
}
