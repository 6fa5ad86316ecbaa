import { isPermissive } from '#analysis/licenses/judge-license.ts'
import { findPolicy } from '#features/license-policies/store.ts'
import { findPolicySetting } from '#features/policy-files/setting-store.ts'
import { Problem } from '#foundation/problem.ts'
import type { ProblemCode } from '#foundation/problem-codes.ts'
import type { Services } from '#foundation/services.ts'
import type { RunOptions, TestPool } from '#scanning/pool/pool.ts'
import { serverPython } from '#scanning/reading/server-python.ts'
import type { Subject } from '#scanning/reading/task.ts'
import { readProject, type WrittenProject } from '#scanning/results/project-bytes.ts'
import type { ProjectTest } from '#scanning/results/project-form.ts'
import { packWritten } from '../storage/packed-state.ts'

export interface TestInput {
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

/** Tests projects in the background, after interactive tests and on a part of the threads. */
export interface ProjectTester {
  /** Tests a project. An untestable one throws a problem for people; rejects if `signal` aborts or the server stops. */
  test(orgId: string, wanted: TestInput, signal?: AbortSignal): Promise<ProjectOutcome>
}

/** The same for what clients send and wait for. */
export interface MonitoringTester extends ProjectTester {
  /** Tests and stores: large projects are taken into memory, and stored, one after the other. */
  testAndStore<T>(orgId: string, wanted: TestInput, store: (outcome: ProjectOutcome) => Promise<T>): Promise<T>
}

/** Bytes of a written test; what is smaller is not waited for. */
const LARGE_BYTES = 1024 * 1024

/**
 * Creates the tester. Missing registry data is reported in the coverage and is no failure. Licenses are looked up for
 * organizations with a policy, as in package tests.
 */
export function createProjectTester({ db, config }: Pick<Services, 'db' | 'config'>, pool: TestPool): MonitoringTester {
  let lastLarge: Promise<unknown> = Promise.resolve()

  async function run(orgId: string, wanted: TestInput, signal?: AbortSignal): Promise<Written> {
    const { ecosystem, subject, repositories = [], client } = wanted
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
      if (!layout) throw new Error('a test thread answered in another form than that of projects')
      return { body, layout, rootName: facts.rootName ?? '' }
    } catch (error) {
      // Nothing was wrong with the project when the server stops, has no advisories yet, or the client left.
      if (error instanceof Problem && !nothingWrong.includes(error.code)) return { problem: error }
      throw error
    }
  }

  return {
    test: async (orgId, wanted, signal) => read(await run(orgId, wanted, signal)),
    async testAndStore(orgId, wanted, store) {
      const written = await run(orgId, wanted)
      const readAndStore = async () => {
        wanted.client?.signal?.throwIfAborted()
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
