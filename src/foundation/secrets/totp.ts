import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** The default value: many authenticator apps ignore other values in the address. */
const STEP_SECONDS = 30
const DIGITS = 6
/** The length of the hash (RFC 4226 §4, R6). */
const SECRET_BYTES = 20
/** Steps before and after the current one that are accepted (RFC 6238 §5.2). */
const WINDOW = 1

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns a new secret in Base32 (RFC 4648 §6), as authenticator apps expect it. */
export function newTotpSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES))
}

/** Returns the time step of an epoch time in milliseconds. */
export function stepAt(at: number): number {
  return Math.floor(at / 1000 / STEP_SECONDS)
}

/** Returns the code of a time step (RFC 6238 §4.2, RFC 4226 §5.3). */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = mac[mac.length - 1]! & 0xf
  const value = mac.readUInt32BE(offset) & 0x7fffffff
  return String(value % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** Returns the time step near `at` with this code, compared in constant time; undefined if there is none. */
export function findStep(secret: string, code: string, at: number): number | undefined {
  const digits = Buffer.from(code)
  const current = stepAt(at)
  let matchedStep: number | undefined
  for (let step = current - WINDOW; step <= current + WINDOW; step++) {
    const expected = Buffer.from(totpCode(secret, step))
    if (digits.length === expected.length && timingSafeEqual(digits, expected)) matchedStep = step
  }
  return matchedStep
}

/** Returns true for text with the form of a code. */
export function isTotpCode(text: string): boolean {
  return /^\d{6}$/.test(text)
}

/** Returns the address that a QR code passes to an authenticator app ("Key Uri Format"). */
export function totpAddress({ secret, issuer, account }: { secret: string; issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  // Encode spaces as %20: some apps display the plus sign that URLSearchParams writes.
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`
}

/** Encodes bytes, whose number must be a multiple of five. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{5}/g, (five) => ALPHABET[Number.parseInt(five, 2)]!)
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}
