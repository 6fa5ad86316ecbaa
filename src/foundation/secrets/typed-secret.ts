import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * Kinds of secrets that carry their kind and a checksum, so that a found string can be told from a look-alike offline.
 * The client secret is spelled as existing clients know it. An access token is a JWT; its `jti` is of this form.
 */
const forms = {
  client_secret: { prefix: 'snyk_cs_', suffix: '_v1' },
  authorization_code: { prefix: 'gate_ac_', suffix: '' },
  refresh_token: { prefix: 'gate_rt_', suffix: '' },
  access_token_id: { prefix: 'gate_at_', suffix: '' },
} as const

export type SecretKind = keyof typeof forms
export const secretKinds = Object.keys(forms) as readonly SecretKind[]

/** A new secret: a prefix that scanners find, 256 random bits, and a CRC-32 of both as six characters. */
export function newSecret(kind: SecretKind): string {
  const { prefix, suffix } = forms[kind]
  const body = `${prefix}${randomBytes(32).toString('base64url')}`
  return `${body}${checksum(body)}${suffix}`
}

/** Which kind of secret a text is, if its checksum fits: ours, perhaps long revoked. */
export function secretKindOf(text: string): SecretKind | undefined {
  return secretKinds.find((kind) => isSecret(text, kind))
}

/** 32 bytes, then the 4 of the checksum: the last character of each part can be only one of a few. */
const RANDOM_AND_CHECKSUM = '[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048][A-Za-z0-9_-]{5}[AQgw]'

/**
 * What finds secrets of a kind in other text: a regular expression that scanners of every make understand (RE2 too, so
 * without lookaround). What a longer word only begins with is not found.
 */
export function secretPattern(kind: SecretKind): string {
  const { prefix, suffix } = forms[kind]
  return `${prefix}${RANDOM_AND_CHECKSUM}${suffix}\\b`
}

/** The last four characters that differ between secrets: what people tell them apart by. */
export function hintOf(secret: string): string {
  const kind = secretKindOf(secret)
  return secret.slice(0, secret.length - (kind ? forms[kind].suffix.length : 0)).slice(-4)
}

/** How secrets of a kind begin. */
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
