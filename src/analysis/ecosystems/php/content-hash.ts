import { isObject, type JsonObject, ownValue, toAscii } from '#analysis/documents/json-document.ts'
import { md5 } from './md5.ts'

/** In the order in which Composer sorts them. */
const RELEVANT = [
  'conflict',
  'extra',
  'minimum-stability',
  'name',
  'prefer-stable',
  'provide',
  'replace',
  'repositories',
  'require',
  'require-dev',
  'version',
]

/**
 * Returns the `content-hash` of a composer.json (`Locker::getContentHash` of Composer 2). Undefined if it has a number or
 * a key whose spelling or order the parsed document does not keep.
 */
export function contentHash(manifest: JsonObject): string | undefined {
  const config = ownValue(manifest, 'config')
  const platform = isObject(config) ? ownValue(config, 'platform') : undefined
  const members = RELEVANT.filter((key) => Object.hasOwn(manifest, key)).map((key) => [key, manifest[key]])
  const isPlatformSet = platform !== undefined && platform !== null
  const content = Object.fromEntries([...(isPlatformSet ? [['config', { platform }]] : []), ...members])
  const sorted = Object.fromEntries(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1)))
  const text = encode(sorted)
  return text === undefined ? undefined : md5(text)
}

/** Writes JSON as PHP's `json_encode` does; empty objects are lists there. */
function encode(value: unknown): string | undefined {
  if (typeof value === 'string') return encodeText(value)
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined
  if (Array.isArray(value)) return join(value.map(encode), '[]')
  if (!isObject(value)) return String(value)
  const entries = Object.entries(value)
  if (entries.length === 0) return '[]'
  // JavaScript moves such keys to the front, and PHP makes lists of some.
  if (entries.some(([key]) => /^(?:0|-?[1-9]\d*)$/.test(key))) return undefined
  return join(
    entries.map(([key, member]) => {
      const text = encode(member)
      return text === undefined ? undefined : `${encodeText(key)}:${text}`
    }),
    '{}',
  )
}

function encodeText(text: string): string {
  return toAscii(JSON.stringify(text)).replaceAll('/', '\\/')
}

function join(parts: readonly (string | undefined)[], brackets: string): string | undefined {
  return parts.includes(undefined) ? undefined : `${brackets[0]}${parts.join(',')}${brackets[1]}`
}
