import { Type } from 'typebox'
import { answerOrgChange } from '#foundation/http/change.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { JobNotifier } from '#foundation/jobs/job-notifier.ts'
import type { Services } from '#foundation/services.ts'
import { requestTest } from './request-test.ts'

export function retestRoutes(services: Services, jobNotifier: JobNotifier): Routes {
  return (scope) => {
    defineOperation(scope, {
      id: 'testOrgProject',
      at: 'POST /orgs/:org_id/projects/:project_id/tests',
      summary: 'Request a retest of a project',
      description:
        'An extension. The project is tested as if it were due: from its repository, or from the data that a client sent. Until its turn `next_test_at` is the time of the request; `last_tested_at` changes when the test is finished. 409 for an inactive project.',
      tags: ['Projects'],
      access: { org: ['org.project.read', 'org.project.test'] },
      releases: ['2024-10-15'],
      response: { 204: Type.Null() },
      handler: async (request, reply) => {
        const id = request.params.project_id.toLowerCase()
        await answerOrgChange(services, { request, reply }, (change) => requestTest(change, id))
        jobNotifier.notifyWorkers()
        return reply
      },
    })
  }
}
