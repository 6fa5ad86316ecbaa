import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import { makeJobsDue } from '#foundation/jobs/store.ts'
import type { Services } from '#foundation/services.ts'
import { COUNT_ISSUES, recountProjects } from '../counts/recount-projects.ts'
import { labelPackages } from '../packages/label-packages.ts'
import type { AdvisoryMatcher } from './advisory-matcher.ts'
import { announceKnown } from './announce-known.ts'

export const MATCH_ADVISORIES = 'match-advisories'
const ANNOUNCE_ISSUES = 'announce-issues'
const LABEL_PACKAGES = 'label-packages'

/** A slot of its own, so that this job never waits for others. */
const OWN_SLOT = { perProcess: 1, perOrg: 1 }

type Tools = Pick<Services, 'db' | 'now'>

/** Matches stored packages with the advisories in use: at once when they change, and every minute. */
export function matchAdvisories({ db, now }: Tools, matcher: AdvisoryMatcher): JobKind {
  return defineJob({
    name: MATCH_ADVISORIES,
    maxAttempts: 5,
    everyMinutes: 1,
    fair: OWN_SLOT,
    async run(_payload, { log, signal }) {
      for (let matched = await matcher.run(signal); matched; matched = await matcher.run(signal)) {
        log.info(matched, 'stored packages were matched with new advisories')
        await makeJobsDue(db, COUNT_ISSUES, now())
        await makeJobsDue(db, ANNOUNCE_ISSUES, now())
      }
    },
  })
}

export function announceIssues(tools: Tools): JobKind {
  return defineJob({
    name: ANNOUNCE_ISSUES,
    maxAttempts: 5,
    everyMinutes: 1,
    fair: OWN_SLOT,
    run: (_payload, { signal }) => announceKnown(tools, signal),
  })
}

export function countIssues(tools: Tools): JobKind {
  return defineJob({
    name: COUNT_ISSUES,
    maxAttempts: 5,
    everyMinutes: 1,
    fair: OWN_SLOT,
    run: (_payload, { signal }) => recountProjects(tools, signal),
  })
}

/** Looks up the spellings and licenses of packages that were stored without them. */
export function labelStoredPackages({ db }: Tools): JobKind {
  return defineJob({
    name: LABEL_PACKAGES,
    maxAttempts: 5,
    everyMinutes: 10,
    fair: OWN_SLOT,
    run: (_payload, { signal }) => labelPackages(db, signal),
  })
}
