import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * A new client secret: a prefix that scanners find, 256 random bits, and a CRC-32 of both as six characters, so that a
 * found string can be told from a look-alike offline. Prefix and suffix are spelled as existing clients know them.
 */
export function newClientSecret(): string {
  const body = `snyk_cs_${randomBytes(32).toString('base64url')}`
  return `${body}${checksum(body)}_v1`
}

/** Whether the checksum fits: ours, perhaps long revoked. */
export function isClientSecret(text: string): boolean {
  const parts = /^(snyk_cs_[A-Za-z0-9_-]{43})([A-Za-z0-9_-]{6})_v1$/.exec(text)
  return parts !== null && checksum(parts[1]!) === parts[2]
}

function checksum(body: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(body))
  return bytes.toString('base64url')
}
