import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectToPrimary, createHosts, splitHosts } from './hosts.ts'

test('a URL with several servers: one URL for each, without target_session_attrs', () => {
  const cases: [string, string[]][] = [
    ['postgres://db/x', ['postgres://db/x']],
    ['postgres://u:p%40%2C@db:1/x?sslmode=require', ['postgres://u:p%40%2C@db:1/x?sslmode=require']],
    ['postgresql://u@a:1,b:2,[::1]:3/x', ['postgresql://u@a:1/x', 'postgresql://u@b:2/x', 'postgresql://u@[::1]:3/x']],
    ['postgres://u:p@s,w@a,b/x', ['postgres://u:p@s,w@a/x', 'postgres://u:p@s,w@b/x']],
    ['postgres://a,b/x?target_session_attrs=read-write', ['postgres://a/x', 'postgres://b/x']],
    [
      'postgres://a,b/x?sslmode=require&target_session_attrs=primary',
      ['postgres://a/x?sslmode=require', 'postgres://b/x?sslmode=require'],
    ],
  ]
  for (const [url, urls] of cases) assert.deepEqual(splitHosts(url), urls)
  for (const target of ['any', 'standby', 'read-only']) {
    assert.throws(() => splitHosts(`postgres://a,b/x?target_session_attrs=${target}`), /only the primary/)
  }
})

test('a URL with sslmode: modes that the driver treats as verify-full get that name', () => {
  const modeOf = (query: string) => createHosts(`postgres://u:sslmode=require@db/x?${query}`).current()
  const start = 'postgres://u:sslmode=require@db/x?'
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
    assert.equal(modeOf(`a=b&sslmode=${mode}#f`), `${start}a=b&sslmode=verify-full#f`)
  }
  for (const query of ['sslmode=no-verify', 'sslmode=disable', 'uselibpqcompat=true&sslmode=require', 'a=b']) {
    assert.equal(modeOf(query), start + query)
  }
})

test('several servers: each is tried once, starting with the one that worked last', async () => {
  const hosts = createHosts('postgres://a,b,c/x')
  const tried: string[] = []
  const connect = (working: string) => async (url: string) => {
    tried.push(new URL(url).hostname)
    if (!url.includes(working)) throw new Error(`${url} failed`)
    return url
  }
  assert.equal(await connectToPrimary(hosts, connect('//b')), 'postgres://b/x')
  assert.equal(await connectToPrimary(hosts, connect('//b')), 'postgres://b/x')
  assert.deepEqual(tried.splice(0), ['a', 'b', 'b'])
  await assert.rejects(connectToPrimary(hosts, connect('none')), /failed/)
  assert.deepEqual(tried, ['b', 'c', 'a'])
  // Connections that break at the same time move on once.
  hosts.leave('postgres://b/x')
  hosts.leave('postgres://b/x')
  assert.equal(hosts.current(), 'postgres://c/x')
})
