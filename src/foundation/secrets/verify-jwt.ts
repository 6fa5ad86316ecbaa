import { type CryptoKey, errors, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose'

/** Maximum number of keys that are tried for one token. */
const MAX_KEYS = 10

/** Verifies a JWT. Without a `kid`, which RFC 7515 §4.1.4 makes optional, several keys may match: each is tried. */
export async function verifyJwt(token: string, keys: JWTVerifyGetKey, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keys, options)).payload
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    let count = 0
    for await (const key of error) {
      if (count++ === MAX_KEYS) break
      const payload = await tryKey(token, key, options)
      if (payload) return payload
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

async function tryKey(token: string, key: CryptoKey, options: JWTVerifyOptions): Promise<JWTPayload | undefined> {
  try {
    return (await jwtVerify(token, key, options)).payload
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) return undefined
    throw error
  }
}
