import { pino } from 'pino'
import { toExclusions, toTestChoices } from '#features/package-tests/test-choices.ts'
import { openTreeTest, type TreeTest } from '#features/package-tests/test-tree.ts'
import { toError } from '#features/package-tests/tree-answer.ts'
import { migrate } from '#foundation/db/migrate.ts'
import { openGivenFiles } from '#foundation/repositories/given-files.ts'
import type { VulnerabilityDetails } from '#scanning/results/referring-result.ts'
import type { TestFiles, TestRequest } from '../client/run-test.ts'
import type { TreeAnswer } from '../client/test-document.ts'
import { localBounds } from '../client/work-tree.ts'
import { createTestEngine } from '../composition/test-engine.ts'
import { localEnvironment } from './local-environment.ts'
import { openStorage } from './storage.ts'

/** Tests in this process, with the engine of the server and advisories of the user's cache folder. */
export interface LocalTests {
  readonly testFiles: TestFiles
  close(): Promise<void>
}

/** Tests that wait for registries and answers leave the threads to others. */
const TESTS_AT_ONCE = 8

/** A placeholder for the organization in tests without a server. */
const noOrg = { id: '00000000-0000-0000-0000-000000000000', name: 'local' }

/**
 * Opens the cache folder. `onProject` is called with the path of each manifest before its test. Registries are not
 * asked again after a failed connection, and never if `isOffline`.
 */
export async function openLocalTests(
  environment: Readonly<Record<string, string | undefined>>,
  onProject: (path: string) => void,
  { isOffline = false }: { readonly isOffline?: boolean | undefined } = {},
): Promise<LocalTests> {
  const umask = process.umask()
  const storage = openStorage(localEnvironment(environment), 'beside')
  process.umask(umask)
  const { config, database } = storage
  try {
    await migrate(database)
    const log = pino({ level: 'silent' })
    const engine = await createTestEngine(
      { config, db: database.db, log, now: Date.now },
      { isWarm: true, registryUse: isOffline ? 'never' : 'run' },
    )
    async function testFiles({ entries, query, signal }: TestRequest): Promise<TreeAnswer> {
      const { exclude, file = [], folder, packageManager, bill, ...rest } = query
      const choices = { ...toTestChoices(definedOf(rest), config), org: noOrg, licensePolicy: undefined }
      const test = await openTreeTest(openGivenFiles(entries, localBounds), {
        choice: { exclusions: toExclusions(exclude), files: file, folder, packageManager },
        atOnce: TESTS_AT_ONCE,
        signal,
        test: (ecosystem, subject) => {
          if (subject.kind === 'files' && subject.places?.target !== undefined) onProject(subject.places.target)
          const form = bill ? 'of-many-with-bill' : 'of-many'
          return engine.tests.run({ ecosystem, subject, form, ...choices }, { signal })
        },
      })
      return collectAnswer(test)
    }

    return {
      testFiles,
      async close() {
        await engine.tests.close()
        await engine.advisories.close()
        await engine.outgoing.close()
        await storage.close()
      },
    }
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** Collects all answers, in the form of an answer of `POST /test/files`. */
async function collectAnswer(test: TreeTest): Promise<TreeAnswer> {
  const { leftOut, outOfScope, excluded, excludedByPolicy, policyNotes } = test
  const projects: TreeAnswer['projects'][number][] = []
  const advisories: Record<string, VulnerabilityDetails> = {}
  const decoder = new TextDecoder()
  for await (const { project, answer } of test.answers()) {
    const head = { path: project.path, packageManager: project.ecosystem }
    if ('problem' in answer) {
      projects.push({ ...head, ok: false, error: toError(answer.problem) })
      continue
    }
    projects.push({ ...head, ok: answer.facts.ok, result: JSON.parse(decoder.decode(answer.body)) })
    for (const [id, json] of answer.details ?? []) advisories[id] ??= JSON.parse(json) as VulnerabilityDetails
  }
  return {
    projects,
    advisories,
    leftOut,
    ...(outOfScope.length > 0 && { outOfScope }),
    excluded,
    ...(excludedByPolicy.length > 0 && { excludedByPolicy }),
    ...(policyNotes.length > 0 && { policyNotes }),
  }
}

function definedOf<T extends object>(query: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as never
}
