import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ensureCommandLineApp } from '#features/setup/ensure-command-line-app.ts'
import { commandLineClientId, commandLineScopes } from '#foundation/product.ts'
import { isAccepted } from '#test/access/oauth.ts'
import { addPerson, type Person, signIn } from '#test/access/people.ts'
import { createVisitor } from '#test/access/visitor.ts'
import type { TestApp } from '#test/servers/app.ts'
import { runCommand } from '#test/servers/command-line.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { startListening } from '#test/servers/listening.ts'

onAnyEngine('gatehouse login', (engine) => {
  let app: TestApp
  let home: string
  let person: Person
  before(async () => {
    home = mkdtempSync(join(tmpdir(), 'gatehouse-login-'))
    app = await startListening(engine)
    await ensureCommandLineApp(app.parts.services)
    person = await addPerson(app, { permissions: commandLineScopes.work, orgId: app.orgId })
  })
  after(async () => {
    await app.close()
    rmSync(home, { recursive: true })
  })

  const url = () => app.parts.services.baseUrl
  const profileFile = () => join(home, '.config', 'gatehouse', 'profiles.json')
  const storedProfiles = () => JSON.parse(readFileSync(profileFile(), 'utf8'))
  const run = (args: readonly string[], input?: string) =>
    runCommand(args, { environment: { HOME: home }, ...(input !== undefined && { input }) })

  /** Signs in as a user's browser does and sends the callback to the command. */
  async function inBrowser(press: 'Allow' | 'Refuse', args: readonly string[] = []) {
    let visit: Promise<unknown> | undefined
    const result = await runCommand(['login', '--no-browser', '--url', url(), ...args], {
      environment: { HOME: home },
      onErrors(errors) {
        const address = /^http\S+$/m.exec(errors)?.[0]
        if (address !== undefined && errors.endsWith('\n')) visit ??= answer(address, press)
      },
    })
    await visit
    return result
  }

  async function answer(address: string, button: string) {
    const visitor = createVisitor(app)
    const consentPage = await signIn(visitor, await visitor.open(address), person)
    const shown = await visitor.press(consentPage, button, { place: `org:${app.orgId}` })
    assert.equal(shown.url.hostname, '127.0.0.1')
    const wrong = new URL(shown.url)
    wrong.searchParams.set('state', 'of-someone-else')
    assert.equal((await fetch(wrong)).status, 400, 'an answer with another state changes nothing')
    return fetch(shown.url)
  }

  test('browser login: stored with mode 600 and used by later commands', async () => {
    const login = await inBrowser('Allow')
    assert.equal(login.code, 0, login.errors)
    assert.match(login.output, /Signed in to http.*profile "default"/)
    assert.equal(statSync(profileFile()).mode & 0o777, 0o600)
    const { accessToken, refreshToken } = storedProfiles().profiles.default.session
    for (const secret of [accessToken, refreshToken]) assert.ok(!(login.output + login.errors).includes(secret))
    const projects = await run(['projects'])
    assert.deepEqual([projects.code, projects.output.slice(0, 12)], [0, 'No projects.'], projects.errors)
    const apps = await run(['apps'])
    assert.equal(apps.code, 2)
    assert.match(apps.errors, /lacks a permission \(403\).*browser login.*org\.app\.read.*Request id: \S+\./)
  })

  test('browser login: simultaneous commands refresh an expired token once', async () => {
    const stored = storedProfiles()
    const { refreshToken } = stored.profiles.default.session
    stored.profiles.default.session.expiresAt = 0
    writeFileSync(profileFile(), JSON.stringify(stored), { mode: 0o600 })
    const results = await Promise.all([run(['whoami']), run(['whoami']), run(['whoami'])])
    assert.deepEqual(
      results.map(({ code }) => code),
      [0, 0, 0],
      results.map(({ errors }) => errors).join(''),
    )
    assert.notEqual(storedProfiles().profiles.default.session.refreshToken, refreshToken)
  })

  test('logout: revokes the tokens of a browser login and removes them', async () => {
    const { accessToken } = storedProfiles().profiles.default.session
    assert.equal(await isAccepted(app, accessToken), true)
    const logout = await run(['logout'])
    assert.deepEqual([logout.code, /The login was revoked/.test(logout.output)], [0, true], logout.errors)
    assert.equal(await isAccepted(app, accessToken), false)
    assert.equal((await run(['whoami'])).code, 2)
  })

  test('revoked browser login: exits with 2 and says how to sign in again', async () => {
    assert.equal((await inBrowser('Allow')).code, 0)
    const { db } = app.parts.services
    await db.deleteFrom('app_sessions').where('user_id', '=', person.id).execute()
    const stored = storedProfiles()
    stored.profiles.default.session.expiresAt = 0
    writeFileSync(profileFile(), JSON.stringify(stored), { mode: 0o600 })
    const { code, errors } = await run(['whoami'])
    assert.deepEqual([code, /expired or was revoked.*gatehouse login/.test(errors)], [2, true], errors)
  })

  test('key login: --profile, "profiles use" and the environment choose between two profiles', async () => {
    const other = await app.keyWith(['org.read'])
    assert.equal((await run(['login', '--key', '--url', url()], `${app.adminKey}\n`)).code, 0)
    assert.equal((await run(['login', '--key', '--url', url(), '--profile', 'reader'], other)).code, 0)
    const who = async (...args: string[]) => (await run(['whoami', ...args])).output
    const [reader, admin] = [await who(), await who('--profile', 'default')]
    assert.notEqual(reader, admin)
    assert.equal((await run(['profiles', 'use', 'default'])).code, 0)
    assert.equal(await who(), admin)
    const environment = { HOME: home, GATEHOUSE_URL: url(), GATEHOUSE_KEY: other }
    assert.equal((await runCommand(['whoami'], { environment })).output, reader)
    const both = await runCommand(['whoami', '--profile', 'default'], { environment })
    assert.deepEqual([both.code, /take precedence over --profile/.test(both.errors)], [2, true])
    const { output } = await run(['profiles'])
    assert.match(output, /^\* +default +http/m)
    assert.ok(!output.includes(app.adminKey) && !(await run(['profiles', '--json'])).output.includes(other))
    const removed = await run(['logout', '--profile', 'reader'])
    assert.match(removed.output, /stays valid on the server/)
  })

  test('browser login: denied access and a server without the app exit with 2 and advice', async () => {
    const denied = await inBrowser('Refuse')
    assert.deepEqual([denied.code, /access was denied/.test(denied.errors)], [2, true], denied.errors)
    const { db } = app.parts.services
    const row = await db.selectFrom('apps').select('id').where('client_id', '=', commandLineClientId).executeTakeFirst()
    assert.equal((await app.call('DELETE', `/rest/orgs/${app.orgId}/apps/creations/${row!.id}`)).statusCode, 204)
    await ensureCommandLineApp(app.parts.services)
    const { code, errors } = await run(['login', '--no-browser', '--url', url()])
    assert.deepEqual([code, /refuses logins.*--key/.test(errors)], [2, true], errors)
  })
})
