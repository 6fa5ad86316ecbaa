import { join } from 'node:path'
import { pino } from 'pino'
import { openSentTree } from '#features/package-tests/sent-tree.ts'
import { toExclusions, toTestChoices } from '#features/package-tests/test-choices.ts'
import { testTree } from '#features/package-tests/test-tree.ts'
import { migrate } from '#foundation/db/migrate.ts'
import { configuredBounds } from '#foundation/repositories/configured-bounds.ts'
import { createWorkspaces } from '#foundation/repositories/workspaces.ts'
import type { TestFiles, TestRequest } from '../client/run-test.ts'
import { createTestEngine } from '../test-engine.ts'
import { localEnvironment } from './local-environment.ts'
import { openStorage } from './storage.ts'

/** Tests in this process, with the engine of the server and advisories of the user's cache folder. */
export interface LocalTests {
  readonly testFiles: TestFiles
  close(): Promise<void>
}

/** A placeholder for the organization in tests without a server. */
const noOrg = { id: '00000000-0000-0000-0000-000000000000', name: 'local' }

/** Opens the cache folder. `onProject` is called with the path of each manifest before its test. */
export async function openLocalTests(
  environment: Readonly<Record<string, string | undefined>>,
  onProject: (path: string) => void,
): Promise<LocalTests> {
  const umask = process.umask()
  const storage = openStorage(localEnvironment(environment), 'beside')
  process.umask(umask)
  const { config, database } = storage
  try {
    await migrate(database)
    const log = pino({ level: 'silent' })
    const engine = await createTestEngine({ config, db: database.db, log, now: Date.now }, { isWarm: true })
    const workspaces = createWorkspaces(join(config.dataDir, 'reading'))
    await workspaces.sweep(Date.now())
    const tools = { bounds: configuredBounds(config), workspaces }

    async function testFiles({ archive, query, signal }: TestRequest): Promise<Uint8Array> {
      const { exclude, file = [], folder, packageManager, bill, ...rest } = query
      const choices = { ...toTestChoices(definedOf(rest), config), org: noOrg, licensePolicy: undefined }
      const source = await openSentTree({ body: archive, contentType: 'application/gzip' }, tools)
      try {
        return await testTree(source, {
          choice: { exclusions: toExclusions(exclude), files: file, folder, packageManager },
          signal,
          test: (ecosystem, subject) => {
            if (subject.kind === 'files' && subject.places?.target !== undefined) onProject(subject.places.target)
            return engine.tests.run(
              { ecosystem, subject, form: bill ? 'json-with-bill' : 'json', ...choices },
              { signal },
            )
          },
        })
      } finally {
        await source.close()
      }
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

function definedOf<T extends object>(query: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as never
}
