import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { newSigningSecret, signedHeaders } from '#foundation/secrets/webhook-signature.ts'
import { verificationSamples } from './webhook-samples.ts'

const body = '{"type":"issues.new","data":{"title":"é"}}'
const [secret, older] = [newSigningSecret(), newSigningSecret()]

/** Current headers and whether they are genuine; the shell sample does not check the time. */
function signNow() {
  const sentAtSeconds = Math.floor(Date.now() / 1000)
  const headers = signedHeaders({ id: 'an-id', sentAtSeconds, body }, [secret, older])
  const old = signedHeaders({ id: 'an-id', sentAtSeconds: sentAtSeconds - 600, body }, [secret])
  const forged = signedHeaders({ id: 'an-id', sentAtSeconds, body: `${body} ` }, [secret])
  return [
    ['genuine', headers, secret, true],
    ['genuine, by the secret before', headers, older, true],
    ['forged', forged, secret, false],
    ['of another secret', headers, newSigningSecret(), false],
    ['recorded', old, secret, false],
  ] as const
}

const has = (program: string) => spawnSync(program, ['--version']).status === 0
const sample = (language: string) => verificationSamples.find((one) => one.language === language)!.text

describe('samples that verify webhook signatures', () => {
  let dir: string
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'gatehouse-samples-'))
    writeFileSync(join(dir, 'body.json'), body)
  })
  after(() => rmSync(dir, { recursive: true }))

  test('Node.js sample: accepts genuine messages and refuses forged ones', async () => {
    const file = join(dir, 'sample.mjs')
    writeFileSync(file, sample('Node.js'))
    const { isFromGatehouse } = await import(pathToFileURL(file).href)
    for (const [why, headers, key, expected] of signNow()) {
      assert.equal(isFromGatehouse(key, headers, Buffer.from(body)), expected, why)
    }
  })

  test('Python sample: accepts genuine messages and refuses forged ones', {
    skip: !has('python3') && 'needs python3',
  }, () => {
    const program = `${sample('Python')}
import json, sys
for one in json.load(sys.stdin):
    print(is_from_gatehouse(one["secret"], one["headers"], one["body"].encode()))`
    const cases = signNow()
    const input = JSON.stringify(cases.map(([, headers, key]) => ({ secret: key, headers: headers, body })))
    const printed = execFileSync('python3', ['-c', program], { input, encoding: 'utf8' })
    assert.deepEqual(
      printed.trim().split('\n'),
      cases.map(([, , , expected]) => (expected ? 'True' : 'False')),
    )
  })

  test('Shell sample: accepts genuine messages and refuses forged ones', {
    skip: spawnSync('openssl', ['version']).status !== 0 && 'needs openssl',
  }, () => {
    for (const [why, headers, key, expected] of signNow().slice(0, -1)) {
      const env = {
        PATH: process.env['PATH'],
        SECRET: key,
        ID: headers['webhook-id'],
        TIME: headers['webhook-timestamp'],
        SIGNATURE: headers['webhook-signature'],
      }
      const printed = execFileSync('sh', ['-c', sample('Shell')], { cwd: dir, env, encoding: 'utf8' })
      assert.equal(printed.trim(), expected ? 'genuine' : 'forged', why)
    }
  })
})
