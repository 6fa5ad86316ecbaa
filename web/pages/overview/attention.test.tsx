import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import { render } from '../../testing/render.tsx'
import { useConsoleServer } from '../../testing/server.ts'
import { Attention } from './attention.tsx'

describe('overview cards', () => {
  const server = useConsoleServer()
  const open = () => render(<Attention orgId={server().orgId} />)
  const card = (title: RegExp) => screen.getByRole('heading', { name: title, level: 2 }).parentElement!.textContent

  test('overview cards while loading: each shows a loading status and none shows "None"', async () => {
    server().connect()
    const release = server().hold()
    open()
    assert.equal(screen.getAllByRole('status', { name: /^Loading: / }).length, 3)
    assert.ok(screen.queryByText(/^None/) === null)
    release()
    await waitFor(() => assert.equal(screen.getAllByText('None').length, 3))
  })

  test('overview cards without a permission: show "Unavailable" with the missing permission', async () => {
    server().connect(await server().keyWith(['org.read']))
    open()
    assert.equal((await screen.findAllByText(/^Unavailable: /)).length > 0, true)
    for (const [title, permission] of [
      [/^Ignores/, 'org.project.ignore.read'],
      [/^Secrets that expire/, 'org.service_account.read'],
    ] as const) {
      const heading = screen.getByRole('heading', { name: title, level: 2 })
      await screen.findByText(
        (_, element) => element === heading.parentElement && /Unavailable/.test(element?.textContent ?? ''),
      )
      assert.ok(card(title).includes(permission), `${card(title)}: ${permission}`)
      assert.doesNotMatch(card(title), /None/)
    }
  })

  test('overview cards without a response: show "Unavailable"', async () => {
    server().connect()
    server().disconnect()
    open()
    const unknown = await screen.findAllByText('Unavailable: The server did not respond', { exact: false })
    assert.ok(unknown.length > 0)
    assert.ok(screen.queryByText(/^None/) === null)
  })
})
