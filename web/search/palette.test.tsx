import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { render } from '../testing/render.tsx'
import { useConsoleServer } from '../testing/server.ts'
import { SearchBox } from './search-box.tsx'
import { keepEarlyKeys } from './typed-keys.ts'

describe('search palette', () => {
  const server = useConsoleServer()
  const open = async () => {
    server().connect()
    const shown = render(<SearchBox place={{ kind: 'orgs', id: server().orgId }} />, { at: '/here', route: '/here' })
    await shown.user.keyboard('{Control>}k{/Control}')
    return { ...shown, input: await screen.findByRole('combobox', { name: 'Search' }) }
  }

  test('search palette: finds a vulnerability by CVE and opens it with Enter', async () => {
    await recordProject(server(), {
      name: 'shop',
      graph: { project: ['left@1.0.0'], 'left@1.0.0': [] },
      issues: [{ id: 'GHSA-left', in: 'left@1.0.0', aliases: ['CVE-2020-0001'] }],
    })
    const { user, input, address } = await open()
    await user.type(input, 'cve-2020-0001')
    const hit = await screen.findByRole('option', { name: /GHSA-left/ })
    assert.equal(input.getAttribute('aria-activedescendant'), hit.id)
    await user.keyboard('{Enter}')
    assert.equal(address(), `/orgs/${server().orgId}/vulnerabilities/GHSA-left`)
  })

  test('search palette: finds pages by purpose; arrow keys wrap around', async () => {
    const { user, input, address } = await open()
    await user.type(input, 'oauth')
    await screen.findByRole('option', { name: 'Apps' })
    await user.keyboard('{ArrowUp}{ArrowDown}{Enter}')
    await waitFor(() => assert.equal(address(), `/orgs/${server().orgId}/apps`))
  })

  test('search palette: in an organization, finds the settings of its group', async () => {
    const { user, input, address } = await open()
    await user.type(input, 'identity provider')
    await screen.findByText(/^Pages of /)
    await user.click(screen.getByRole('option', { name: 'Single sign-on' }))
    assert.equal(address(), `/groups/${server().groupId}/single-sign-on`)
  })

  test('search palette: keeps what is typed before its field has the focus, and runs no shortcut of a letter', async () => {
    server().connect()
    const at = '/here'
    const { address } = render(<SearchBox place={{ kind: 'orgs', id: server().orgId }} />, { at, route: at })
    const outside: string[] = []
    const listen = ({ key }: KeyboardEvent) => void outside.push(key)
    document.addEventListener('keydown', listen)
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
    for (const key of ['l', 'o', 'h', 'Backspace', 'g', '4', 'j']) fireEvent.keyDown(document.body, { key })
    document.removeEventListener('keydown', listen)
    const input = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Search' })
    assert.equal(input.value, 'log4j')
    assert.deepEqual(outside, ['k'])
    assert.equal(address(), at)
  })

  test('search palette: Enter before its field has the focus opens the first result', async () => {
    await recordProject(server(), { name: 'quick', graph: { project: [] } })
    server().connect()
    const { address } = render(<SearchBox place={{ kind: 'orgs', id: server().orgId }} />, { at: '/', route: '/' })
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
    for (const key of [...'quick', 'Enter']) fireEvent.keyDown(document.body, { key })
    await waitFor(() => assert.match(address(), /\/projects\/[\w-]+$/))
  })

  test('search palette: keeps what is typed after Ctrl+K before the console is loaded', async () => {
    server().connect()
    keepEarlyKeys()
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
    for (const key of 'log4j') fireEvent.keyDown(document.body, { key })
    render(<SearchBox place={{ kind: 'orgs', id: server().orgId }} />, { at: '/', route: '/' })
    const input = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Search' })
    assert.equal(input.value, 'log4j')
  })

  test('search palette: keys in a field before the console is loaded open no search', async () => {
    server().connect()
    keepEarlyKeys()
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
    const field = document.body.appendChild(document.createElement('input'))
    fireEvent.keyDown(field, { key: 'a' })
    field.remove()
    render(<SearchBox place={{ kind: 'orgs', id: server().orgId }} />, { at: '/', route: '/' })
    await screen.findAllByText('Ctrl K')
    assert.ok(screen.queryByRole('dialog') === null)
  })

  test('search palette: finds pages of the documentation and their parts, pages first', async () => {
    const { user, input } = await open()
    await user.type(input, 'backup')
    const guides = within(await screen.findByRole('group', { name: 'Documentation' })).getAllByRole('option')
    assert.match(guides[0]!.textContent, /^Backup and restore/)
    assert.match(guides[0]!.getAttribute('href')!, /\/docs\/backup\/$/)
    assert.ok(guides.some((guide) => guide.getAttribute('href')!.includes('#')))
  })

  test('search palette: without a hit, says so', async () => {
    const { user, input } = await open()
    await user.type(input, 'lgo4j')
    await screen.findByText(/Nothing found for “lgo4j”/)
  })
})
