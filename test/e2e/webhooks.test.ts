import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { copyPreparedData, type PreparedData } from '#test/servers/prepared-data.ts'
import { isSigned, type Receiver, startReceiver } from '#test/servers/receiver.ts'
import { type ServerProcess, startServer } from '#test/servers/server-process.ts'
import { ADMINISTRATOR } from '#test/servers/templates.ts'
import { until } from '#test/servers/webhooks.ts'
import { volume } from '#test/volume.ts'

const KILLS = volume(20)
const CHANGES_A_ROUND = 10

onEveryEngine('webhooks of failing servers', (engine) => {
  let data: PreparedData
  const servers: ServerProcess[] = []
  before(async () => {
    data = await copyPreparedData(engine)
  })
  after(async () => {
    await Promise.all(servers.map((server) => server.end('SIGKILL')))
    await data.drop()
  })

  async function start({ leaseMs = 2000 } = {}): Promise<ServerProcess> {
    const environment = {
      GATEHOUSE_DATA_DIR: data.dataDir,
      GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1',
      GATEHOUSE_LOG_LEVEL: 'error',
      ...(data.databaseUrl !== undefined && { DATABASE_URL: data.databaseUrl }),
    }
    const server = await startServer(environment, ['test/support/servers/delivering-server.ts', String(leaseMs)])
    servers.push(server)
    return server
  }

  async function call(server: ServerProcess, method: string, path: string, body?: object) {
    const answer = await fetch(`${server.baseUrl}${path}${path.includes('?') ? '&' : '?'}version=2024-10-15`, {
      method,
      headers: {
        authorization: `token ${ADMINISTRATOR.GATEHOUSE_ADMIN_API_KEY}`,
        'content-type': 'application/vnd.api+json',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    assert.ok(answer.ok, `${answer.status} ${await answer.clone().text()}`)
    return JSON.parse((await answer.text()) || 'null')
  }

  const change = (server: ServerProcess, orgId: string) => {
    const attributes = { name: randomUUID(), auth_type: 'api_key', role_id: orgCollaborator.id }
    const body = { data: { type: 'service_account', attributes } }
    return call(server, 'POST', `/rest/orgs/${orgId}/service_accounts`, body)
  }

  async function listAccounts(server: ServerProcess, orgId: string): Promise<string[]> {
    const ids: string[] = []
    let path: string | undefined = `/rest/orgs/${orgId}/service_accounts?limit=100`
    while (path !== undefined) {
      const page: { data: { id: string }[]; links: { next?: string } } = await call(server, 'GET', path)
      ids.push(...page.data.map(({ id }) => id))
      path = page.links.next && `/rest${page.links.next.replace(/([?&])version=[^&]*&?/, '$1')}`
    }
    return ids
  }

  /** Returns the message ids received per account, with repeats. */
  const arrivedAt = (receiver: Receiver) => {
    const byAccount = new Map<string, string[]>()
    for (const { body } of receiver.received) {
      const { id, data } = JSON.parse(body) as { id: string; data: { owner: { id: string } } }
      byAccount.set(data.owner.id, [...(byAccount.get(data.owner.id) ?? []), id])
    }
    return byAccount
  }

  const firstOrg = async (server: ServerProcess) => (await call(server, 'GET', '/rest/orgs')).data[0].id as string
  const subscribe = async (server: ServerProcess, orgId: string, url: string) => {
    const attributes = { url, events: ['credential.created'] }
    const body = { data: { type: 'webhook', attributes } }
    return (await call(server, 'POST', `/rest/orgs/${orgId}/webhooks`, body)).data.attributes.secret as string
  }

  test(`${KILLS} kills: every committed change is sent as one event, and no other`, async () => {
    await using receiver = await startReceiver()
    receiver.answer = (response) => void setTimeout(() => response.writeHead(204).end(), 15)
    let server = await start()
    const orgId = await firstOrg(server)
    const secret = await subscribe(server, orgId, receiver.url)
    for (let kills = 0; kills < KILLS; kills++) {
      const changes = Array.from({ length: CHANGES_A_ROUND }, () => change(server, orgId))
      const ended = Promise.allSettled(changes)
      await sleep(Math.random() * 250)
      // On a slow machine no account may exist yet, which would prove nothing.
      if (kills % 2 === 0) await Promise.any(changes)
      await server.end('SIGKILL')
      await ended
      server = await start()
    }
    const accounts = await listAccounts(server, orgId)
    assert.ok(accounts.length > 0)
    await until('every account was announced', () => arrivedAt(receiver).size >= accounts.length)
    await sleep(300)
    const deliveries = arrivedAt(receiver)
    assert.deepEqual([...deliveries.keys()].sort(), accounts.sort())
    for (const ids of deliveries.values()) assert.equal(new Set(ids).size, 1, 'two events of one change')
    const repeats = receiver.received.length - deliveries.size
    assert.ok(repeats <= KILLS, `${repeats} repeats after ${KILLS} kills`)
    for (const message of receiver.received) assert.ok(await isSigned(message, secret))
    await server.end('SIGTERM')
  })

  test('several processes that share the storage send every event once', {
    skip: engine === 'sqlite' && 'one process holds the data folder',
  }, async () => {
    await using receiver = await startReceiver()
    // A process stopped for longer than its lease counts as dead.
    const leaseMs = 60_000
    const first = await start({ leaseMs })
    const running = [first, await start({ leaseMs }), await start({ leaseMs })]
    const orgId = await firstOrg(first)
    await subscribe(first, orgId, receiver.url)
    for (let round = 0; round < 10; round++) {
      await Promise.all(running.flatMap((server) => [change(server, orgId), change(server, orgId)]))
    }
    await until('all arrive', () => arrivedAt(receiver).size === 60)
    await sleep(1500)
    assert.equal(receiver.received.length, 60)
    for (const server of running) await server.end('SIGTERM')
  })

  test('one of two processes stalls while sending: the other continues, and the late result changes nothing', {
    skip: engine === 'sqlite' && 'one process holds the data folder',
  }, async () => {
    await using receiver = await startReceiver()
    const responses: (() => void)[] = []
    receiver.answer = (response) => {
      if (responses.length > 0) response.writeHead(204).end()
      else responses.push(() => response.writeHead(410).end())
    }
    const late = await start()
    const orgId = await firstOrg(late)
    await subscribe(late, orgId, receiver.url)
    await change(late, orgId)
    await until('the first attempt', () => responses.length === 1)
    late.child.kill('SIGSTOP')
    // The receiver has answered; the server has not read it yet.
    responses[0]!()
    const other = await start()
    for (let changes = 0; changes < 3; changes++) await change(other, orgId)
    await until('all arrive, the first one again', () => receiver.received.length === 5)
    late.child.kill('SIGCONT')
    await change(late, orgId)
    await until('the next arrives too', () => receiver.received.length === 6)
    const only = async () =>
      (await call(other, 'GET', `/rest/orgs/${orgId}/webhooks?limit=100`)).data.find(
        ({ attributes }: { attributes: { url: string } }) => attributes.url === receiver.url,
      )
    const { id } = await only()
    const statuses = async () => {
      const { data } = await call(other, 'GET', `/rest/orgs/${orgId}/webhooks/${id}/deliveries`)
      return data.map(({ attributes }: { attributes: { last_status?: number } }) => attributes.last_status)
    }
    // The attempt is recorded shortly after the message arrives.
    await until('all are noted', async () => !(await statuses()).includes(undefined))
    assert.deepEqual(await statuses(), [204, 204, 204, 204, 204])
    const { is_active, failing_since } = (await only()).attributes
    assert.deepEqual([is_active, failing_since], [true, undefined])
    for (const server of [late, other]) await server.end('SIGTERM')
  })
})
