import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { insertIntegration } from '#features/integrations/store.ts'
import type { Engine } from '#foundation/db/database.ts'
import { startBackground } from '../../../src/jobs.ts'
import { startApp, type TestApp, type TestSettings } from '../servers/app.ts'
import type { CommittedFile } from './git-repository.ts'

/** A server that imports repositories from temporary folders, with its background work. */
export interface ImportApp extends TestApp {
  /** An integration of the kind `local`. */
  readonly integrationId: string
  addIntegration(orgId: string, of?: { kind: string; baseUrl: string }): Promise<string>
}

export async function startImportApp(engine: Engine, settings: TestSettings = {}): Promise<ImportApp> {
  const app = await startApp(engine, { GATEHOUSE_LOCAL_REPOSITORIES: tmpdir(), ...settings })
  const jobs = await startBackground(app.parts)
  const addIntegration: ImportApp['addIntegration'] = async (orgId, of) => {
    const id = randomUUID()
    const { kind, baseUrl } = of ?? { kind: 'local', baseUrl: null }
    const plain = { settings: {}, sealedCredentials: null, createdAt: Date.now(), updatedAt: Date.now() }
    await insertIntegration(app.parts.services.db, { id, orgId, kind, baseUrl, name: id, ...plain }, '/name')
    return id
  }
  return {
    ...app,
    integrationId: await addIntegration(app.orgId),
    addIntegration,
    async close() {
      await jobs.close()
      await app.close()
    },
  }
}

/** A body that asks for an import of a repository on this machine. */
export function importOf(path: string, rest: object = {}): { target: object } {
  return { target: { path }, ...rest }
}

/** An npm project with a lock, that asks for one package. */
export function npmProject(folder: string, dependency = 'lodash', version = '4.17.20'): CommittedFile[] {
  const name = `project-${folder.replaceAll('/', '-')}`
  const own = { name, version: '1.0.0', dependencies: { [dependency]: `^${version}` } }
  const packages = { '': own, [`node_modules/${dependency}`]: { version } }
  const at = (file: string) => (folder === '' ? file : `${folder}/${file}`)
  return [
    { path: at('package.json'), content: JSON.stringify(own) },
    {
      path: at('package-lock.json'),
      content: JSON.stringify({ name, version: '1.0.0', lockfileVersion: 3, packages }),
    },
  ]
}

/** Asks for an import and follows its job until it has ended, as clients do. */
export async function importAndWait(app: ImportApp, body: object, integrationId = app.integrationId) {
  const answer = await app.call('POST', `/v1/org/${app.orgId}/integrations/${integrationId}/import`, { body })
  assert.equal(answer.statusCode, 201, answer.body)
  return waitForJob(app, new URL(answer.headers.location as string).pathname)
}

export async function waitForJob(app: TestApp, path: string) {
  for (let tries = 0; tries < 12_000; tries++) {
    const answer = await app.call('GET', path)
    assert.equal(answer.statusCode, 200, answer.body)
    if (answer.json().status !== 'pending') return answer.json()
    await sleep(50)
  }
  throw new Error(`${path} did not end within ten minutes`)
}
