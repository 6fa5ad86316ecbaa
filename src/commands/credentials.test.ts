import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { generateKeys, signWith } from '#features/access-tokens/algorithms.ts'
import { currentSigningKey, ensureSigningKey, replaceSigningKey } from '#features/access-tokens/signing-keys.ts'
import { issueCredential } from '#features/credentials/issue-credential.ts'
import { retireSecret } from '#features/credentials/secrets-store.ts'
import { migrate } from '#foundation/db/migrate.ts'
import { hintOf, newSecret } from '#foundation/secrets/typed-secret.ts'
import { runCommand } from '#test/servers/command-line.ts'
import { createServices } from '../composition/create-services.ts'
import { openStorage } from './storage.ts'

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs a token as the server does; returns it with a forged one and the published key set. */
async function signedToken(): Promise<{ token: string; forged: string; keys: { keys: object[] } }> {
  const { publicKey, privateKey } = await generateKeys('ES256')
  const kid = randomUUID()
  const text = `${part({ alg: 'ES256', kid })}.${part({ jti: newSecret('access_token_id') })}`
  const signature = signWith('ES256', privateKey, text).toString('base64url')
  const otherText = `${part({ alg: 'ES256', kid })}.${part({ jti: newSecret('access_token_id') })}`
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }]
  return { token: `${text}.${signature}`, forged: `${otherText}.${signature}`, keys: { keys } }
}

