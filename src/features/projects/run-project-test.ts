import { isPermissive } from '#analysis/licences/judge-licence.ts'
import { findPolicy } from '#features/licence-policies/store.ts'
import type { Subject } from '#features/package-tests/messages.ts'
import type { TestPool } from '#features/package-tests/pool.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { packTest } from './packed-state.ts'
import type { ProjectTest } from './project-test.ts'

export interface WantedTest {
  /** A package manager's id; of a graph that was resolved elsewhere, the name that it gives. */
  readonly ecosystem: string
  readonly subject: Subject
  /** Base URLs of further repositories, where the package manager takes such. */
  readonly repositories?: readonly string[]
  /** Somebody waits for it; else it waits behind what somebody waits for. */
  readonly isAwaited?: boolean
}

export type ProjectOutcome = { readonly test: ProjectTest } | { readonly problem: Problem }

/** Tests projects in the background: behind what somebody waits for, and on a part of the threads. */
export interface ProjectTester {
  /** What cannot be tested is a problem that people can be told; rejects when `signal` aborts, or the server stops. */
  test(orgId: string, wanted: WantedTest, signal?: AbortSignal): Promise<ProjectOutcome>
}

/**
 * What a registry does not tell is named by the coverage of the test and makes no failure of it. Registries are asked for
 * licences where the organisation has a policy, as in package tests.
 */
export function createProjectTester({ db, config }: Pick<Services, 'db' | 'config'>, pool: TestPool): ProjectTester {
  return {
    async test(orgId, { ecosystem, subject, repositories = [], isAwaited = false }, signal) {
      const policy = await findPolicy(db, orgId)
      const task = {
        ecosystem,
        subject,
        repositories,
        org: { id: orgId, name: '' },
        licencePolicy: policy === undefined || isPermissive(policy) ? undefined : policy,
        form: 'project',
        acceptPartial: true,
        includeDev: false,
        python: { version: config.pythonVersion, platform: config.pythonPlatform },
      } as const
      try {
        const answer = await pool.run(task, { urgency: isAwaited ? 'interactive' : 'background', signal })
        if ('problem' in answer) throw new Problem(answer.problem.code, answer.problem.faults)
        const test = JSON.parse(new TextDecoder().decode(answer.body)) as ProjectTest
        await packTest(test)
        return { test }
      } catch (error) {
        // Nothing was wrong with the project when the server stops or has no advisories yet.
        if (error instanceof Problem && error.code !== 'unavailable') return { problem: error }
        throw error
      }
    },
  }
}
