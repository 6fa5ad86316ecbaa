import type { Static } from 'typebox'
import { resource, Single, single } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import type { Routes } from '#foundation/http/server.ts'
import { notFound } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { Coverage } from '#scanning/results/test-result.ts'
import { findState } from '../issue-index/storage/states-store.ts'
import { getProject } from './store.ts'

const ProjectCoverage = resource('project_coverage', Coverage)

nameSchemas({ ProjectCoverage })

/** Serves the coverage of a project's last test, which distinguishes a clean project from an untested one. */
export function coverageRoutes({ db }: Services): Routes {
  return (scope) => {
    defineOperation(scope, {
      id: 'getOrgProjectCoverage',
      at: 'GET /orgs/:org_id/projects/:project_id/coverage',
      summary: 'Read the coverage of a project’s last test',
      description: 'An extension. 404 before the first test of the project.',
      tags: ['Projects'],
      access: { org: ['org.project.read'] },
      releases: ['2024-10-15'],
      response: { 200: Single(ProjectCoverage) },
      handler: async (request) => {
        const project = await getProject(db, orgOf(request).id, request.params.project_id.toLowerCase())
        const state = await findState(db, project.number)
        if (!state) throw notFound(`A test of project ${project.id}`)
        const attributes = JSON.parse(state.coverage) as Static<typeof Coverage>
        return single(request, { id: project.id, type: 'project_coverage', attributes })
      },
    })
  }
}
