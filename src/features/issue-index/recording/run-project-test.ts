import { isPermissive } from '#analysis/licenses/judge-license.ts'
import { findPolicy } from '#features/license-policies/store.ts'
import { findPolicySetting } from '#features/policy-files/setting-store.ts'
import { Problem } from '#foundation/problem.ts'
import type { ProblemCode } from '#foundation/problem-codes.ts'
import type { Services } from '#foundation/services.ts'
import type { RunOptions, TestPool } from '#scanning/pool/test-pool.ts'
import { serverPython } from '#scanning/reading/server-python.ts'
import type { Subject } from '#scanning/reading/task.ts'
import { readProject, type WrittenProject } from '#scanning/results/project-bytes.ts'
import type { ProjectTest } from '#scanning/results/project-form.ts'
import { packWritten } from '../storage/packed-state.ts'

export interface TestInput {
  /** A package manager's id; for a graph that a client resolved, the name in the graph. */
  readonly ecosystem: string
  readonly subject: Subject
  /** Base URLs of further repositories, if the package manager supports them. */
  readonly repositories?: readonly string[]
  /** The client that waits for the result; background tests without one have lower priority. */
  readonly client?: RunOptions
}

/** `rootName` is the name of a graph's root, and empty for files. */
export type ProjectOutcome = { readonly test: ProjectTest; readonly rootName: string } | { readonly problem: Problem }

/** Tests projects in the background, after interactive tests and on some of the threads. */
export interface ProjectTester {
  /**
   * Tests a project. An untestable project results in a problem for its page. Rejects if `signal` aborts or the server
   * stops.
   */
  test(orgId: string, input: TestInput, signal?: AbortSignal): Promise<ProjectOutcome>
}

/** Also tests projects that clients send and wait for. */
export interface MonitoringTester extends ProjectTester {
  /** Tests and stores a project. Large ones are loaded and stored one at a time. */
  testAndStore<T>(orgId: string, input: TestInput, store: (outcome: ProjectOutcome) => Promise<T>): Promise<T>
}

/** Minimum size in bytes of a large test, which waits for its turn. */
const LARGE_BYTES = 1024 * 1024

/**
 * Creates the tester. Missing registry data is reported in the coverage and is not a failure. Licenses are looked up
 * for organizations with a policy, as in package tests.
 */
export function createProjectTester({ db, config }: Pick<Services, 'db' | 'config'>, pool: TestPool): MonitoringTester {
  let lastLarge: Promise<unknown> = Promise.resolve()

  async function run(orgId: string, input: TestInput, signal?: AbortSignal): Promise<Written> {
    const { ecosystem, subject, repositories = [], client } = input
    const policy = await findPolicy(db, orgId)
    const task = {
      ecosystem,
      subject,
      repositories,
      org: { id: orgId, name: '' },
      licensePolicy: policy === undefined || isPermissive(policy) ? undefined : policy,
      policyFiles: await findPolicySetting(db, orgId),
      form: 'project',
      acceptPartial: true,
      includeDev: false,
      python: serverPython(config),
    } as const
    try {
      const answer = await pool.run(task, client ?? { urgency: 'background', signal })
      if ('problem' in answer) throw new Problem(answer.problem.code, answer.problem.faults)
      const { body, layout, facts } = answer
      if (!layout) throw new Error('a test thread returned another format than that of projects')
      return { body, layout, rootName: facts.rootName ?? '' }
    } catch (error) {
      // Rethrow if the project is not at fault: the server stops, has no advisories yet, or the client disconnected.
      if (error instanceof Problem && !nothingWrong.includes(error.code)) return { problem: error }
      throw error
    }
  }

  return {
    test: async (orgId, input, signal) => read(await run(orgId, input, signal)),
    async testAndStore(orgId, input, store) {
      const written = await run(orgId, input)
      const readAndStore = async () => {
        input.client?.signal?.throwIfAborted()
        return store(await read(written))
      }
      if ('problem' in written || written.body.length < LARGE_BYTES) return readAndStore()
      const stored = lastLarge.then(readAndStore)
      lastLarge = stored.catch(() => {})
      return stored
    },
  }
}

type Written = (WrittenProject & { readonly rootName: string }) | { readonly problem: Problem }

async function read(written: Written): Promise<ProjectOutcome> {
  if ('problem' in written) return written
  const test = await readProject(written)
  await packWritten(test, written)
  return { test, rootName: written.rootName }
}

const nothingWrong: readonly ProblemCode[] = ['unavailable', 'client-closed']
