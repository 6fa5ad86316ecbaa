import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import { RETEST_PROJECTS } from './request-test.ts'
import { type Retesting, retestDue } from './retest-projects.ts'

export function retestProjects(retesting: Retesting): JobKind {
  return defineJob({
    name: RETEST_PROJECTS,
    maxAttempts: 5,
    everyMinutes: 1,
    fair: { perProcess: 1, perOrg: 1 },
    async run(_payload, { log, signal }) {
      const count = await retestDue(retesting, signal)
      if (count > 0) log.info({ projects: count }, 'projects were tested again')
    },
  })
}
