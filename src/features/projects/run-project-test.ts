import { isPermissive } from '#analysis/licences/judge-licence.ts'
import { findPolicy } from '#features/licence-policies/store.ts'
import type { Subject } from '#features/package-tests/messages.ts'
import type { RunOptions, TestPool } from '#features/package-tests/pool.ts'
import { readProject } from '#features/package-tests/project-bytes.ts'
import { serverPython } from '#features/package-tests/server-python.ts'
import { Problem } from '#foundation/problem.ts'
import type { ProblemCode } from '#foundation/problem-codes.ts'
import type { Services } from '#foundation/services.ts'
import { packWritten } from './packed-state.ts'
import type { ProjectTest } from './project-test.ts'

export interface WantedTest {
  /** A package manager's id; of a graph that was resolved elsewhere, the name that it gives. */
  readonly ecosystem: string
  readonly subject: Subject
  /** Base URLs of further repositories, where the package manager takes such. */
  readonly repositories?: readonly string[]
  /** The client that waits for it; without one it waits behind tests that clients wait for. */
  readonly client?: RunOptions
}

/** `rootName` is that of a graph, and empty for files. */
export type ProjectOutcome = { readonly test: ProjectTest; readonly rootName: string } | { readonly problem: Problem }

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
    async test(orgId, { ecosystem, subject, repositories = [], client }, signal) {
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
        python: serverPython(config),
      } as const
      try {
        const answer = await pool.run(task, client ?? { urgency: 'background', signal })
        if ('problem' in answer) throw new Problem(answer.problem.code, answer.problem.faults)
        const { body, layout } = answer
        if (!layout) throw new Error('a test thread answered in another form than that of projects')
        const test = await readProject({ body, layout })
        await packWritten(test, { body, layout })
        return { test, rootName: answer.facts.rootName ?? '' }
      } catch (error) {
        // Nothing was wrong with the project when the server stops, has no advisories yet, or the client left.
        if (error instanceof Problem && !nothingWrong.includes(error.code)) return { problem: error }
        throw error
      }
    },
  }
}

const nothingWrong: readonly ProblemCode[] = ['unavailable', 'client-closed']
