import { createHash } from 'node:crypto'

const NUMBER_BYTES = 6

/**
 * Returns the id of an issue of one project for clients that require a UUID (RFC 9562, version 8): the project's
 * number, then a digest of the issue's own id. It is stable and leads to its project without being stored.
 */
export function issueUuid(projectNumber: number, issueId: string): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(projectNumber, 0, NUMBER_BYTES)
  createHash('sha256')
    .update(issueId)
    .digest()
    .copy(bytes, NUMBER_BYTES, 0, 16 - NUMBER_BYTES)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Returns the number of the project whose issue may have this id. */
export function projectNumberOf(uuid: string): number {
  return Number.parseInt(uuid.replaceAll('-', '').slice(0, 2 * NUMBER_BYTES), 16)
}
