import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createKeyring, createMac, FIRST_DATA_KEY, firstDataKeys, isSealedNow, unwrapKey, wrapKey } from './keyring.ts'
import { hashPassword, hashRandomPassword, isPassword } from './password.ts'
import { readOrCreateSecretKey } from './secret-key-file.ts'
import { newSecret, secretKindOf, secretPattern } from './typed-secret.ts'

describe('keyring and secrets', () => {
  const keyring = createKeyring(Buffer.alloc(32, 1))
  const other = createKeyring(Buffer.alloc(32, 2))

  test('a sealed text opens with the same key and context only', () => {
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

  test('a new data key seals and signs from its time on; the previous one still opens and verifies until it is removed', () => {
    const secretKey = Buffer.alloc(32, 3)
    const { digestKey, keys } = firstDataKeys(secretKey)
    const next = { id: 'a1b2c3d4', root: Buffer.alloc(32, 4) }
    const rotating = createKeyring(secretKey)
    const [sealed, signature, digest] = [rotating.seal('old', 'row'), rotating.sign('x'), rotating.digest('x')]
    rotating.replaceDataKeys({ digestKey, keys: [...keys, { ...next, activeAt: Date.now() + 60_000 }] })
    assert.deepEqual([rotating.dataKeyId, rotating.dataKeyIds], [FIRST_DATA_KEY, [FIRST_DATA_KEY, next.id]])

    rotating.replaceDataKeys({ digestKey, keys: [...keys, { ...next, activeAt: 1 }] })
    const resealed = rotating.seal('new', 'row')
    assert.equal(Buffer.from(resealed).toString('hex', 0, 4), next.id)
    assert.deepEqual([isSealedNow(rotating, sealed), isSealedNow(rotating, resealed)], [false, true])
    assert.deepEqual([rotating.open(sealed, 'row'), rotating.open(resealed, 'row')], ['old', 'new'])
    assert.ok(rotating.verify('x', signature) && rotating.verify('x', rotating.sign('x')))
    assert.notEqual(rotating.sign('x'), signature)
    assert.equal(rotating.digest('x'), digest, 'stored digests stay valid')

    rotating.replaceDataKeys({ digestKey, keys: [{ ...next, activeAt: 1 }] })
    assert.deepEqual([rotating.open(sealed, 'row'), rotating.open(resealed, 'row')], [undefined, 'new'])
    assert.ok(!rotating.verify('x', signature))
  })

  test('a wrapped key opens with the same secret key and context only', () => {
    const [secretKey, key] = [Buffer.alloc(32, 5), Buffer.alloc(32, 6)]
    const wrapped = wrapKey(secretKey, key, 'one')
    assert.deepEqual(Buffer.from(unwrapKey(secretKey, wrapped, 'one')), key)
    assert.throws(() => unwrapKey(secretKey, wrapped, 'two'), /cannot be decrypted with this secret key/)
    assert.throws(() => unwrapKey(key, wrapped, 'one'), /cannot be decrypted with this secret key/)
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

for (const hash of [hashPassword, hashRandomPassword]) {
  test(`${hash.name}: a password matches its own hash and no other`, async () => {
    const password = crypto.randomUUID()
    const stored = await hash(password)
    assert.ok(await isPassword(password, stored))
    assert.ok(!(await isPassword(`${password} `, stored)))
    assert.ok(!(await isPassword(password, await hash(password.toUpperCase()))))
    assert.notEqual(await hash(password), stored, 'each hash has a nonce of its own')
  })
}

test('a malformed hash matches no password', async () => {
  assert.ok(!(await isPassword('plain', 'plain')))
})

for (const kind of ['client_secret', 'authorization_code', 'refresh_token', 'access_token_id'] as const) {
  test(`a ${kind} names its kind and has a checksum that one changed character breaks`, () => {
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

test('the secret key file is created once with mode 600, and a malformed one is refused', () => {
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