describe('gatehouse credentials check', () => {
  let root: string
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-command-'))
  })
  after(() => rmSync(root, { recursive: true }))

  const dataDir = () => join(root, 'data')

  const run = (args: readonly string[], input = '', folder = dataDir()) =>
    runCommand(['credentials', 'check', ...args], { environment: { GATEHOUSE_DATA_DIR: folder }, input })

  const secrets: [value: string, said: RegExp][] = [
    [newSecret('client_secret'), /: a client secret \(…/],
    [newSecret('refresh_token'), /: a refresh token \(…/],
    [newSecret('authorization_code'), /: an authorization code \(…/],
  ]

  test('credentials check: names each kind without repeating the secret or touching data', async () => {
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

  test('credentials check: reads standard input and reports line and column', async () => {
    const lines = ['nothing', `a = "${secrets[0]![0]}"`, `  b = ${secrets[1]![0]}, ${secrets[1]![0]}`].join('\n')
    const { code, output } = await run(['--json'], lines)
    assert.equal(code, 0)
    const { found: credentials } = JSON.parse(output)
    assert.deepEqual(
      credentials.map(({ line, column, kind }: Record<string, unknown>) => [line, column, kind]),
      [
        [2, 6, 'client_secret'],
        [3, 7, 'refresh_token'],
        [3, 66, 'refresh_token'],
      ],
    )
    const { hint, ...rest } = credentials[0]
    assert.equal(hint, hintOf(secrets[0]![0]))
    const same = { source: 'standard input', line: 2, column: 6, kind: 'client_secret', certainty: 'ours' }
    assert.deepEqual(rest, same)
    assert.equal((await run(['-'], lines)).code, 0)
  })

  const codes: [why: string, args: string[], input: string, code: number, said: RegExp][] = [
    ['text without a credential', ['password', 'eyJhbGciOiJub25lIn0.e30.x'], '', 1, /^Nothing here is a credential/],
    ['empty input', [], ' \n', 2, /^$/],
    ['a possible API key', [randomUUID()], '', 3, /could be an API key/],
    ['a UUID named as an API key', [`SNYK_TOKEN=${randomUUID()}`], '', 3, /column 12: could be an API key/],
    ['a UUID in a log', [], `done (request ${randomUUID()})\n`, 3, /^One UUID without a name.*--stored/],
    ['a damaged credential', [`${newSecret('client_secret').slice(0, -4)}`], '', 1, /checksum is invalid/],
    [
      'a credential among other text',
      ['what', `token ${randomUUID()}`, newSecret('refresh_token')],
      '',
      0,
      /^text 2, .*\ntext 3, /,
    ],
  ]
  for (const [why, args, input, expected, said] of codes) {
    test(`credentials check: ${why} exits with ${expected}`, async () => {
      const { code, output, errors } = await run(args, input)
      assert.equal(code, expected, errors)
      assert.match(output, said)
      assert.equal(errors !== '', expected === 2)
    })
  }

  test('credentials check: a folder as standard input exits with 2 and says so', () => {
    const input = openSync(root, 'r')
    try {
      const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/gatehouse.js', 'credentials', 'check'], {
        stdio: [input, 'pipe', 'pipe'],
        encoding: 'utf8',
      })
      assert.deepEqual([status, stdout], [2, ''])
      assert.match(stderr, /^Standard input is a folder\. Pass a file/)
    } finally {
      closeSync(input)
    }
  })

  test('credentials check --stored: says whether each credential still works', async () => {
    const storage = openStorage({ GATEHOUSE_DATA_DIR: dataDir() })
    const { services, lastUses } = createServices(storage.config, storage.database, pino({ level: 'silent' }))
    await migrate(storage.database)
    const id = randomUUID()
    const times = { created_at: 1, updated_at: 1 }
    await services.db
      .insertInto('groups')
      .values({ id, name: 'x', slug: 'x', ...times })
      .execute()
    const user = { id, group_id: id, email: 'x@example.test', username: 'x', name: 'x', password_hash: null }
    await services.db
      .insertInto('users')
      .values({ ...user, ...times })
      .execute()
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
    assert.deepEqual(await states(`GET /orgs/${randomUUID()} with ${key.secret}`), [0, 'works'])
    const log = await run(['--stored'], `request ${randomUUID()}`)
    assert.deepEqual([log.code, log.output], [1, 'Nothing here is a credential of Gatehouse.\n'])
    const { output } = await run(['--stored'], key.secret)
    assert.match(output, /could be an API key \(….{4}\), as every UUID could; it is valid.*: revoke it\n$/)
  })

  describe('access tokens in credentials check', () => {
    test('access token check: matching signatures exit with 0, wrong ones with 1, unknown keys with 3', async () => {
      const [own, other] = [await signedToken(), await signedToken()]
      const file = join(root, 'jwks.json')
      const keys = [null, 'x', { kid: 'x' }, ...own.keys.keys]
      writeFileSync(file, JSON.stringify({ keys }))
      const cases: [args: string[], token: string, code: number, said: RegExp, signature: string][] = [
        [[], own.token, 3, /could be an access token \(….{4}\); its signature was not verified/, 'not_checked'],
        [['--keys', file], own.token, 0, /an access token \(….{4}\); its signature is valid\n$/, 'fits'],
        [['--keys', file], own.forged, 1, /its signature is invalid/, 'wrong'],
        [['--keys', file], own.token.slice(0, -3), 1, /its signature is invalid/, 'wrong'],
        [['--keys', file], other.token, 3, /none of these keys signed it/, 'unknown_key'],
      ]
      for (const [args, token, expected, said, signature] of cases) {
        const { code, output, errors } = await run(args, token)
        assert.deepEqual([code, errors], [expected, ''], output)
        assert.match(output, said)
        assert.ok(!output.includes(token.slice(-20)))
        const json = JSON.parse((await run([...args, '--json'], token)).output)
        assert.equal(json.found[0].signature, signature)
      }
    })

    for (const [why, content, said] of [
      ['is not JSON', 'x', /contains no key set\. Save the response of \/oauth2\/jwks/],
      ['holds no keys', '{}', /contains no key set/],
      ['does not exist', undefined, /\.json does not exist\. Pass the response of \/oauth2\/jwks/],
    ] as const) {
      test(`access token check: a key file that ${why} exits with 2`, async () => {
        const file = join(root, `${randomUUID()}.json`)
        if (content !== undefined) writeFileSync(file, content)
        const { code, output, errors } = await run(['--keys', file], 'x')
        assert.deepEqual([code, output], [2, ''])
        assert.match(errors, said)
      })
    }

    test('access token check --stored: uses the keys of the database, planned ones too', async () => {
      const folder = join(root, 'with-keys')
      const storage = openStorage({ GATEHOUSE_DATA_DIR: folder })
      const { services, lastUses } = createServices(storage.config, storage.database, pino({ level: 'silent' }))
      await migrate(storage.database)
      await ensureSigningKey(services)
      const key = await currentSigningKey(services)
      const text = `${part({ alg: key.algorithm, kid: key.id })}.${part({ jti: newSecret('access_token_id') })}`
      const token = `${text}.${key.sign(text).toString('base64url')}`
      await replaceSigningKey(services, services.db, 'planned')
      await lastUses.close()
      await storage.close()
      const check = async (value: string) => {
        const { code, output } = await run(['--stored', '--json'], value, folder)
        const [credential] = JSON.parse(output).found
        return [code, credential.certainty, credential.signature, credential.stored.state]
      }
      assert.deepEqual(await check(token), [0, 'ours', 'fits', 'unknown'])
      const [head, , signature] = token.split('.')
      const forged = `${head}.${part({ jti: newSecret('access_token_id') })}.${signature}`
      assert.deepEqual(await check(forged), [1, 'damaged', 'wrong', 'unknown'])
      assert.deepEqual(await check((await signedToken()).token), [3, 'possible', 'unknown_key', 'unknown'])
    })
  })
})
