import { randomBytes } from 'node:crypto'
import type { Keyring } from '#foundation/secrets/keyring.ts'
import { toBase32 } from '#foundation/secrets/totp.ts'

const COUNT = 10
const RANDOM_BYTES = 10

/** Returns ten codes of 80 random bits, in four groups of four characters. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () =>
    toBase32(randomBytes(RANDOM_BYTES))
      .toLowerCase()
      .replace(/.{4}(?!$)/g, '$&-'),
  )
}

/**
 * Returns the digest under which a user's code is stored, regardless of spacing and case; undefined for text that is
 * not a code.
 */
export function recoveryCodeDigest(keyring: Keyring, userId: string, typed: string): string | undefined {
  const code = typed.toLowerCase().replace(/[\s-]/g, '')
  return /^[a-z2-7]{16}$/.test(code) ? keyring.digest(`recovery code of ${userId}: ${code}`) : undefined
}
