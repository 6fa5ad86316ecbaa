import { randomUUID } from 'node:crypto'
import { createProjectTester } from '#features/issue-index/recording/run-project-test.ts'
import type { Engine } from '#foundation/db/database.ts'
import { startNpmRegistry } from '../registries/npm-registry.ts'
import { startApp, type TestApp, type TestSettings } from '../servers/app.ts'
import { record } from './stored-projects.ts'

/** An advisory of the starter set: `lodash` before 4.17.12. */
export const LODASH_ISSUE = 'GHSA-jf85-cpcp-j695'

/** A project that asks for `lodash` itself and through `tool`, one of which has an upgrade. */
const manifest = {
  name: 'shop',
  version: '1.0.0',
  dependencies: { lodash: '^4.17.0', tool: '^1.0.0' },
}

const lock = {
  ...manifest,
  lockfileVersion: 3,
  packages: {
    '': manifest,
    'node_modules/lodash': { version: '4.17.4', license: 'MIT' },
    'node_modules/tool': { version: '1.0.0', license: 'GPL-3.0-only', dependencies: { lodash: '4.17.4' } },
  },
}

/** A server with a registry that knows what becomes of the project. */
export async function startShopApp(engine: Engine, settings: TestSettings = {}): Promise<TestApp> {
  const registry = await startNpmRegistry({
    lodash: { '4.17.4': { license: 'MIT' }, '4.17.21': { license: 'MIT' } },
    tool: { '1.0.0': { dependencies: { lodash: '4.17.4' }, license: 'GPL-3.0-only' }, '2.0.0': {} },
  })
  const defaults = { GATEHOUSE_NPM_REGISTRY: registry.url, GATEHOUSE_TEST_WORKERS: '1' }
  const app = await startApp(engine, { ...defaults, ...settings })
  return {
    ...app,
    async close() {
      await app.close()
      await registry.close()
    },
  }
}

export interface ProjectInput {
  readonly orgId?: string
  /** Names the target; the same project for the same text. */
  readonly target?: string
  readonly file?: string
  readonly cause?: 'import' | 'monitor' | 'retest'
}

/** A project made by a real test of real files. */
export async function addProject(
  app: TestApp,
  { orgId = app.orgId, target = randomUUID(), file = 'package-lock.json', cause = 'import' }: ProjectInput = {},
) {
  const { services, tests } = app.parts
  const source = {
    kind: 'files',
    target: JSON.stringify(manifest),
    additional: [JSON.stringify(lock)],
    encoding: 'plain',
  } as const
  const outcome = await createProjectTester(services, tests).test(orgId, { ecosystem: 'npm', subject: source })
  if ('problem' in outcome) throw outcome.problem
  const by = { id: null, name: 'Somebody' }
  return record(services.db, { orgId, test: outcome.test, source, target, file, cause, by })
}
