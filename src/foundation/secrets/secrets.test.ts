import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createKeyring, createMac } from './keyring.ts'
import { hashPassword, isPassword } from './password.ts'
import { readOrCreateSecretKey } from './secret-key-file.ts'
import { newSecret, secretKindOf, secretPattern } from './typed-secret.ts'

describe('the keyring', () => {
  const keyring = createKeyring(Buffer.alloc(32, 1))
  const other = createKeyring(Buffer.alloc(32, 2))

  test('what is sealed opens with the same key and context, and not otherwise', () => {
    const sealed = keyring.seal('a secret', 'row 1')
    assert.equal(keyring.open(sealed, 'row 1'), 'a secret')
    assert.equal(keyring.open(sealed, 'row 2'), undefined)
    assert.equal(other.open(sealed, 'row 1'), undefined)
    sealed[20]! ^= 1
    assert.equal(keyring.open(sealed, 'row 1'), undefined)
    assert.equal(keyring.open(new Uint8Array(3), 'row 1'), undefined)
  })

  test('digests and signatures depend on the key', () => {
    assert.equal(keyring.digest('x'), keyring.digest('x'))
    assert.notEqual(keyring.digest('x'), other.digest('x'))
    assert.ok(keyring.verify('x', keyring.sign('x')))
    assert.ok(!keyring.verify('y', keyring.sign('x')))
    assert.ok(!keyring.verify('x', ''))
    assert.notEqual(keyring.fingerprint, other.fingerprint)
  })

  test('every use and every server has a key of its own', () => {
    assert.deepEqual(keyring.derive('cookies'), keyring.derive('cookies'))
    assert.notDeepEqual(keyring.derive('cookies'), keyring.derive('biscuits'))
    assert.notDeepEqual(keyring.derive('cookies'), other.derive('cookies'))
    assert.equal(keyring.derive('cookies').length, 32)
  })
})

test('the keyed digest is HMAC-SHA-256, for keys and messages of any length', () => {
  for (const length of [0, 1, 32, 63, 64, 65, 200]) {
    const key = Buffer.alloc(length, length)
    for (const message of ['', 'x', 'ü€𝄞', 'long '.repeat(1000)]) {
      assert.equal(createMac(key)(message, 'base64url'), createHmac('sha256', key).update(message).digest('base64url'))
    }
  }
})

test('a password is known again, another is not, and a broken hash is no password', async () => {
  const hash = await hashPassword('correct horse battery')
  assert.ok(await isPassword('correct horse battery', hash))
  assert.ok(!(await isPassword('correct horse batterz', hash)))
  assert.ok(!(await isPassword('correct horse battery', 'plain')))
})

for (const kind of ['client_secret', 'authorization_code', 'refresh_token', 'access_token_id'] as const) {
  test(`a ${kind} names its kind, has 256 random bits and a checksum that one changed character breaks`, () => {
    const secret = newSecret(kind)
    assert.equal(secretKindOf(secret), kind)
    assert.match(secret, new RegExp(`^${secretPattern(kind)}$`))
    assert.notEqual(secret, newSecret(kind))
    const changed = secret.slice(0, 20) + (secret[20] === 'A' ? 'B' : 'A') + secret.slice(21)
    assert.equal(secretKindOf(changed), undefined)
    assert.equal(secretKindOf(` ${secret}`), undefined)
    assert.equal(secretKindOf(secret.slice(0, -1)), undefined)
  })
}

test('the secret key file is made once, for its owner only, and a broken one is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-key-'))
  try {
    const key = readOrCreateSecretKey(folder)
    assert.deepEqual(readOrCreateSecretKey(folder), key)
    assert.equal(statSync(join(folder, 'secret.key')).mode & 0o777, 0o600)
    writeFileSync(join(folder, 'secret.key'), 'broken')
    assert.throws(() => readOrCreateSecretKey(folder), /64 hexadecimal digits/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
