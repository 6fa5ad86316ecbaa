import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { sendForm } from '#test/access/oauth.ts'
import { npmProject } from '#test/repositories/imports.ts'
import type { TestApp } from '#test/servers/app.ts'
import type { CommandRun } from '#test/servers/command-line.ts'
import { type CommandProcess, commandProcess } from '#test/servers/command-process.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { startListening } from '#test/servers/listening.ts'
import { startBackground } from '../../jobs.ts'

const ISSUE = 'GHSA-35jh-r3h4-6jhm'
const CVE = 'CVE-2021-23337'

onAnyEngine('commands on a server', (engine) => {
  let app: TestApp
  let jobs: Awaited<ReturnType<typeof startBackground>>
  let root: string
  let commands: CommandProcess
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-commands-'))
    for (const { path, content } of [...npmProject('shop'), ...npmProject('shop/lib')]) {
      mkdirSync(dirname(join(root, String(path))), { recursive: true })
      writeFileSync(join(root, String(path)), String(content))
    }
    app = await startListening(engine, { GATEHOUSE_TEST_WORKERS: '1', GATEHOUSE_LOCAL_REPOSITORIES: root })
    jobs = await startBackground(app.parts)
    commands = commandProcess()
  })
  after(async () => {
    await commands[Symbol.asyncDispose]()
    await jobs.close()
    await app.close()
    rmSync(root, { recursive: true })
  })

  const environment = (key = app.adminKey) => ({
    HOME: root,
    GATEHOUSE_URL: app.parts.services.baseUrl,
    GATEHOUSE_KEY: key,
  })
  const run = (args: readonly string[], more: Pick<CommandRun, 'environment' | 'input'> = {}) =>
    commands.run(args, { environment: environment(), ...more })

  async function succeed(...args: string[]): Promise<string> {
    const { code, output, errors } = await run(args)
    assert.equal(code, 0, `gatehouse ${args.join(' ')}: ${errors}${output}`)
    return output
  }
  const asJson = async (...args: string[]) => JSON.parse(await succeed(...args, '--json'))

  test('monitor: stores a project per manifest; the same name updates them', async () => {
    const text = await succeed('monitor', join(root, 'shop'))
    assert.match(
      text,
      /^MANIFEST +STATE +PROJECT +TYPE\nlib\/package\.json +done +[\da-f-]{36} +npm\npackage\.json +done/,
    )
    await succeed('monitor', join(root, 'shop'))
    const projects = await asJson('projects')
    assert.deepEqual(projects.map(({ attributes }: { attributes: { name: string } }) => attributes.name).sort(), [
      'shop:lib/package.json',
      'shop:package.json',
    ])
    assert.equal((await run(['monitor', mkdtempSync(join(root, 'empty-'))])).code, 3)
  })

  test('monitor: names folders that it cannot store, and stores the others', async () => {
    const folder = mkdtempSync(join(root, 'odd-'))
    for (const name of ['plain', 'line\nbreak']) {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'package.json'), '{"name":"a"}')
    }
    const { code, output, errors } = await run(['monitor', folder, '--name', 'odd'])
    assert.equal(code, 0, errors)
    assert.match(output, /^plain\/package\.json +done/m)
    assert.match(errors, /^line\\x0abreak\/: not stored \(Its files cannot be listed: .+\)$/m)
    const [project] = await asJson('projects', '--name', 'odd')
    await succeed('projects', 'delete', project.id, '--yes')
  })

  test('monitor: a bill of materials is one project; other files exit with 2', async () => {
    const path = join(root, 'bills', 'out.json')
    const components = [{ type: 'library', name: 'lodash', version: '4.17.4', purl: 'pkg:npm/lodash@4.17.4' }]
    const metadata = { component: { type: 'application', name: 'billed' } }
    mkdirSync(dirname(path))
    writeFileSync(path, JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', metadata, components }))
    const { id } = await asJson('monitor', path)
    assert.equal((await asJson('monitor', path)).id, id)
    const { data } = (await app.call('GET', `/rest/orgs/${app.orgId}/projects/${id}`)).json()
    assert.deepEqual([data.attributes.name, data.attributes.type], ['billed', 'sbom'])
    const text = await succeed('monitor', path, '--name', 'other')
    const [, other = ''] = /^Stored the project ([\da-f-]{36}): http/.exec(text) ?? []
    const excluding = await run(['monitor', path, '--exclude', 'a'])
    assert.deepEqual([excluding.code, /one project/.test(excluding.errors)], [2, true])
    const lock = await run(['monitor', join(root, 'shop', 'package.json')])
    assert.deepEqual([lock.code, /is not a folder.*--file/.test(lock.errors)], [2, true])
    for (const projectId of [id, other]) await succeed('projects', 'delete', projectId, '--yes')
  })

  test('projects: filters, says when --limit cuts, shows a project; delete requires --yes', async () => {
    assert.match(await succeed('projects', '--name', 'lib'), /^NAME.*\nshop:lib\/package\.json +0\/1\/1\/0 +[^\n]*\n$/)
    assert.match(await succeed('projects', 'list', '--type', 'maven'), /^No projects that match\.\n$/)
    const limited = await run(['projects', '--limit', '1'])
    assert.deepEqual([limited.output.split('\n').length, /Only the first 1/.test(limited.errors)], [3, true])
    await succeed('monitor', join(root, 'shop', 'lib'), '--name', 'other')
    const [other] = await asJson('projects', '--name', 'other')
    assert.match(
      await succeed('projects', 'show', other.id),
      /^Name +other:package\.json\n[\s\S]*\nCoverage +complete\n/,
    )
    const unconfirmed = await run(['projects', 'delete', other.id])
    assert.deepEqual([unconfirmed.code, /cannot be undone\. Pass --yes/.test(unconfirmed.errors)], [2, true])
    await succeed('projects', 'delete', other.id, '--yes')
    assert.deepEqual(await asJson('projects', '--name', 'other'), [])
  })

  test('issues: searches by CVE, advisory, package and severity; --all shows ignored ones', async () => {
    const severe = await succeed('issues', '--severity-threshold', 'high')
    assert.equal(severe.split('\n').length, 4, severe)
    for (const query of [CVE.toLowerCase(), ISSUE]) assert.equal((await asJson('issues', query)).length, 2, query)
    assert.equal((await asJson('issues', 'lodash@4.17.20')).length, 4)
    assert.match(await succeed('issues', 'lodash@1.0.0'), /^No issues/)
    const [project] = await asJson('projects', '--name', 'lib')
    const ignore = ['ignore', ISSUE, '--project', project.id, '--reason', 'no templates of strangers']
    const endless = await run(ignore)
    assert.deepEqual([endless.code, /needs --expires/.test(endless.errors)], [2, true])
    const result = await run([...ignore, '--expires', '30d'])
    assert.deepEqual([result.code, result.errors], [0, ''])
    assert.match(result.output, /is ignored in project .* until \d{4}-/)
    assert.equal((await asJson('issues', CVE)).length, 1)
    assert.equal((await asJson('issues', CVE, '--all')).length, 2)
    const [ignored] = await asJson('issues', CVE, '--ignored', '--project', project.id)
    assert.equal(ignored.attributes.ignores[0].reason, 'no templates of strangers')
  })

  test('ignore: warns on standard error if the project has no such issue; exits with 0', async () => {
    const [{ id }] = await asJson('projects', '--name', 'lib')
    const options = ['--project', id, '--reason', 'in advance', '--type', 'wont-fix']
    const unknown = await run(['ignore', 'GHSA-nope', ...options])
    assert.deepEqual([unknown.code, unknown.output], [0, `GHSA-nope is ignored in project ${id}.\n`])
    assert.match(unknown.errors, /^The project has no issue GHSA-nope now: .*gatehouse issues --project/)
    const byCve = await run(['ignore', CVE, ...options])
    assert.deepEqual([byCve.code, byCve.errors], [0, ''])
    await app.call('DELETE', `/v1/org/${app.orgId}/project/${id}/ignore/${CVE}`)
  })

  test('sbom: writes to standard output or a file; an unwritable file exits with 2', async () => {
    const [{ id }] = await asJson('projects')
    assert.equal(JSON.parse(await succeed('sbom', id)).bomFormat, 'CycloneDX')
    const file = join(root, 'bill.json')
    await succeed('sbom', id, '--format', 'spdx2.3+json', '--output', file)
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).spdxVersion, 'SPDX-2.3')
    const nowhere = await run(['sbom', id, '--output', join(root, 'no', 'bill.json')])
    assert.deepEqual([nowhere.code, /cannot be written \(ENOENT\)/.test(nowhere.errors)], [2, true])
  })

  test('import: waits for a server folder or follows an import; other targets exit with 2', async () => {
    const { code, errors } = await run(['import', join(root, 'shop')])
    assert.deepEqual([code, /Imported 2 projects\./.test(errors)], [0, true], errors)
    const { id } = await asJson('import', join(root, 'shop'), '--no-wait')
    const followed = await run(['import', '--follow', id, '--json'])
    assert.deepEqual([followed.code, JSON.parse(followed.output).attributes.state], [0, 'complete'], followed.errors)
    const unknown = await run(['import', 'acme/shop'])
    assert.deepEqual([unknown.code, /No integration for "acme\/shop".*github/.test(unknown.errors)], [2, true])
    const outside = await run(['import', '/etc'])
    assert.deepEqual([outside.code, /GATEHOUSE_LOCAL_REPOSITORIES|not/.test(outside.errors)], [2, true], outside.errors)
  })

  test('apps: the secret is printed once and rotated with an overlap; delete removes the app', async () => {
    const redirect = ['--redirect-uri', 'https://shop.example/callback']
    const created = await run(['apps', 'create', 'Shop', '--scope', 'org.read', ...redirect])
    const [, id] = /^Id +(\S+)$/m.exec(created.output)!
    const [, secret] = /^Client secret +(\S+)$/m.exec(created.output)!
    assert.ok(!created.errors.includes(secret!))
    assert.match(await succeed('apps'), /^NAME +ID[\s\S]*\nShop +[\da-f-]{36} /)
    const rotated = await asJson('apps', 'rotate-secret', id!, '--overlap', '24h')
    assert.notEqual(rotated.attributes.client_secret, secret)
    const form = { client_id: rotated.attributes.client_id, token: 'x', client_secret: secret! }
    assert.equal((await sendForm(app, 'introspect', form)).statusCode, 200, 'the old secret still works')
    await succeed('apps', 'delete', id!, '--yes')
    assert.match(await succeed('apps'), /^No apps/)
    const unscoped = await run(['apps', 'create', 'Shop', ...redirect])
    assert.deepEqual([unscoped.code, /required option '--scope <name>'/.test(unscoped.errors)], [2, true])
    const wrong = await run(['apps', 'create', 'Shop', '--scope', 'org.all', ...redirect])
    assert.deepEqual([wrong.code, /scopes/.test(wrong.errors)], [2, true], wrong.errors)
  })

  test('service-accounts: created by role name; the old secret works during the overlap', async () => {
    const account = await asJson('service-accounts', 'create', 'ci', '--role', 'org collaborator')
    const key = account.attributes.api_key
    assert.equal((await run(['whoami'], { environment: environment(key) })).code, 0)
    const oauth = ['--role', 'Org Admin', '--auth-type', 'oauth_client_secret']
    const { id, attributes } = await asJson('service-accounts', 'create', 'deploy', ...oauth)
    const rotated = await asJson('service-accounts', 'rotate', id, '--overlap', '1h', '--expires', '30d')
    assert.notEqual(rotated.attributes.client_secret, attributes.client_secret)
    for (const client_secret of [attributes.client_secret, rotated.attributes.client_secret]) {
      const form = { grant_type: 'client_credentials', client_id: attributes.client_id, client_secret }
      assert.equal((await sendForm(app, 'token', form)).statusCode, 200)
    }
    assert.match(await succeed('service-accounts'), /^NAME +AUTH +ID[\s\S]*\nci +api_key +[\da-f-]{36} /)
    await succeed('service-accounts', 'delete', account.id, '--yes')
    const { code, errors } = await run(['whoami'], { environment: environment(key) })
    assert.deepEqual([code, /does not accept the key/.test(errors)], [2, true])
    const role = await run(['service-accounts', 'create', 'ci', '--role', 'Chef'])
    assert.match(role.errors, /No role "Chef"\. Known: .*Org Admin/)
  })

  test('service-accounts rotate: explains accounts without a client secret; unknown ids get 404', async () => {
    const account = await asJson('service-accounts', 'create', 'static', '--role', 'Org Collaborator')
    const { code, errors } = await run(['service-accounts', 'rotate', account.id, '--overlap', '1h'])
    assert.deepEqual(
      [code, /"static" authenticates with an API key.*Create another account/.test(errors)],
      [2, true],
      errors,
    )
    assert.equal((await run(['whoami'], { environment: environment(account.attributes.api_key) })).code, 0)
    const keys = ['--auth-type', 'oauth_private_key_jwt', '--jwks-url', 'https://keys.example/jwks.json']
    const signed = await asJson('service-accounts', 'create', 'signed', '--role', 'Org Collaborator', ...keys)
    assert.match((await run(['service-accounts', 'rotate', signed.id])).errors, /"signed" .*JWKS URL/)
    assert.match((await run(['service-accounts', 'rotate', app.orgId])).errors, /Not found .*\(404\)/)
    for (const { id } of [account, signed]) await succeed('service-accounts', 'delete', id, '--yes')
  })

  test('--json: a failure is one line of JSON on standard error; standard output stays empty', async () => {
    const failures: [args: string[], expected: object][] = [
      [['projects', 'show', app.orgId], { exitCode: 2, status: 404, code: 'not-found' }],
      [['projects', '--limit', 'many'], { exitCode: 2, message: '--limit many: pass a number, 0 for all.' }],
      [['projects', '--unknown'], { exitCode: 2, message: "unknown option '--unknown'" }],
      [['project'], { exitCode: 2 }],
      [['test', join(root, 'missing')], { exitCode: 2 }],
      [['import', 'no target'], { exitCode: 2 }],
    ]
    for (const [args, expected] of failures) {
      const { code, output, errors } = await run([...args, '--json'])
      assert.deepEqual([code, output], [2, ''], errors)
      const { error } = JSON.parse(errors)
      assert.partialDeepStrictEqual(error, expected)
      assert.equal(typeof error.message, 'string')
    }
    const { error } = JSON.parse((await run(['projects', 'show', app.orgId, '--json'])).errors)
    assert.match(error.requestId, /^[\w-]{8,}$/)
    const text = await run(['projects', '--', '--json'])
    assert.throws(() => JSON.parse(text.errors))
  })

  test('keys: lists own keys and those of a user', async () => {
    const made = await asJson('keys', 'create', 'laptop', '--expires', '2099-01-31')
    assert.equal(made.attributes.expires_at, '2099-01-31T00:00:00.000Z')
    assert.match(await succeed('keys', '--user', 'admin@example.test'), /^NAME[\s\S]*\nlaptop +\w{4} /m)
    await succeed('keys', 'delete', made.id, '--yes')
    assert.doesNotMatch(await succeed('keys'), /^laptop/m)
    assert.match((await run(['keys', '--user', 'nobody@example.test'])).errors, /No user of the group/)
  })

  test('server commands: a text that is no id exits with 2 and says which command lists ids', async () => {
    const all: [args: string[], message: RegExp][] = [
      [['projects', 'show', 'nope'], /^"nope" is not a project id\. List ids with "gatehouse projects list"\.\n$/],
      [['projects', 'delete', app.orgId, 'nope', '--yes'], /^"nope" is not a project id\. List/],
      [['sbom', 'nope'], /^"nope" is not a project id\. List/],
      [['issues', '--project', 'nope'], /^"nope" is not a project id\. List/],
      [['ignore', ISSUE, '--project', 'nope', '--reason', 'x'], /^"nope" is not a project id\. List/],
      [['apps', 'delete', 'nope', '--yes'], /^"nope" is not an app id\. List ids with "gatehouse apps list"\.\n$/],
      [['apps', 'rotate-secret', 'nope'], /^"nope" is not an app id\. List/],
      [['service-accounts', 'delete', 'nope', '--yes'], /^"nope" is not a service account id\. List/],
      [['service-accounts', 'rotate', 'nope'], /^"nope" is not a service account id\. List/],
      [['keys', 'delete', 'nope', '--yes'], /^"nope" is not a key id\. List ids with "gatehouse keys list"\.\n$/],
      [
        ['import', '--follow', 'nope'],
        /^"nope" is not an import id\. Pass the id that "gatehouse import --no-wait" printed\.\n$/,
      ],
    ]
    const results = await Promise.all(all.map(([args]) => run(args)))
    for (const [at, { code, output, errors }] of results.entries()) {
      const [args, message] = all[at]!
      assert.deepEqual([code, output], [2, ''], `${args.join(' ')}: ${errors}`)
      assert.match(errors, message, args.join(' '))
    }
  })

  test('server commands: without login, key, server, object or permission exit with 2 and advice', async () => {
    const all: string[][] = [
      ['projects'],
      ['projects', 'show', app.orgId],
      ['issues'],
      ['ignore', ISSUE, '--project', app.orgId, '--reason', 'x', '--type', 'wont-fix'],
      ['sbom', app.orgId],
      ['monitor', join(root, 'shop')],
      ['import', join(root, 'shop')],
      ['apps'],
      ['service-accounts'],
      ['keys', '--user', app.orgId],
    ]
    const reader = environment(await app.keyWith(['org.read']))
    const refusals: [environment: Record<string, string>, message: RegExp][] = [
      [{ HOME: root }, /No server is known.*gatehouse login/],
      [environment('wrong-key'), /does not accept the key \(401\).*Request id: [\w-]+\./],
      [{ ...environment(), GATEHOUSE_URL: 'http://127.0.0.1:1' }, /No answer from .*ECONNREFUSED.*Check GATEHOUSE_URL/],
      [reader, /lacks a permission \(403\).* org\.\w+.*Request id|Not found .*Group .*Request id/],
    ]
    for (const [variables, message] of refusals) {
      const results = await Promise.all(all.map((args) => run(args, { environment: variables })))
      for (const [at, { code, output, errors }] of results.entries()) {
        assert.deepEqual([code, output], [2, ''], `${all[at]!.join(' ')}: ${errors}`)
        assert.match(errors, message, all[at]!.join(' '))
        assert.ok(!errors.includes('wrong-key'))
      }
    }
    const missing = all.filter((args) => args.includes(app.orgId))
    for (const args of missing) {
      const { code, errors } = await run(args)
      assert.deepEqual(
        [code, /\(404\).*Check the id.*Request id/.test(errors)],
        [2, true],
        `${args.join(' ')}: ${errors}`,
      )
    }
    assert.match((await run(['projects', '--org', 'missing'])).errors, /No organization has the id or slug "missing"/)
  })

  test('vex: uploads a document; names the file that is not JSON and the statement that is wrong', async () => {
    const file = join(root, 'shop.openvex.json')
    const write = (status: string) => {
      const statement = { vulnerability: { name: CVE }, products: [{ '@id': 'pkg:npm/other@1.0.0' }], status }
      const document = { '@context': 'https://openvex.dev/ns/v0.2.0', '@id': 'https://vex.example/shop' }
      writeFileSync(file, JSON.stringify({ ...document, statements: [statement] }))
    }
    write('not_affected')
    assert.equal(
      await succeed('vex', file),
      'Policies of https://vex.example/shop: 1 created, 0 updated, 0 unchanged, 0 withdrawn.\n',
    )
    assert.deepEqual((await asJson('vex', file)).meta.policies, { created: 0, updated: 0, unchanged: 1, withdrawn: 0 })
    write('safe')
    const wrong = await run(['vex', file])
    assert.equal(wrong.code, 2)
    assert.match(wrong.errors, /\/statements\/0\/status must be one of not_affected/)
    writeFileSync(file, '<bom/>')
    assert.match((await run(['vex', file])).errors, /shop\.openvex\.json is not JSON/)
    assert.match((await run(['vex', join(root, 'missing')])).errors, /missing cannot be read \(ENOENT\)/)
  })
})
