import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { createConsoleBrowser } from '#test/access/console-browser.ts'
import { addApp } from '#test/access/factors.ts'
import { addPerson } from '#test/access/people.ts'
import { forgetKey } from '../../api/session.ts'
import { render } from '../../testing/render.tsx'
import { useConsoleServer } from '../../testing/server.ts'
import { signInHere } from '../../testing/sign-in.ts'
import { Security } from './security.tsx'

describe('security page of a group', () => {
  const server = useConsoleServer()
  beforeEach(() => server().connect())

  const open = (groupId: string) =>
    render(<Security />, { at: `/groups/${groupId}/security`, route: '/groups/:placeId/security' }).user

  async function press(user: ReturnType<typeof open>, verb: string) {
    await user.click(await screen.findByRole('button', { name: verb }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: verb }))
  }

  test('second-factor rule: an administrator without a factor is told to add one first', async () => {
    const groupId = await server().addGroup()
    forgetKey()
    await signInHere(await addPerson(server(), { permissions: ['group.read', 'group.edit'], groupId }))
    const user = open(groupId)
    assert.ok(await screen.findByText('0 of 1'))
    await press(user, 'Require second factor')
    assert.match((await screen.findByRole('alert')).textContent, /Add a second factor to your own account first/)
  })

  test('second-factor rule: set to required and back to optional', async () => {
    const groupId = await server().addGroup()
    const person = await addPerson(server(), { permissions: ['group.read', 'group.edit'], groupId })
    const browser = createConsoleBrowser(server())
    await browser.signIn(person)
    const { codes } = await addApp(browser)
    forgetKey()
    await signInHere(person, codes[0])
    const user = open(groupId)
    assert.ok(await screen.findByText('Optional: members decide'))
    await press(user, 'Require second factor')
    assert.ok(await screen.findByText('Required'))
    assert.ok(screen.getByText('1 of 1'))
    await press(user, 'Make second factor optional')
    assert.ok(await screen.findByText('Optional: members decide'))
  })
})
