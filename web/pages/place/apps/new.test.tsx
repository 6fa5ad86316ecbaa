import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { before, beforeEach, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { fireEvent, screen, within } from '@testing-library/react'
import { addPerson, signIn } from '#test/access/people.ts'
import { createVisitor } from '#test/access/visitor.ts'
import { freePort } from '#test/servers/free-port.ts'
import { permissions, permissionsWithoutEffect } from '../../../../src/foundation/access/permissions.ts'
import { call } from '../../../api/client.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { NewApp } from './new.tsx'

const run = promisify(execFile)
const port = await freePort()
const missing = await run('sh', ['-c', 'command -v curl openssl']).then(
  () => false as const,
  () => 'needs curl and openssl',
)

describe('new app', () => {
  const server = useConsoleServer({ GATEHOUSE_PORT: String(port) })
  before(() => server().server.listen({ host: '127.0.0.1', port }))
  beforeEach(() => server().connect())

  const open = () => render(<NewApp />, { at: `/orgs/${server().orgId}/apps/new`, route: '/orgs/:placeId/apps/new' })
  const textOf = (label: string | RegExp) => screen.getByRole('group', { name: label }).textContent

  const fillIn = (label: RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })

  async function register({ kind, redirectUris }: { kind: RegExp; redirectUris?: string }) {
    const { user } = open()
    fillIn(/^Name/, 'Dashboard')
    await user.click(screen.getByLabelText(kind))
    if (redirectUris) fillIn(/^Redirect URIs/, redirectUris)
    await user.click(await screen.findByLabelText('See projects and their issues'))
    await user.click(screen.getByText('Create').closest('button')!)
    await screen.findByRole('heading', { name: 'Dashboard is registered' })
    return user
  }

  /** Follows the authorize URL as a user's browser, and returns the code. */
  async function authorize(url: string): Promise<string> {
    const { orgId } = server()
    const visitor = createVisitor(server())
    const person = await addPerson(server(), { permissions: ['org.read', 'org.project.read'], orgId })
    const consent = await signIn(visitor, await visitor.open(url), person)
    const { searchParams } = (await visitor.press(consent, 'Allow', { place: `org:${orgId}` })).url
    assert.equal(searchParams.get('state'), 'STATE')
    return searchParams.get('code')!
  }

  async function runInShell(commands: string, environment: Record<string, string>) {
    const { stdout } = await run('sh', ['-c', commands.replaceAll('curl ', 'curl -sS ')], {
      env: { PATH: process.env['PATH'], ...environment },
    })
    return stdout
  }

  test('scopes of a new app: only those with an effect, explained, chosen singly or by area; org.read is required', async () => {
    const { user } = open()
    const required = await screen.findByLabelText<HTMLInputElement>(permissions['org.read'])
    assert.ok(required.checked && required.disabled)
    const { scopes_supported } = await call('getServerMetadata', {})
    for (const name of scopes_supported.filter(
      (scope) => scope !== 'apps:beta' && !permissionsWithoutEffect.has(scope),
    )) {
      screen.getByLabelText(permissions[name as keyof typeof permissions])
      screen.getByText(name)
    }
    for (const name of permissionsWithoutEffect) assert.ok(screen.queryByText(name) === null, name)
    screen.getByRole('radiogroup', { name: 'Type' })
    const all = screen.getByLabelText('All of these: Organization')
    await user.click(all)
    screen.getByText(/^[3-9] scopes chosen/)
    await user.click(all)
    screen.getByText(/^1 scope chosen/)
  })

  test('new confidential app: its authorize URL and curl request obtain a token', { skip: missing }, async () => {
    await register({ kind: /runs on a server/, redirectUris: 'https://app.example/it%27s?a=1&b=2' })
    const url = textOf('Authorize URL')
    assert.equal(new URL(url).searchParams.get('scope'), 'org.read org.project.read')
    assert.equal(new URL(url).searchParams.has('code_challenge'), false)
    const CLIENT_SECRET = screen.getByLabelText<HTMLTextAreaElement>('Client secret').value
    const request = textOf(/^Exchange the code/)
    assert.doesNotMatch(request, new RegExp(CLIENT_SECRET))
    const answer = JSON.parse(await runInShell(request, { CODE: await authorize(url), CLIENT_SECRET }))
    assert.equal(answer.scope, 'org.read org.project.read')
  })

  test('new public app: its authorize URL and curl request obtain a token with PKCE', { skip: missing }, async () => {
    const user = await register({
      kind: /runs on their devices/,
      redirectUris: 'https://app.example/one\nhttp://127.0.0.1/two',
    })
    await user.selectOptions(screen.getByLabelText('Redirect URI'), 'http://127.0.0.1/two')
    const made = await runInShell(`${textOf(/PKCE/)}\necho "$CODE_VERIFIER"`, {})
    const [challenge, verifier] = made.split('\n') as [string, string]
    const CODE = await authorize(textOf('Authorize URL').replace('CODE_CHALLENGE', challenge))
    const answer = JSON.parse(await runInShell(textOf(/^Exchange the code/), { CODE, CODE_VERIFIER: verifier }))
    assert.equal(answer.token_type, 'bearer')
  })

  test('new unattended app: "Install here" gives a client whose secret obtains a token', {
    skip: missing,
  }, async () => {
    const user = await register({ kind: /unattended/ })
    assert.ok(screen.queryByRole('group', { name: 'Authorize URL' }) === null)
    await user.click(screen.getByText('Install here').closest('button')!)
    const { value: CLIENT_SECRET } = await screen.findByLabelText<HTMLTextAreaElement>('Client secret')
    const request = textOf('Request an access token').replaceAll(location.origin, `http://127.0.0.1:${port}`)
    const answer = JSON.parse(await runInShell(request, { CLIENT_SECRET }))
    assert.equal(answer.token_type, 'bearer')
  })

  test('new confidential app: its secret expires after the chosen time', async () => {
    const { user } = open()
    await user.selectOptions(screen.getByLabelText('Client secret expires in'), '90 days')
    await user.selectOptions(screen.getByLabelText('Access tokens are valid for'), '8 hours')
    fillIn(/^Name/, 'Limited')
    fillIn(/^Redirect URIs/, 'https://app.example/back')
    await user.click(screen.getByText('Create').closest('button')!)
    await screen.findByRole('heading', { name: 'Limited is registered' })
    const { data } = (await server().call('GET', `/rest/orgs/${server().orgId}/apps/creations`)).json()
    const { id, attributes } = data.find((app: { attributes: { name: string } }) => app.attributes.name === 'Limited')
    assert.equal(attributes.access_token_ttl_seconds, 28_800)
    const secrets = await server().call('GET', `/rest/orgs/${server().orgId}/apps/creations/${id}/secrets`)
    const days = (Date.parse(secrets.json().data[0].attributes.expires_at) - Date.now()) / 86_400_000
    assert.equal(Math.round(days), 90)
  })

  test('new app: a refused redirect URI is shown at its field; the form keeps its input', async () => {
    const { user } = open()
    fillIn(/^Name/, 'Dashboard')
    fillIn(/^Redirect URIs/, 'ftp://app.example')
    await user.click(screen.getByText('Create').closest('button')!)
    await screen.findByRole('alert')
    const field = screen.getByLabelText<HTMLTextAreaElement>(/^Redirect URIs/)
    assert.equal(field.getAttribute('aria-invalid'), 'true')
    assert.equal(field.value, 'ftp://app.example')
  })

  test('new app without the server: says that the scopes cannot be loaded; retrying loads them', async () => {
    server().disconnect()
    const { user } = open()
    const alert = await screen.findByRole('alert')
    assert.match(alert.textContent, /Could not load the scopes/)
    server().connect()
    await user.click(within(alert).getByRole('button'))
    await screen.findByLabelText(permissions['org.read'])
  })
})
