import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen } from '@testing-library/react'
import { addPerson, PASSWORD } from '#test/access/people.ts'
import { call } from '../api/client.ts'
import { forgetKey } from '../api/session.ts'
import { render } from '../testing/render.tsx'
import { useConsoleServer } from '../testing/server.ts'
import { useSession } from './session.tsx'

function State() {
  const { state, signOut } = useSession()
  return (
    <button type="button" onClick={() => signOut()}>
      {state}
    </button>
  )
}

describe('signing out', () => {
  const server = useConsoleServer()

  async function openSignedIn() {
    server().connect()
    forgetKey()
    const { email } = await addPerson(server())
    await call('beginSession', { body: { email, password: PASSWORD } })
    const { user } = render(<State />)
    return { user, button: await screen.findByRole('button', { name: 'signed-in' }) }
  }

  test('signing out: completes after the server has ended the session, so that the next page finds none', async () => {
    const { user, button } = await openSignedIn()
    const release = server().hold()
    await user.click(button)
    await screen.findByRole('button', { name: 'leaving' })
    release()
    await screen.findByRole('button', { name: 'signed-out' })
    assert.deepEqual(await call('findSession', {}), {})
  })

  test('signing out: completes even if the server cannot be reached', async () => {
    const { user, button } = await openSignedIn()
    server().disconnect()
    await user.click(button)
    await screen.findByRole('button', { name: 'signed-out' })
  })
})
