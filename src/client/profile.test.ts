import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { changeProfiles, profilePath, readProfile, readProfiles, removeProfile, writeProfile } from './profile.ts'

const profile = { url: 'https://gate.example', key: 'not-a-real-key', org: 'shop' }
const home = mkdtempSync(join(tmpdir(), 'gatehouse-profile-'))
after(() => rmSync(home, { recursive: true }))

test('profile: written with mode 600, read, replaced and removed without a trace', async () => {
  const environment = { HOME: home }
  assert.equal(readProfile(environment), undefined)
  const path = await writeProfile(environment, 'default', { ...profile, key: 'an-older-key' })
  assert.equal(path, join(home, '.config', 'gatehouse', 'profiles.json'))
  await writeProfile(environment, 'default', profile)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal(statSync(dirname(path)).mode & 0o777, 0o700)
  assert.deepEqual(readProfile(environment), { ...profile, profile: 'default' })
  assert.deepEqual(
    [await removeProfile(environment, 'default'), await removeProfile(environment, 'default')],
    [true, false],
  )
  assert.deepEqual(readdirSync(dirname(path)), [])
})

test('profiles: the last login is current; removal selects another; unknown names are refused', async () => {
  const environment = { HOME: join(home, 'several') }
  await writeProfile(environment, 'default', profile)
  await writeProfile(environment, 'work', { url: 'https://work.example', key: 'another-key' })
  assert.equal(readProfile(environment)?.profile, 'work')
  assert.equal(readProfile(environment, 'default')?.url, profile.url)
  assert.throws(() => readProfile(environment, 'home'), /No profile "home"\. Known: default, work\./)
  assert.throws(() => readProfile(environment, '__proto__'), /profile name/)
  await removeProfile(environment, 'work')
  assert.equal(readProfile(environment)?.profile, 'default')
})

test('profiles: simultaneous changes are serialized; a stale lock is removed', async () => {
  const environment = { HOME: join(home, 'at-once') }
  const path = await writeProfile(environment, 'default', profile)
  writeFileSync(`${path}.lock`, '')
  utimesSync(`${path}.lock`, 1, 1)
  const names = Array.from({ length: 8 }, (_, at) => `server-${at}`)
  await Promise.all(names.map((name) => writeProfile(environment, name, profile)))
  assert.deepEqual(Object.keys(readProfiles(environment).profiles), ['default', ...names])
  await assert.rejects(
    changeProfiles(environment, () => {
      throw new Error('refused')
    }),
    /refused/,
  )
  assert.deepEqual(readdirSync(dirname(path)), ['profiles.json'])
})

test('profile: a file with open permissions or damaged JSON is refused without showing the key', async () => {
  const environment = { HOME: home, XDG_CONFIG_HOME: join(home, 'config') }
  await writeProfile(environment, 'default', profile)
  const path = profilePath(environment)
  chmodSync(path, 0o644)
  assert.throws(() => readProfile(environment), /chmod 600/)
  chmodSync(path, 0o600)
  writeFileSync(path, `{"key":"${profile.key}"`)
  assert.throws(
    () => readProfile(environment),
    ({ message }: Error) => /gatehouse login/.test(message) && !message.includes(profile.key),
  )
})

test('profile: a folder that cannot be created is reported', {
  skip: !existsSync('/proc/self') && 'needs /proc',
}, async () => {
  const environment = { HOME: home, XDG_CONFIG_HOME: '/proc/self/config' }
  await assert.rejects(
    writeProfile(environment, 'default', profile),
    /profiles\.json cannot be written \(ENOENT\)\. Make/,
  )
})
