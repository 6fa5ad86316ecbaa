const LONGEST = 1_000

/**
 * Reads `"MIT"` in a package.json, or the older `{ "type": "MIT" }` and `[{ "type": "MIT" }, …]`; a list means a
 * choice.
 */
export function licenseInManifest(manifest: unknown): string | undefined {
  const value = member(manifest, 'license') ?? member(manifest, 'licenses')
  const words = (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => word(member(one, 'type') ?? one))
  return join(words)
}

/** Reads a gem's licenses, of which users may choose one (RubyGems specification reference, `licenses`). */
export function licenseInGem(description: unknown): string | undefined {
  const value = member(description, 'licenses')
  return Array.isArray(value) ? join(value.flatMap(word)) : undefined
}

function join(words: readonly string[]): string | undefined {
  const text =
    words.length > 1 ? words.map((word) => (/ (?:AND|OR) /.test(word) ? `(${word})` : word)).join(' OR ') : words[0]
  return text !== undefined && text.length <= LONGEST ? text : undefined
}

function word(value: unknown): string[] {
  return typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST ? [value] : []
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}
