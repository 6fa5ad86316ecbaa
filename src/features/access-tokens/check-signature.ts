import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { algorithms, verifyWith } from './algorithms.ts'

/** `unknown_key`: no published key has the id that the token names. */
export type SignatureState = 'fits' | 'wrong' | 'unknown_key'

/**
 * Verifies the signature of a token (RFC 7515 §5.2) with published keys. The key determines the algorithm; the token's
 * `alg` must agree with it (RFC 8725 §3.1).
 */
export function checkSignature(token: string, keys: readonly JsonWebKey[]): SignatureState {
  const parts = token.split('.')
  const header = parts.length === 3 ? readHeader(parts[0]!) : undefined
  if (!header) return 'wrong'
  const jwk = keys.find(({ kid }) => kid !== undefined && kid === header['kid'])
  const algorithm = algorithms.find((name) => name === jwk?.['alg'])
  const key = jwk && algorithm && readKey(jwk)
  if (!key) return 'unknown_key'
  if (header['alg'] !== algorithm || header['crit'] !== undefined) return 'wrong'
  const [head, payload, signature] = parts as [string, string, string]
  const fits = verifyWith(algorithm, key, {
    text: `${head}.${payload}`,
    signature: Buffer.from(signature, 'base64url'),
  })
  return fits ? 'fits' : 'wrong'
}

/** Returns undefined for a malformed key: key sets also come from files. */
function readKey(key: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key, format: 'jwk' })
  } catch {
    return undefined
  }
}

function readHeader(part: string): Record<string, unknown> | undefined {
  try {
    const header: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof header === 'object' && header !== null ? (header as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
