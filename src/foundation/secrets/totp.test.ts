import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findStep, newTotpSecret, stepAt, toBase32, totpAddress, totpCode } from './totp.ts'

/** The secret of the test vectors. */
const SECRET = toBase32(Buffer.from('12345678901234567890'))

describe('time-based one-time passwords', () => {
  const vectors: [seconds: number, code: string][] = [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ]
  for (const [seconds, code] of vectors) {
    test(`RFC 6238, appendix B: the code at ${seconds} s`, () => {
      assert.equal(totpCode(SECRET, stepAt(seconds * 1000)), code.slice(-6))
    })
  }

  test('TOTP: accepts the current step and its neighbors only', () => {
    const at = 1_234_567_890_000
    const step = stepAt(at)
    for (const near of [step - 1, step, step + 1]) assert.equal(findStep(SECRET, totpCode(SECRET, near), at), near)
    for (const far of [step - 2, step + 2]) assert.equal(findStep(SECRET, totpCode(SECRET, far), at), undefined)
    assert.equal(findStep(SECRET, '', at), undefined)
    assert.equal(findStep(SECRET, `${totpCode(SECRET, step)}0`, at), undefined)
  })

  test('TOTP secret: 160 random bits in Base32', () => {
    const secrets = new Set(Array.from({ length: 20 }, newTotpSecret))
    assert.equal(secrets.size, 20)
    for (const secret of secrets) assert.match(secret, /^[A-Z2-7]{32}$/)
    assert.equal(SECRET, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  })

  test('TOTP address: names issuer and account, percent-encoded', () => {
    assert.equal(
      totpAddress({ secret: SECRET, issuer: 'Gatehouse a.test', account: 'ada+x@example.test' }),
      `otpauth://totp/Gatehouse%20a.test:ada%2Bx%40example.test?secret=${SECRET}&issuer=Gatehouse%20a.test&algorithm=SHA1&digits=6&period=30`,
    )
  })
})
