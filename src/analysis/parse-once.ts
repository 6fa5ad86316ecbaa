const MAX_TEXTS = 5_000
/** Longer texts are not cached, to limit memory. */
const MAX_CHARACTERS = 500

/** Parses equal texts once: lockfiles repeat a few of them thousands of times, and so do ranges that conflict. */
export function parseOnce<Parsed>(parse: (text: string) => Parsed): (text: string) => Parsed {
  const known = new Map<string, { readonly parsed: Parsed }>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found.parsed
    const parsed = parse(text)
    if (text.length > MAX_CHARACTERS) return parsed
    if (known.size >= MAX_TEXTS) known.clear()
    known.set(text, { parsed })
    return parsed
  }
}
