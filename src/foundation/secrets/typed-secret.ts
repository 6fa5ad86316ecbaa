import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * Kinds of secrets with a recognizable prefix and a checksum, which distinguish them from other strings offline. The
 * client secret has the format that existing clients know. An access token is a JWT whose `jti` has this form.
 */
const forms = {
  client_secret: { prefix: 'snyk_cs_', suffix: '_v1' },
  authorization_code: { prefix: 'gate_ac_', suffix: '' },
  refresh_token: { prefix: 'gate_rt_', suffix: '' },
  access_token_id: { prefix: 'gate_at_', suffix: '' },
} as const

export type SecretKind = keyof typeof forms
export const secretKinds = Object.keys(forms) as readonly SecretKind[]

/** Creates a secret: a prefix for scanners, 256 random bits, and a CRC-32 of both as six characters. */
export function newSecret(kind: SecretKind): string {
  return toSecret(kind, randomBytes(32).toString('base64url'))
}

/** Writes 256 bits, such as a keyed digest in base64url, as a secret. */
export function toSecret(kind: SecretKind, bits: string): string {
  const { prefix, suffix } = forms[kind]
  const body = `${prefix}${bits}`
  return `${body}${checksum(body)}${suffix}`
}

/** Returns the kind of a secret with a matching checksum, even if it was revoked. */
export function secretKindOf(text: string): SecretKind | undefined {
  return secretKinds.find((kind) => isSecret(text, kind))
}

/** 32 bytes, then the 4 of the checksum: the last character of each part has only a few possible values. */
const RANDOM_AND_CHECKSUM = '[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048][A-Za-z0-9_-]{5}[AQgw]'

/**
 * Returns a regular expression for secrets of a kind in other text, portable between scanners (RE2 too, so without
 * lookaround). Does not match the beginning of a longer word.
 */
export function secretPattern(kind: SecretKind): string {
  const { prefix, suffix } = forms[kind]
  return `${prefix}${RANDOM_AND_CHECKSUM}${suffix}\\b`
}

/** Returns the last four varying characters of a secret, shown to users. */
export function hintOf(secret: string): string {
  const kind = secretKindOf(secret)
  return secret.slice(0, secret.length - (kind ? forms[kind].suffix.length : 0)).slice(-4)
}

export function prefixOf(kind: SecretKind): string {
  return forms[kind].prefix
}

function isSecret(text: string, kind: SecretKind): boolean {
  const { prefix, suffix } = forms[kind]
  if (!new RegExp(`^${secretPattern(kind)}$`).test(text)) return false
  const body = text.slice(0, prefix.length + 43)
  return checksum(body) === text.slice(body.length, text.length - suffix.length)
}

function checksum(body: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(body))
  return bytes.toString('base64url')
}
