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

/** A new secret: a prefix that scanners find, 256 random bits, and a CRC-32 of both as six characters. */
export function newSecret(kind: SecretKind): string {
  const { prefix, suffix } = forms[kind]
  const body = `${prefix}${randomBytes(32).toString('base64url')}`
  return `${body}${checksum(body)}${suffix}`
}

/** Which kind of secret a text is, if its checksum fits: ours, perhaps long revoked. */
export function secretKindOf(text: string): SecretKind | undefined {
  return (Object.keys(forms) as SecretKind[]).find((kind) => isSecret(text, kind))
}

/** What finds secrets of a kind in other text, as a regular expression without anchors. */
export function secretPattern(kind: SecretKind): string {
  const { prefix, suffix } = forms[kind]
  return `${prefix}[A-Za-z0-9_-]{49}${suffix}`
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
