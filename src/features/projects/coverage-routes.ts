import { type Static, Type } from 'typebox'
import { Coverage } from '#features/package-tests/resource.ts'
import { resource, Single, single, Uuid, Versioned } from '#foundation/http/documents.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import { notFound } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { findState } from './states-store.ts'
import { getProject } from './store.ts'

const ProjectCoverage = resource('project_coverage', Coverage)

/** What a project's results rest on: without it nobody can tell a clean project from one that could not be tested. */
export function coverageRoutes({ db }: Services): Routes {
  return (scope) => {
    scope.get(
      '/orgs/:org_id/projects/:project_id/coverage',
      {
        config: { access: { org: ['org.project.read'] }, releases: ['2024-10-15'] },
        schema: {
          operationId: 'getOrgProjectCoverage',
          summary: 'Read what the last test of a project covered',
          description:
            'An extension: the interface documents have no such operation. 404 before the first test of the project.',
          tags: ['Projects'],
          params: Type.Object({ org_id: Uuid, project_id: Uuid }),
          querystring: Versioned,
          response: { 200: Single(ProjectCoverage) },
        },
      },
      async (request) => {
        const project = await getProject(db, orgOf(request).id, request.params.project_id.toLowerCase())
        const state = await findState(db, project.number)
        if (!state) throw notFound(`A test of project ${project.id}`)
        const attributes = JSON.parse(state.coverage) as Static<typeof Coverage>
        return single(request, { id: project.id, type: 'project_coverage', attributes })
      },
    )
  }
}
