import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import { codeOf } from '#test/access/factors.ts'
import { addPerson, PASSWORD, type Person } from '#test/access/people.ts'
import { forgetKey } from '../../api/session.ts'
import { render } from '../../testing/render.tsx'
import { useConsoleServer } from '../../testing/server.ts'
import { signInHere } from '../../testing/sign-in.ts'
import { SecondFactors } from './second-factors.tsx'

describe('second factors on the account page', () => {
  const server = useConsoleServer()
  let person: Person
  beforeEach(async () => {
    server().connect()
    forgetKey()
    person = await addPerson(server())
    await signInHere(person)
  })

  const open = () => render(<SecondFactors email={person.email} />).user
  const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

  async function addApp(user: ReturnType<typeof open>) {
    await user.click(await screen.findByRole('button', { name: 'Add authenticator app' }))
    const inside = await dialog('Add an authenticator app')
    const secret = (await inside.findByText(/^[A-Z2-7]{4}( [A-Z2-7]{4}){7}$/)).textContent.replaceAll(' ', '')
    await user.clear(inside.getByLabelText('Name'))
    await user.type(inside.getByLabelText('Name'), 'My phone')
    await user.type(inside.getByLabelText('Code'), `${codeOf(secret)}{Enter}`)
    const codes = await dialog('Recovery codes')
    assert.equal(codes.getAllByRole('listitem').length, 10)
    await user.click(codes.getByRole('button', { name: 'I saved the codes' }))
    return secret
  }

  test('authenticator app: added, listed with ten recovery codes, and removed', async () => {
    const user = open()
    assert.ok(await screen.findByText(/No second factors yet/))
    assert.ok(screen.getByText(/Passkeys need a public address/))
    await addApp(user)
    const table = within(await screen.findByRole('table', { name: 'Second factors' }))
    assert.ok(table.getByText('My phone'))
    assert.ok(screen.getByText('10 recovery codes are left.'))
    await user.click(table.getByRole('button', { name: 'Remove My phone' }))
    const inside = await dialog('Remove this second factor?')
    await user.click(inside.getByRole('button', { name: 'Remove second factor' }))
    assert.ok(await screen.findByText(/No second factors yet/))
  })

  test('new recovery codes: created after a confirmation', async () => {
    const user = open()
    await addApp(user)
    await user.click(await screen.findByRole('button', { name: 'Create new codes' }))
    await user.click((await dialog('Create new recovery codes?')).getByRole('button', { name: 'Create codes' }))
    assert.equal((await dialog('Recovery codes')).getAllByRole('listitem').length, 10)
  })

  test('new recovery codes: ask for a new sign-in after ten minutes', async () => {
    const user = open()
    const secret = await addApp(user)
    const { db, now } = server().parts.services
    const set = { signed_in_at: now() - 11 * 60_000 }
    await db.updateTable('user_sessions').set(set).where('user_id', '=', person.id).execute()
    await user.click(await screen.findByRole('button', { name: 'Create new codes' }))
    const inside = await dialog('Create new recovery codes?')
    await user.type(await inside.findByLabelText('Password'), `${PASSWORD}{Enter}`)
    await user.type(await inside.findByLabelText('Code'), `${codeOf(secret, 1)}{Enter}`)
    await user.click(await inside.findByRole('button', { name: 'Create codes' }))
    await waitFor(async () => assert.ok(await dialog('Recovery codes')))
  })
})
