import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { creationsOf } from '#test/access/apps.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { type CommandProcess, commandProcess } from '#test/servers/command-process.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/

onAnyEngine('gatehouse admin create-app', (engine) => {
  let app: TestApp
  let commands: CommandProcess
  before(async () => {
    app = await startApp(engine)
    commands = commandProcess()
  })
  after(async () => {
    await commands[Symbol.asyncDispose]()
    await app.close()
  })

  const run = (...args: string[]) => {
    const { config } = app.parts.services
    const database = app.databaseUrl === undefined ? {} : { DATABASE_URL: app.databaseUrl }
    return commands.run(['admin', 'create-app', ...args], {
      environment: { GATEHOUSE_DATA_DIR: config.dataDir, ...database },
    })
  }

  const read = async (id: string) => (await app.call('GET', `${creationsOf(app.orgId)}/${id}`)).json().data

  test('create-app: creates an app that the server knows at once, and prints its secret once', async () => {
    const { code, output, errors } = await run(
      ...['--name', 'Made here', '--scope', 'org.read', '--scope', 'org.project.read'],
      ...['--redirect-uri', 'https://app.example/a', '--redirect-uri', 'http://127.0.0.1/b'],
    )
    assert.deepEqual([code, errors], [0, ''])
    const [, id] = /^App +(\S+) {2}Made here$/m.exec(output)!
    const { attributes } = await read(id!)
    assert.deepEqual(attributes, {
      name: 'Made here',
      context: 'tenant',
      grant_type: 'authorization_code',
      is_confidential: true,
      is_public: false,
      scopes: ['org.read', 'org.project.read'],
      access_token_ttl_seconds: 3600,
      org_public_id: app.orgId,
      client_id: uuid.exec(/^Client id.*$/m.exec(output)![0])![0],
      redirect_uris: ['https://app.example/a', 'http://127.0.0.1/b'],
    })
    assert.match(output, /^Client secret {2}snyk_cs_\S{49}_v1 {2}\(shown only now\)$/m)
    const { db } = app.parts.services
    const secrets = await db.selectFrom('credentials').selectAll().where('owner_id', '=', id!).execute()
    assert.equal(secrets.length, 1)
    const [event] = await db.selectFrom('audit_events').selectAll().where('target_id', '=', id!).execute()
    assert.deepEqual([event!.action, event!.actor_kind, event!.org_id], ['app.create', 'operator', app.orgId])
  })

  test('create-app: creates a public client with given ids as JSON; a second one is refused', async () => {
    const [clientId, appId] = [randomUUID(), randomUUID()]
    const { code, output } = await run(
      ...[
        '--name',
        'Shipped',
        '--org',
        'default-org',
        '--scope',
        'org.read',
        '--redirect-uri',
        'com.example.app:/back',
      ],
      ...['--public-client', '--public', '--client-id', clientId.toUpperCase(), '--app-id', appId],
      ...['--context', 'user', '--access-token-ttl-seconds', '7200', '--json'],
    )
    assert.equal(code, 0)
    const made = JSON.parse(output)
    assert.deepEqual(made, await read(appId))
    const { client_id, is_confidential, is_public, context, access_token_ttl_seconds } = made.attributes
    assert.deepEqual(
      { client_id, is_confidential, is_public, context, access_token_ttl_seconds },
      { client_id: clientId, is_confidential: false, is_public: true, context: 'user', access_token_ttl_seconds: 7200 },
    )
    const again = await run(
      ...['--name', 'x', '--scope', 'org.read', '--redirect-uri', 'https://app.example/', '--client-id', clientId],
    )
    assert.deepEqual([again.code, again.output], [1, ''])
    assert.match(
      again.errors,
      /^An app with this id or client id already exists\. Choose other ids, or leave them out\.\n$/,
    )
  })

  test('create-app --unattended: creates an app without a client', async () => {
    const { code, output } = await run('--name', 'Broker', '--scope', 'org.read', '--unattended')
    assert.equal(code, 0)
    assert.ok(!output.includes('Client') && !output.includes('snyk_cs_'))
    const { attributes } = await read(uuid.exec(output)![0])
    assert.equal(attributes.grant_type, 'client_credentials')
  })

  const good = ['--name', 'x', '--scope', 'org.read', '--redirect-uri', 'https://app.example/']
  const refusals: [why: string, args: string[], said: RegExp, exitCode?: number][] = [
    ['a missing name', good.slice(2), /required option '--name/, 2],
    ['a blank name', [...good, '--name', ' '], /^--name must have a visible character/],
    ['an unknown scope', [...good, '--scope', 'org.everything'], /^--scope org\.everything must be one of org\.read, /],
    ['a missing scope', good.slice(0, 2), /^--scope must have at least 1 item/],
    [
      'scopes without org.read',
      ['--name', 'x', '--scope', 'org.edit', ...good.slice(4)],
      /^--scope must contain org\.read/,
    ],
    ['a missing redirect URI', good.slice(0, 4), /^--redirect-uri is missing/],
    [
      'a redirect URI over plain HTTP',
      [...good, '--redirect-uri', 'http://a.example'],
      /^--redirect-uri http:\/\/a\.example must be https/,
    ],
    ['a malformed client id', [...good, '--client-id', 'mine'], /^--client-id must be a UUID/],
    [
      'a lifetime that is not a number',
      [...good, '--access-token-ttl-seconds', 'long'],
      /^--access-token-ttl-seconds must be integer/,
    ],
    [
      'an unknown organization',
      [...good, '--org', 'nowhere'],
      /^No organization has the id or slug "nowhere"\. Check --org\./,
    ],
    ['a redirect URI of an unattended app', [...good, '--unattended'], /^--redirect-uri has no effect/],
    [
      'a client id of an unattended app',
      ['--name', 'x', '--scope', 'org.read', '--unattended', '--client-id', randomUUID()],
      /cannot be used with/,
      2,
    ],
  ]
  test('create-app: refuses what the API refuses, with an exit code and the option', async () => {
    for (const [why, args, said, exitCode = 1] of refusals) {
      const { code, output, errors } = await run(...args)
      assert.deepEqual([code, output], [exitCode, ''], why)
      assert.match(errors.replace(/^error: /, ''), said, why)
    }
  })

  test('create-app: asks for --org when there are several organizations', async () => {
    await app.addOrg()
    const { code, errors } = await run(...good)
    assert.equal(code, 1)
    assert.match(errors, /^Several organizations or none exist. Name one with --org.\n$/)
  })
})
