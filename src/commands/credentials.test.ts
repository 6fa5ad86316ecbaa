import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { issueCredential } from '#features/credentials/issue-credential.ts'
import { retireSecret } from '#features/credentials/secrets-store.ts'
import { migrate } from '#foundation/db/migrate.ts'
import { hintOf, newSecret } from '#foundation/secrets/typed-secret.ts'
import { createServices } from '../parts.ts'
import { openStorage } from './storage.ts'

const command = new URL('./credentials.ts', import.meta.url).href
const script = `import { credentialsCommand } from ${JSON.stringify(command)}
await credentialsCommand().parseAsync(process.argv)`

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const token = `${part({ alg: 'ES256' })}.${part({ jti: newSecret('access_token_id') })}.c2ln`

describe('gatehouse credentials check', () => {
  let root: string
  let program: string
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-command-'))
    program = join(root, 'credentials.mjs')
    writeFileSync(program, script)
  })
  after(() => rmSync(root, { recursive: true }))

  const dataDir = () => join(root, 'data')

  async function run(args: readonly string[], input = '') {
    const child = spawn(process.execPath, [program, 'check', ...args], {
      env: { PATH: process.env['PATH'], GATEHOUSE_DATA_DIR: dataDir() },
    })
    let output = ''
    let errors = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (errors += chunk))
    child.stdin.end(input)
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
    return { code, output, errors }
  }

  const secrets: [value: string, said: RegExp][] = [
    [newSecret('client_secret'), /: a client secret \(…/],
    [newSecret('refresh_token'), /: a refresh token \(…/],
    [newSecret('authorization_code'), /: an authorization code \(…/],
    [token, /: an access token \(…/],
  ]

  test('tells each kind, never repeats it, and touches no data', async () => {
    const results = await Promise.all(secrets.map(([value]) => run([value])))
    for (const [index, { code, output, errors }] of results.entries()) {
      const [value, said] = secrets[index]!
      assert.deepEqual([code, errors], [0, ''])
      assert.match(output, said)
      assert.ok(output.includes(hintOf(value)))
      assert.ok(!output.includes(value) && !output.includes(value.slice(8, 20)))
    }
    assert.ok(!existsSync(dataDir()))
  })

  test('reads standard input, line by line', async () => {
    const lines = ['nothing', `a = "${secrets[0]![0]}"`, `  b = ${secrets[1]![0]}, ${secrets[1]![0]}`].join('\n')
    const { code, output } = await run(['--json'], lines)
    assert.equal(code, 0)
    const { found } = JSON.parse(output)
    assert.deepEqual(
      found.map(({ line, column, kind }: Record<string, unknown>) => [line, column, kind]),
      [
        [2, 6, 'client_secret'],
        [3, 7, 'refresh_token'],
        [3, 66, 'refresh_token'],
      ],
    )
    const { hint, ...rest } = found[0]
    assert.equal(hint, hintOf(secrets[0]![0]))
    const same = { source: 'standard input', line: 2, column: 6, kind: 'client_secret', certainty: 'ours' }
    assert.deepEqual(rest, same)
    assert.equal((await run(['-'], lines)).code, 0)
  })

  const codes: [why: string, args: string[], input: string, code: number, said: RegExp][] = [
    ['nothing of ours', ['password', 'eyJhbGciOiJub25lIn0.e30.x'], '', 1, /^Nothing here is a credential/],
    ['nothing to read', [], ' \n', 2, /^$/],
    ['what could be an API key', [randomUUID()], '', 3, /could be an API key/],
    ['a damaged one', [`${newSecret('client_secret').slice(0, -4)}`], '', 1, /checksum does not fit/],
    ['one among others', ['what', `token ${randomUUID()}`, newSecret('refresh_token')], '', 0, /^text 2, .*\ntext 3, /],
  ]
  for (const [why, args, input, expected, said] of codes) {
    test(`exits with ${expected} for ${why}`, async () => {
      const { code, output, errors } = await run(args, input)
      assert.equal(code, expected, errors)
      assert.match(output, said)
      assert.equal(errors !== '', expected === 2)
    })
  }

  test('asks the database, when told to, whose it is and whether it still works', async () => {
    const storage = openStorage({ GATEHOUSE_DATA_DIR: dataDir() })
    const { services, lastUses } = createServices(storage.config, storage.database, pino({ level: 'silent' }))
    await migrate(storage.database)
    const id = randomUUID()
    const issue = (kind: 'api_key' | 'client_secret') =>
      issueCredential(services, services.db, { kind, owner: { kind: 'user', id }, name: 'x' })
    const [key, secret] = [await issue('api_key'), await issue('client_secret')]
    await retireSecret(services.db, { id: secret.row.id, replaced_at: 1, retires_at: 2 })
    await lastUses.close()
    await storage.close()
    const states = async (value: string) => {
      const { code, output } = await run(['--stored', '--json'], value)
      return [code, JSON.parse(output).found[0].stored.state]
    }
    assert.deepEqual(await states(key.secret), [0, 'works'])
    assert.deepEqual(await states(secret.secret), [0, 'ended'])
    assert.deepEqual(await states(newSecret('client_secret')), [0, 'unknown'])
    assert.deepEqual(await states(randomUUID()), [1, 'unknown'])
    const { output } = await run(['--stored'], key.secret)
    assert.match(output, /could be an API key \(….{4}\), as every UUID could; it works.*: revoke it\n$/)
  })
})
