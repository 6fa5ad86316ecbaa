/** Replaces `${…}`; expressions without a value stay as written. */
export type Interpolate = (text: string) => string

const MAX_CHARACTERS = 2_000
const MAX_CHAIN = 100

/**
 * Maven's model interpolation (StringSearchInterpolator): values may contain expressions; self-references and
 * excessively long values stay unreplaced.
 */
export function createInterpolator(find: (expression: string) => string | undefined): Interpolate {
  const cache = new Map<string, string | undefined>()
  const underWay = new Set<string>()

  function resolve(expression: string): string | undefined {
    if (cache.has(expression)) return cache.get(expression)
    if (underWay.has(expression) || underWay.size === MAX_CHAIN) return undefined
    const raw = find(expression)
    if (raw === undefined) return undefined
    underWay.add(expression)
    const value = interpolate(raw)
    underWay.delete(expression)
    cache.set(expression, value)
    return value
  }

  function interpolate(text: string): string {
    let start = text.indexOf('${')
    if (start < 0) return text
    let done = ''
    let at = 0
    for (; start >= 0; start = text.indexOf('${', at)) {
      const end = text.indexOf('}', start)
      if (end < 0) break
      const value = resolve(text.slice(start + 2, end).trim())
      done += text.slice(at, start) + (value ?? text.slice(start, end + 1))
      at = end + 1
      if (done.length > MAX_CHARACTERS) return text
    }
    return done + text.slice(at)
  }

  return interpolate
}

/** Returns true if the text still contains an expression. */
export function hasExpression(text: string): boolean {
  return text.includes('${')
}
