import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { profilePath, readProfile, removeProfile, writeProfile } from './profile.ts'

const connection = { url: 'https://gate.example', key: 'not-a-real-key', org: 'shop' }
let home: string
before(() => {
  home = mkdtempSync(join(tmpdir(), 'gatehouse-profile-'))
})
after(() => rmSync(home, { recursive: true }))

test('profile: written for this user only, read, replaced and removed; nothing else stays', () => {
  const environment = { HOME: home }
  assert.equal(readProfile(environment), undefined)
  const path = writeProfile(environment, { ...connection, key: 'an-older-key' })
  assert.equal(path, join(home, '.config', 'gatehouse', 'profile.json'))
  writeProfile(environment, connection)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal(statSync(dirname(path)).mode & 0o777, 0o700)
  assert.deepEqual(readProfile(environment), connection)
  assert.deepEqual([removeProfile(environment), removeProfile(environment)], [true, false])
  assert.deepEqual(readdirSync(dirname(path)), [])
})

test('profile: a file that others may read, and a damaged one, are refused without their content', () => {
  const environment = { HOME: home, XDG_CONFIG_HOME: join(home, 'config') }
  writeProfile(environment, connection)
  const path = profilePath(environment)
  chmodSync(path, 0o644)
  assert.throws(() => readProfile(environment), /chmod 600/)
  chmodSync(path, 0o600)
  writeFileSync(path, `{"key":"${connection.key}"`)
  assert.throws(
    () => readProfile(environment),
    ({ message }: Error) => /gatehouse login/.test(message) && !message.includes(connection.key),
  )
})
