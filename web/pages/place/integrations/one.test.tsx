import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fireEvent, screen, within } from '@testing-library/react'
import { type BareRepository, bareRepository } from '#test/repositories/git-repository.ts'
import { npmProject } from '#test/repositories/imports.ts'
import { render } from '../../../testing/render.tsx'
import { useImportServer } from '../../../testing/server.ts'
import { IntegrationPage } from './one.tsx'

describe('connection of an integration', () => {
  const server = useImportServer()
  let repository: BareRepository
  before(() => {
    repository = bareRepository()
    repository.commit(npmProject(''))
  })
  after(() => repository[Symbol.dispose]())

  test('connection test: says that the repository is read, or why it is not', async () => {
    const { orgId, integrationId } = server()
    server().connect()
    const at = `/orgs/${orgId}/integrations/${integrationId}`
    render(<IntegrationPage />, { at, route: '/orgs/:placeId/integrations/:integrationId' })
    const connection = within((await screen.findByText('Connection')).closest('section')!)
    const ask = (path: string) => {
      fireEvent.change(connection.getByLabelText('Folder'), { target: { value: path } })
      fireEvent.click(connection.getByText('Test connection').closest('button')!)
    }
    ask(repository.path)
    await connection.findByText('Connection successful')
    ask('gone.git')
    await connection.findByText('Connection failed')
    assert.ok(connection.queryByText('Connection successful') === null)
  })
})
