import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { render } from '../testing/render.tsx'
import { useConsoleServer } from '../testing/server.ts'
import { Navigation } from './navigation.tsx'

describe('navigation', () => {
  const server = useConsoleServer()
  const numberOf = (name: string) => {
    const link = screen.getByRole('link', { name })
    const id = link.getAttribute('aria-describedby')
    return id === null ? undefined : document.getElementById(id)?.textContent
  }

  test('navigation: links of lists are described by their counts; failed imports only if there are any', async () => {
    const { orgId, connect } = server()
    connect()
    const graph = { project: ['left@1.0.0'], 'left@1.0.0': [] }
    await recordProject(server(), { name: 'shop', graph, issues: [{ id: 'N-1', in: 'left@1.0.0' }] })
    render(<Navigation place={{ kind: 'orgs', id: orgId }} onNavigate={() => undefined} />, { at: '/' })
    await screen.findByRole('link', { name: 'Projects' })
    await waitFor(() => assert.equal(numberOf('Projects'), '1'))
    assert.equal(numberOf('Issues'), '1')
    assert.equal(numberOf('Ignores'), '0')
    assert.equal(numberOf('Imports'), undefined)
    assert.equal(numberOf('Audit log'), undefined)
  })
})
