import { generateKeyPair, type KeyObject, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'

/** How access tokens can be signed (RFC 7518 §3.1, RFC 8037). */
export const algorithms = ['ES256', 'RS256', 'EdDSA'] as const
export type Algorithm = (typeof algorithms)[number]

const generate = promisify(generateKeyPair)

interface KeyPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

export function generateKeys(algorithm: Algorithm): Promise<KeyPair> {
  if (algorithm === 'ES256') return generate('ec', { namedCurve: 'P-256' })
  if (algorithm === 'EdDSA') return generate('ed25519')
  return generate('rsa', { modulusLength: 2048 })
}

export function signWith(algorithm: Algorithm, key: KeyObject, text: string): Buffer {
  const bytes = Buffer.from(text)
  if (algorithm === 'ES256') return sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' })
  return sign(algorithm === 'EdDSA' ? null : 'sha256', bytes, key)
}

export function verifyWith(
  algorithm: Algorithm,
  key: KeyObject,
  { text, signature }: { text: string; signature: Buffer },
): boolean {
  const bytes = Buffer.from(text)
  if (algorithm === 'ES256') return verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, signature)
  return verify(algorithm === 'EdDSA' ? null : 'sha256', bytes, key, signature)
}
