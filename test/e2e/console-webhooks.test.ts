import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { skipWithoutBrowser } from '#test/browser/browser.ts'
import { buildConsole, type Console, look, openConsole } from '#test/browser/console.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { listenAnywhere } from '#test/servers/listening.ts'
import { isSigned, startReceiver } from '#test/servers/receiver.ts'

describe('webhooks in the console', { skip: skipWithoutBrowser }, () => {
  let app: TestApp
  let baseUrl: string
  let gui: Console
  before(async () => {
    buildConsole()
    app = await startApp('sqlite', { GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1' })
    baseUrl = await listenAnywhere(app)
    gui = await openConsole(baseUrl, app.adminKey)
  })
  after(async () => {
    await gui?.close()
    await app?.close()
  })

  test('a webhook is created, its secret shown once, tested, changed, its messages read and resent, and deleted', async () => {
    await using receiver = await startReceiver()
    await using tab = await gui.open(`/orgs/${app.orgId}/webhooks`)
    const { page } = tab
    const dialog = page.getByRole('dialog')
    await page.getByRole('link', { name: 'New webhook' }).click()
    await page.getByRole('textbox', { name: 'Address' }).fill('http://10.0.0.7/hook')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url)
    await page.getByRole('textbox', { name: 'Description' }).fill('The chat of the team')
    await page.getByRole('checkbox', { name: 'credential.exposed' }).check()
    await look(page, 'webhook-new')
    await page.getByRole('button', { name: 'Create' }).click()
    const secret = await page.getByRole('textbox', { name: 'Signing secret', exact: true }).inputValue()
    assert.match(secret, /^whsec_/)
    await look(page, 'webhook-created')
    await page.getByRole('link', { name: 'I have saved it' }).click()
    await page.getByText('No deliveries yet.').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Signing secret', exact: true }).count(), 0)
    assert.ok(!(await page.content()).includes(secret), 'the secret is shown once')
    await look(page, 'webhook')

    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByText('Accepted: 204').waitFor()
    assert.ok(await isSigned(receiver.received[0]!, secret))
    receiver.answer = (response) => response.writeHead(500).end('the chat is closed')
    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByText('Not accepted').waitFor()
    await page.getByText('the chat is closed').waitFor()
    const messages = page.getByRole('table', { name: 'Messages' })
    await messages.getByText('failed').waitFor()
    await page.getByRole('combobox', { name: 'State' }).selectOption('delivered')
    await messages.getByText('failed').waitFor({ state: 'detached' })
    await messages.getByRole('button', { name: 'webhook.ping' }).click()
    await dialog.getByText('Sent request').waitFor()
    assert.match((await dialog.textContent())!, /webhook_id/)
    await look(page, 'webhook-message')
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await dialog.getByText('Queued for delivery.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'State' }).selectOption('waiting')
    await messages.getByText('waiting', { exact: true }).waitFor()

    const change = page.getByRole('region', { name: 'Change' })
    await change.getByRole('switch', { name: 'Send all events' }).check()
    await change.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'About' }).getByText('all events').waitFor()
    await page.getByRole('button', { name: 'Replace secret' }).click()
    await dialog.getByRole('button', { name: 'Replace' }).click()
    const next = await page.getByRole('textbox', { name: 'New signing secret' }).inputValue()
    receiver.answer = (response) => response.writeHead(204).end()
    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByText('Accepted: 204').waitFor()
    const last = receiver.received.at(-1)!
    assert.deepEqual([await isSigned(last, secret), await isSigned(last, next)], [true, true])

    await page.getByRole('button', { name: 'Switch off' }).click()
    await page.getByRole('button', { name: 'Switch on' }).waitFor()
    await look(page, 'webhook-off')
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
    await page.getByRole('heading', { name: 'Webhooks', exact: true, level: 1 }).waitFor()
    const list = page.getByRole('table', { name: 'Webhooks' })
    await list.getByText('disabled').waitFor()
    assert.match((await list.textContent())!, /The chat of the team.*all events.*disabled/)
    await look(page, 'webhooks')
    await list.getByRole('link', { name: receiver.url }).click()
    await page.getByRole('button', { name: 'Delete this webhook' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
    assert.ok(!app.log().includes(secret) && !app.log().includes(next))
    assert.deepEqual(tab.complaints, [])
  })

  test('a missing permission to edit is named on the page of webhooks', async () => {
    const key = await app.keyWith(['org.read'])
    await using tab = await gui.open(`/orgs/${app.orgId}/webhooks`, { key })
    assert.match((await tab.page.getByRole('alert').textContent())!, /org\.edit/)
    assert.deepEqual(tab.complaints, [])
  })

  test('pages of webhooks fit a narrow screen in the dark scheme', async () => {
    const { data } = (
      await app.call('POST', `/rest/orgs/${app.orgId}/webhooks`, {
        body: {
          data: {
            type: 'webhook',
            attributes: {
              url: 'https://hooks.example/a/path/long/enough/to/need/more/than/one/line/on/a/telephone',
              events: ['*'],
            },
          },
        },
      })
    ).json()
    await using tab = await gui.open(`/orgs/${app.orgId}/webhooks`, {
      viewport: { width: 320, height: 640 },
      colorScheme: 'dark',
    })
    await tab.page.getByRole('table', { name: 'Webhooks' }).getByRole('link').first().waitFor()
    await look(tab.page, 'webhooks-narrow')
    for (const path of ['new', data.id]) {
      await tab.page.goto(`${baseUrl}/console/orgs/${app.orgId}/webhooks/${path}`)
      await tab.page.waitForLoadState('networkidle')
      await look(tab.page, `webhook-${path === 'new' ? 'new' : 'one'}-narrow`)
    }
    assert.deepEqual(tab.complaints, [])
  })
})
