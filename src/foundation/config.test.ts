import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConfigFaults, readConfig } from './config.ts'
import { settings } from './settings.ts'

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
  } catch (error) {
    assert.ok(error instanceof ConfigFaults)
    return error.faults
  }
  return []
}

describe('configuration', () => {
  test('an empty environment gives the documented defaults', () => {
    const config = readConfig({})
    assert.equal(config.port, 7331)
    assert.equal(config.host, '127.0.0.1')
    assert.equal(config.dataDir, './data')
    assert.equal(config.databaseUrl, undefined)
    assert.equal(config.bodyLimitBytes, 26_214_400)
  })

  test('invalid settings: all faults are reported at once, without secret values', () => {
    const faults = faultsOf({
      GATEHOUSE_PORT: 'http',
      GATEHOUSE_LOG_LEVEL: 'loud',
      GATEHOUSE_ADMIN_API_KEY: 'not-a-uuid',
      DATABASE_URL: 'mysql://user:hunter2@db/x',
      GATEHOUSE_PROT: '80',
    })
    assert.equal(faults.length, 5)
    const said = faults.join('\n')
    for (const name of [
      'GATEHOUSE_PORT',
      'GATEHOUSE_LOG_LEVEL',
      'GATEHOUSE_ADMIN_API_KEY',
      'DATABASE_URL',
      'GATEHOUSE_PROT',
    ]) {
      assert.ok(said.includes(name), name)
    }
    assert.ok(!said.includes('hunter2') && !said.includes('not-a-uuid'))
  })

  test('unencoded password in a database URL: refused before a part of it counts as host, and never named', () => {
    const passwords = [
      'hunter2/x',
      'p@hunter2/x',
      'p@hunter2#x',
      'p@hunter2?x',
      'p@hunter2?x=y',
      '12/hunter2',
      '12#hunter2',
    ]
    for (const name of ['DATABASE_URL', 'GATEHOUSE_DATABASE_LISTEN_URL', 'GATEHOUSE_DATABASE_REPLICA_URL']) {
      for (const password of passwords) {
        const [fault, ...others] = faultsOf({ [name]: `postgres://user:${password}@db.example/gatehouse` })
        assert.deepEqual([fault?.includes('percent-encoded'), fault?.includes('hunter2'), others], [true, false, []])
      }
    }
    const accepted = [
      'postgres://user:p@ss,w:rd@one,two:5433/x?sslmode=require',
      'postgres://user:p%40ss%2F@db.example/x',
      'postgres://db.example/x?user=name@server&password=x',
      'postgresql:///x?host=/run/postgresql',
    ]
    for (const DATABASE_URL of accepted) assert.equal(readConfig({ DATABASE_URL }).databaseUrl, DATABASE_URL)
  })

  const refused = [
    { GATEHOUSE_PORT: '70000' },
    { GATEHOUSE_PORT: '-1' },
    { GATEHOUSE_BODY_LIMIT_BYTES: '1' },
    { GATEHOUSE_BASE_URL: 'gatehouse.example' },
    { GATEHOUSE_ADMIN_EMAIL: 'nobody' },
    { GATEHOUSE_ADMIN_PASSWORD: 'short' },
    { GATEHOUSE_SECRET_KEY: 'ab' },
    { GATEHOUSE_TRUST_PROXY: '10.0.0.0/64' },
    { GATEHOUSE_TRUST_PROXY: 'everybody' },
    { GATEHOUSE_BASE_URL: 'https://gate.example/?a=b' },
    { GATEHOUSE_BASE_URL: 'https://user:hunter2@gate.example' },
    { GATEHOUSE_NPM_REGISTRY: 'https://user:hunter2@registry.example' },
    { GATEHOUSE_NPM_REGISTRY: 'https://user:p@hunter2@registry.example' },
    { GATEHOUSE_NPM_REGISTRY: 'https://user:a/hunter2@registry.example' },
    { GATEHOUSE_NPM_REGISTRY: 'user:"hunter2 x@registry.example' },
    { GATEHOUSE_OUTGOING_ALLOW: 'https://user:hunter2@registry.example' },
    { GATEHOUSE_OUTGOING_NO_PROXY: 'user:hunter2@registry.example' },
    { GATEHOUSE_RUBYGEMS_URL: 'file:///srv/gems' },
    { GATEHOUSE_ADVISORIES_URL: 'ftp://mirror.example/osv' },
    { GATEHOUSE_EXPLOIT_SOURCES: '/srv/kev.json, ftp://mirror.example/known.json' },
    { GATEHOUSE_OUTGOING_ALLOW: '10.0.0.0/8, not a host' },
    { GATEHOUSE_OUTGOING_ALLOW: '10.0.0.0/64' },
    { GATEHOUSE_OUTGOING_NO_PROXY: 'inside.example,10.0.0.0/99' },
    { GATEHOUSE_OUTGOING_PROXY: 'proxy.example:3128' },
    { GATEHOUSE_PYTHON_VERSION: 'three' },
  ]
  for (const environment of refused) {
    test(`setting ${JSON.stringify(environment)}: refused with one fault`, () => {
      const [fault, ...more] = faultsOf(environment)
      assert.match(fault!, /^[A-Z_]+ must /)
      assert.doesNotMatch(fault!, /hunter2/)
      assert.deepEqual(more, [])
    })
  }

  test('GATEHOUSE_EXPLOIT_SOURCES: the public sources without a value, none for an empty one, else a list', () => {
    assert.equal(readConfig({}).exploitSources.length, 3)
    assert.deepEqual(readConfig({ GATEHOUSE_EXPLOIT_SOURCES: '' }).exploitSources, [])
    const sources = ['/srv/kev.json', 'file:///srv/epss.csv.gz', 'https://mirror.example/kev']
    assert.deepEqual(readConfig({ GATEHOUSE_EXPLOIT_SOURCES: sources.join(', ') }).exploitSources, sources)
  })

  test('GATEHOUSE_KNOWN_EXPLOITED: refused with the name of the setting that replaced it', () => {
    assert.deepEqual(faultsOf({ GATEHOUSE_KNOWN_EXPLOITED: '/srv/kev.json' }), [
      'GATEHOUSE_KNOWN_EXPLOITED was replaced. Name its source in GATEHOUSE_EXPLOIT_SOURCES, or remove it to use the public sources',
    ])
  })

  test('GATEHOUSE_BASE_URL: a trailing slash is removed', () => {
    assert.equal(readConfig({ GATEHOUSE_BASE_URL: 'https://gate.example/' }).baseUrl, 'https://gate.example')
  })

  test('every setting has a description', () => {
    for (const { env, description } of Object.values(settings)) assert.ok(description.length > 10, env)
  })
})
