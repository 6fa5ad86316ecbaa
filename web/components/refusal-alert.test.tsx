import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { useQuery } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import { call } from '../api/client.ts'
import { render } from '../testing/render.tsx'
import { useConsoleServer } from '../testing/server.ts'
import { RefusalAlert } from './refusal-alert.tsx'

function Reading({ read }: { read: () => Promise<unknown> }) {
  const reading = useQuery({
    queryKey: ['reading'],
    queryFn: async () => ((await read()) === undefined ? null : 'read'),
  })
  if (reading.data !== undefined) return 'It was read.'
  return reading.error && <RefusalAlert title="Not read" error={reading.error} onRetry={() => void reading.refetch()} />
}

async function alertOf(read: () => Promise<unknown>) {
  const rendered = render(<Reading read={read} />)
  const alert = await screen.findByRole('alert')
  return { ...rendered, alert, text: alert.textContent }
}

const href = () => screen.getByRole('link').getAttribute('href')

describe('refusal alert', () => {
  const server = useConsoleServer()
  const readOrg = (org_id = server().orgId) => call('listOrgServiceAccounts', { params: { org_id } })

  function createNamed(name: string) {
    const attributes = { name, auth_type: 'api_key' as const, role_id: '6c0e9a52-1a55-4d0e-8f0b-6d0f3a1c0003' }
    const body = { data: { type: 'service_account' as const, attributes } }
    return call('createOrgServiceAccount', { params: { org_id: server().orgId }, body })
  }

  test('alert for 401: says that the token is invalid and links to the explanation', async () => {
    server().connect(randomUUID())
    const { text } = await alertOf(readOrg)
    assert.match(text, /Invalid auth token provided/)
    assert.equal(href(), '/docs/errors/unauthenticated')
  })

  test('alert for 403: names the missing permission', async () => {
    server().connect(await server().keyWith(['org.read']))
    const { text } = await alertOf(readOrg)
    assert.match(text, /org\.service_account\.read/)
    assert.match(href()!, /^\/docs\/errors\//)
    screen.getByRole('button', { name: 'Try again' })
  })

  test('alert for 404: shows the request id of the server log, and does not offer to try again', async () => {
    server().connect()
    const { text } = await alertOf(() => readOrg(randomUUID()))
    const [, id] = /request ([0-9a-f-]{36})/.exec(text)!
    assert.ok(server().log().includes(id!))
    assert.ok(screen.queryByRole('button', { name: 'Try again' }) === null)
  })

  test('alert for 409: shows the code name-taken and links to its explanation', async () => {
    server().connect()
    await createNamed('deployer')
    const { text } = await alertOf(() => createNamed('deployer'))
    assert.match(text, /Code name-taken/)
    assert.equal(href(), '/docs/errors/name-taken')
  })

  test('alert for 400: names the invalid parameter', async () => {
    server().connect()
    const query = { limit: 'many' as unknown as number }
    const { text } = await alertOf(() => call('listOrgServiceAccounts', { params: { org_id: server().orgId }, query }))
    assert.match(text, /limit/)
    assert.match(href()!, /^\/docs\/errors\//)
  })

  test('alert without a response: shows no code; "Try again" reads again', async () => {
    server().connect()
    server().disconnect()
    const { text, user } = await alertOf(readOrg)
    assert.match(text, /The server did not respond/)
    assert.doesNotMatch(text, /Code/)
    assert.ok(screen.queryByRole('link') === null)
    server().connect()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('It was read.')
    assert.ok(screen.queryByRole('alert') === null)
  })
})

describe('refusal alert of a server with a rate limit', () => {
  const server = useConsoleServer({ GATEHOUSE_RATE_LIMIT_PER_MINUTE: '1' })

  test('alert for 429: says that there were too many requests', async () => {
    server().connect()
    const { text } = await alertOf(async () => {
      for (let attempt = 0; attempt < 3; attempt++) await call('getSelf', {})
    })
    assert.match(text, /rate|too many/i)
    assert.match(href()!, /^\/docs\/errors\//)
  })
})
