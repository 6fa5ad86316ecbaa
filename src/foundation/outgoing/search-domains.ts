/** Completion of names before DNS queries (resolv.conf(5)). */
export interface SearchDomains {
  readonly domains: readonly string[]
  /** Names with at least this many dots are first queried unchanged. */
  readonly ndots: number
}

const MAX_NDOTS = 15

/** Parses resolv.conf; the last `search` or `domain` line counts. */
export function parseSearchDomains(text: string): SearchDomains {
  let domains: string[] = []
  let ndots = 1
  for (const line of text.split('\n')) {
    const [keyword, ...values] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/)
    if (keyword === 'search' || keyword === 'domain') domains = values.map((domain) => domain.replace(/\.$/, ''))
    if (keyword !== 'options') continue
    const digitsOfNdots = values
      .map((option) => /^ndots:(\d{1,3})$/.exec(option)?.[1])
      .find((digits) => digits !== undefined)
    if (digitsOfNdots !== undefined) ndots = Math.min(MAX_NDOTS, Number(digitsOfNdots))
  }
  return { domains: domains.filter((domain) => domain !== ''), ndots }
}

/** Returns the names to query in order. A final dot marks a complete name. */
export function listFullNames(name: string, { domains, ndots }: SearchDomains): string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)]
  const completed = domains.map((domain) => `${name}.${domain}`)
  const dots = name.split('.').length - 1
  return dots >= ndots ? [name, ...completed] : [...completed, name]
}
