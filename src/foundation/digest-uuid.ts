import { createHash } from 'node:crypto'

/** Returns a digest in the form of a UUID (RFC 9562 §5.8: version 8, custom). */
export function toUuid(parts: Iterable<string>): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  const digest = hash.digest('hex')
  const groups = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ]
  return groups.join('-')
}
