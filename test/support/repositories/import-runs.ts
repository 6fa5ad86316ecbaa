import { randomUUID } from 'node:crypto'
import { after, before } from 'node:test'
import { requestImport } from '#features/imports/request-import.ts'
import { type ImportServices, runImport } from '#features/imports/run-import.ts'
import { systemActor } from '#foundation/access/caller.ts'
import type { Db, Engine } from '#foundation/db/database.ts'
import { importServices } from '#jobs.ts'
import { startApp, type TestApp } from '../servers/app.ts'
import type { BareRepository } from './git-repository.ts'
import { folderRepositories } from './import-repositories.ts'

/** Gives the suite that calls it a server whose imports the tests run themselves. */
export function useImportRuns(engine: Engine) {
  let app: TestApp
  let services: ImportServices
  let repositories: ReturnType<typeof folderRepositories>
  let integrationId: string
  before(async () => {
    app = await startApp(engine)
    repositories = folderRepositories()
    services = { ...importServices(app.parts), repositories }
    integrationId = randomUUID()
    const plain = { base_url: null, settings: '{}', credentials: null, created_at: 1, updated_at: 1 }
    await services.db
      .insertInto('integrations')
      .values({ id: integrationId, org_id: app.orgId, kind: 'git', name: integrationId, ...plain })
      .execute()
  })
  after(async () => {
    await repositories[Symbol.asyncDispose]()
    await app.close()
  })

  const db = () => app.parts.services.db
  const org = () => ({ id: app.orgId, name: 'o', slug: 'o', groupId: app.groupId })

  async function request(
    repository: BareRepository,
    input: { files?: string[]; branch?: string; exclusions?: string } = {},
  ) {
    const { files, branch, exclusions: exclusionGlobs } = input
    const target = { path: repository.path, ...(branch && { branch }) }
    const row = await db()
      .transaction()
      .execute((tx) =>
        requestImport({ tx, org: org(), actor: systemActor, at: Date.now() }, { id: integrationId } as never, {
          target: { name: 'team/app', branch, target },
          files,
          exclusionGlobs,
        }),
      )
    return row.id
  }
  const context = (signal = new AbortController().signal, attempt = 1) => ({ log: services.log, signal, attempt })
  async function run(id: string, changed: Partial<ImportServices> = {}): Promise<void> {
    await runImport({ ...services, ...changed }, id, context())
    // No worker runs this job here.
    await db().deleteFrom('jobs').where('kind', '=', 'import').execute()
  }
  return {
    get app() {
      return app
    },
    get services() {
      return services
    },
    get repositories() {
      return repositories
    },
    get integrationId() {
      return integrationId
    },
    db,
    request,
    context,
    run,
    ...storedImports(db),
  }
}

/** Returns ways to read what imports stored. */
function storedImports(db: () => Db) {
  const manifestsOf = async (id: string) => {
    const rows = await db()
      .selectFrom('import_manifests')
      .selectAll()
      .where('import_id', '=', id)
      .orderBy('path')
      .execute()
    return rows.map(
      ({ path, type, state, message }) => `${path} ${type} ${state}${message === null ? '' : `: ${message}`}`,
    )
  }
  const importRow = (id: string) =>
    db().selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const projectsOf = (repository: BareRepository) =>
    db()
      .selectFrom('projects as p')
      .innerJoin('targets as t', 't.id', 'p.target_id')
      .selectAll('p')
      .where('t.source_key', '=', repository.path)
      .orderBy('p.target_file')
      .execute()
  return { manifestsOf, importRow, projectsOf }
}
