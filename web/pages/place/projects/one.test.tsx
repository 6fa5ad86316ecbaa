import { describe, test } from 'node:test'
import { screen } from '@testing-library/react'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { ProjectPage } from './one.tsx'

describe('project page', () => {
  const server = useConsoleServer()

  for (const [isComplete, title] of [
    [true, 'Few advisories known'],
    [false, 'Incomplete test'],
  ] as const) {
    test(`project page: with the starter set, a test that is ${isComplete ? '' : 'in'}complete has the title "${title}"`, async () => {
      const graph = { shop: ['a@1.0.0'], 'a@1.0.0': [] }
      const { projectId } = await recordProject(server(), { graph, isComplete })
      server().connect()
      const { orgId } = server()
      render(<ProjectPage />, {
        at: `/orgs/${orgId}/projects/${projectId}`,
        route: '/orgs/:placeId/projects/:projectId',
      })
      await screen.findByText(title)
      await screen.findByText(/Only the starter set of advisories was used/)
    })
  }
})
