import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { type Receiver, startReceiver } from '#test/servers/receiver.ts'
import { ALLOWING_LOOPBACK, addWebhook, startSending, tell, until, webhookBody } from '#test/servers/webhooks.ts'

const MINUTE = 60_000

onEveryEngine('late attempts of a delivery', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, ALLOWING_LOOPBACK)
  })
  after(() => app.close())

  const read = async (path: string) => (await app.call('GET', path)).json().data.attributes
  const log = async (path: string) =>
    (await app.call('GET', `${path}/deliveries`))
      .json()
      .data.map((delivery: { attributes: object }) => delivery.attributes)

  /** Leaves the first message without a response and accepts all others. */
  function lockFirst(receiver: Receiver): ServerResponse[] {
    const pending: ServerResponse[] = []
    receiver.answer = (response) => {
      if (pending.length === 0) pending.push(response)
      else response.writeHead(204).end()
    }
    return pending
  }

  const endings: [title: string, end: (response: ServerResponse) => void][] = [
    ['answered with 410', (response) => response.writeHead(410).end()],
    ['answered with 500', (response) => response.writeHead(500).end()],
    ['cut off', (response) => response.destroy()],
  ]
  for (const processes of [1, 2]) {
    for (const [title, end] of endings) {
      test(`late attempt ${title}: changes nothing after a delivery by ${processes} process(es)`, async () => {
        await using receiver = await startReceiver()
        const pending = lockFirst(receiver)
        const webhook = await addWebhook(app, { url: receiver.url, events: ['issues.new'] })
        let later = 0
        const sending = [startSending(app, {}, { now: () => Date.now() + later })]
        await tell(app, 'issues.new')
        await until('the first attempt', () => pending.length === 1)
        // Simulates a process that paused for this long.
        later = MINUTE
        if (processes === 2) sending.push(startSending(app, {}, { now: () => Date.now() + later }))
        await until('it is delivered', async () => (await log(webhook.path))[0].state === 'delivered')
        end(pending[0]!)
        await Promise.all(sending.map((one) => one.close()))
        const [entry, ...more] = await log(webhook.path)
        assert.deepEqual(more, [])
        assert.deepEqual([entry.state, entry.last_status, entry.last_error], ['delivered', 204, undefined])
        const { is_active, failing_since } = await read(webhook.path)
        assert.deepEqual([is_active, failing_since], [true, undefined])
        assert.equal(receiver.received.length, 2)
        await app.call('DELETE', webhook.path)
      })
    }
  }

  test('late attempt that succeeds: both attempts count and the delivery stays delivered', async () => {
    await using receiver = await startReceiver()
    const pending = lockFirst(receiver)
    const webhook = await addWebhook(app, { url: receiver.url, events: ['issues.new'] })
    let later = 0
    const sending = startSending(app, {}, { now: () => Date.now() + later })
    await tell(app, 'issues.new')
    await until('the first attempt', () => pending.length === 1)
    later = MINUTE
    await until('it is delivered', async () => (await log(webhook.path))[0].state === 'delivered')
    pending[0]!.writeHead(200).end()
    await sending.close()
    const [{ state, attempts }] = await log(webhook.path)
    assert.deepEqual([state, attempts], ['delivered', 2])
    await app.call('DELETE', webhook.path)
  })

  test('changed URL during an attempt: the new URL gets the message at once without a failure', async () => {
    await using receiver = await startReceiver()
    await using elsewhere = await startReceiver()
    const pending = lockFirst(receiver)
    const webhook = await addWebhook(app, { url: receiver.url, events: ['issues.new'] })
    const sending = startSending(app)
    await tell(app, 'issues.new')
    await until('the first attempt', () => pending.length === 1)
    const body = webhookBody({ url: elsewhere.url })
    assert.equal((await app.call('PATCH', webhook.path, { body })).statusCode, 200)
    await until('it arrives there', () => elsewhere.received.length === 1)
    await until('it is noted', async () => (await log(webhook.path))[0].state === 'delivered')
    pending[0]!.writeHead(410).end()
    await sending.close()
    assert.equal((await log(webhook.path))[0].attempts, 1)
    assert.deepEqual([receiver.received.length, elsewhere.received.length], [1, 1])
    const { is_active, failing_since } = await read(webhook.path)
    assert.deepEqual([is_active, failing_since], [true, undefined])
    await app.call('DELETE', webhook.path)
  })
})
