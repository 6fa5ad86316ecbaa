import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { insertIntegration } from '#features/integrations/store.ts'
import type { Engine } from '#foundation/db/database.ts'
import { type Database, openDatabase } from '#foundation/db/open-database.ts'
import { copyPreparedData } from '../servers/prepared-data.ts'
import { type ServerProcess, startServer } from '../servers/server-process.ts'
import { ADMINISTRATOR } from '../servers/templates.ts'
import { type BareRepository, bareRepository, type CommittedFile } from './git-repository.ts'
import { npmProject } from './imports.ts'

export interface ImportKillRun {
  readonly engine: Engine
  readonly kills: number
  /** Manifests of one import, of which every tenth is broken. */
  readonly manifests: number
  /** Instead of being killed they stand still for longer than their leases, and then go on with what others took over. */
  readonly standStill?: boolean
}

export interface ImportKillFigures {
  readonly kills: number
  /** Kills at a moment when an import was begun and had not ended. */
  readonly killsDuringImports: number
  /** Jobs that a process found taken over when it went on. */
  readonly takenOver: number
  readonly imports: number
  readonly manifests: number
  readonly seconds: number
  /** Detected faults; must be empty. */
  readonly faults: readonly string[]
}

const AT_ONCE = 3
const LEASE_SECONDS = 2
/** Moments that are tried for a kill to meet an import. */
const TRIES = 20

/**
 * Servers are killed at random moments while they import: one on SQLite, two on PostgreSQL. Each import is of a branch of
 * its own, and so makes projects of its own. Afterward all is held against what must be there, once.
 */
export async function runImportKills({
  engine,
  kills,
  manifests,
  standStill = false,
}: ImportKillRun): Promise<ImportKillFigures> {
  const startedAt = Date.now()
  const prepared = await copyPreparedData(engine)
  const dataDirs = [prepared.dataDir]
  if (engine === 'postgres') dataDirs.push(mkdtempSync(join(tmpdir(), 'gatehouse-import-kill-')))
  // They share the secret key.
  for (const copy of dataDirs.slice(1)) cpSync(prepared.dataDir, copy, { recursive: true })
  using repository = bareRepository()
  const files = repositoryFiles(manifests)
  const started = new Set<ServerProcess>()
  const start = async (dataDir: string) => {
    const server = await startServer({
      GATEHOUSE_DATA_DIR: dataDir,
      GATEHOUSE_LOG_LEVEL: 'warn',
      GATEHOUSE_LOCAL_REPOSITORIES: tmpdir(),
      GATEHOUSE_JOB_LEASE_SECONDS: String(LEASE_SECONDS),
      ...(prepared.databaseUrl !== undefined && { DATABASE_URL: prepared.databaseUrl }),
    })
    started.add(server)
    return server
  }
  const openStorage = () =>
    openDatabase({ url: prepared.databaseUrl, dataDir: prepared.dataDir, maxConnections: 2, onError() {} })

  try {
    const place = await withDatabase(openStorage(), addIntegration)
    const servers: ServerProcess[] = []
    for (const dataDir of dataDirs) servers.push(await start(dataDir))
    const acknowledged = new Map<string, string>()
    let killsDuringImports = 0
    for (let kill = 0; kill < kills; kill++) {
      let begun = 0
      for (let tries = 0; begun === 0 && tries < TRIES; tries++) {
        for (let more = await countPending(servers, place.orgId); more < AT_ONCE; more++) {
          const branch = `branch-${randomUUID()}`
          repository.commit(files, { branch })
          const id = await request(servers[kill % servers.length]!, { place, repository, branch })
          acknowledged.set(id, branch)
        }
        await sleep(20 + Math.random() * 400)
        begun = await countBegun(servers, place.orgId)
      }
      if (begun > 0) killsDuringImports++
      const victim = kill % servers.length
      if (standStill) await standStillFor(servers[victim]!, LEASE_SECONDS * 1750)
      else {
        await servers[victim]!.end('SIGKILL')
        servers[victim] = await start(dataDirs[victim]!)
      }
    }
    await waitForAll(servers[0]!, place.orgId)
    for (const server of servers) assert.equal(await server.end('SIGTERM'), 0)
    const faults = await withDatabase(openStorage(), (database) => findFaults(database, acknowledged, files))
    for (const dataDir of dataDirs) {
      const left = existsSync(join(dataDir, 'reading')) ? readdirSync(join(dataDir, 'reading')) : []
      if (left.length > 0) faults.push(`${left.length} folders are left over`)
    }
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    const all = acknowledged.size
    const takenOver = [...started].reduce(
      (sum, server) => sum + server.logged().split('the lease of a job was lost').length - 1,
      0,
    )
    return { kills, killsDuringImports, takenOver, imports: all, manifests: all * manifests, seconds, faults }
  } finally {
    for (const server of started) await server.end('SIGKILL')
    await prepared.drop()
    for (const dataDir of dataDirs.slice(1)) rmSync(dataDir, { recursive: true, force: true })
  }
}

async function standStillFor({ child }: ServerProcess, ms: number): Promise<void> {
  child.kill('SIGSTOP')
  await sleep(ms)
  child.kill('SIGCONT')
}

function repositoryFiles(manifests: number): CommittedFile[] {
  return Array.from({ length: manifests }, (_, n) =>
    n % 10 === 9
      ? [{ path: `p${n}/package.json`, content: '{' }]
      : npmProject(`p${n}`, n % 3 === 0 ? 'lodash' : `package-${n}`, `1.${n}.0`),
  ).flat()
}

interface ImportLocation {
  readonly orgId: string
  readonly integrationId: string
}

async function withDatabase<T>(database: Database, work: (database: Database) => Promise<T>): Promise<T> {
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

async function addIntegration({ db }: Database): Promise<ImportLocation> {
  const { id: orgId } = await db.selectFrom('orgs').select('id').executeTakeFirstOrThrow()
  const integrationId = randomUUID()
  const plain = { baseUrl: null, settings: {}, sealedCredentials: null, createdAt: 1, updatedAt: 1 }
  await insertIntegration(db, { id: integrationId, orgId, kind: 'local', name: 'local', ...plain }, '/name')
  return { orgId, integrationId }
}

async function call(server: ServerProcess, path: string, body?: object): Promise<Response> {
  return fetch(`${server.baseUrl}${path}`, {
    headers: {
      authorization: `token ${ADMINISTRATOR.GATEHOUSE_ADMIN_API_KEY}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
}

async function request(
  server: ServerProcess,
  { place, repository, branch }: { place: ImportLocation; repository: BareRepository; branch: string },
): Promise<string> {
  const path = `/v1/org/${place.orgId}/integrations/${place.integrationId}/import`
  const answer = await call(server, path, { target: { path: repository.path, branch } })
  assert.equal(answer.status, 201, await answer.text())
  return answer.headers.get('location')!.split('/').at(-1)!
}

async function listPending(server: ServerProcess, orgId: string) {
  const answer = await call(server, `/rest/orgs/${orgId}/imports?version=2024-10-15&limit=100&state=pending`)
  assert.equal(answer.status, 200)
  const { data } = (await answer.json()) as { data: { attributes: { started_at: string | null } }[] }
  return data
}

async function countPending([server]: readonly ServerProcess[], orgId: string): Promise<number> {
  return (await listPending(server!, orgId)).length
}

async function countBegun([server]: readonly ServerProcess[], orgId: string): Promise<number> {
  return (await listPending(server!, orgId)).filter(({ attributes }) => attributes.started_at !== null).length
}

async function waitForAll(server: ServerProcess, orgId: string): Promise<void> {
  for (let tries = 0; tries < 6000; tries++) {
    if ((await listPending(server, orgId)).length === 0) return
    await sleep(100)
  }
  throw new Error('the imports did not end within ten minutes')
}

/** Nothing double, nothing lost: every manifest of every import has its outcome, its project and its one test. */
async function findFaults(
  { db }: Database,
  acknowledged: ReadonlyMap<string, string>,
  files: readonly CommittedFile[],
): Promise<string[]> {
  const faults: string[] = []
  const paths = files.map(({ path }) => String(path)).filter((path) => path.endsWith('/package.json'))
  const broken = new Set(files.filter(({ content }) => content === '{').map(({ path }) => String(path)))
  const expected = paths.map((path) => `${path} ${broken.has(path) ? 'failed' : 'done'}`).sort()
  const imports = await db.selectFrom('imports').selectAll().execute()
  const ids = new Set(imports.map(({ id }) => id))
  for (const id of acknowledged.keys()) if (!ids.has(id)) faults.push(`import ${id} is lost`)
  for (const { id, state, reference, message } of imports) {
    if (state !== 'complete') faults.push(`import ${id} is ${state}: ${message}`)
    const manifests = await db.selectFrom('import_manifests').selectAll().where('import_id', '=', id).execute()
    const outcomes = manifests.map(({ path, state: end }) => `${path} ${end}`).sort()
    const others = outcomes.filter((line) => !expected.includes(line))
    if (outcomes.join() !== expected.join()) {
      const reason = manifests.find(({ path }) => others.some((line) => line.startsWith(path)))?.message
      faults.push(`import ${id} has ${outcomes.length} manifests, of them ${others.length} others: ${reason}`)
    }
    const projects = await db.selectFrom('projects').selectAll().where('target_reference', '=', reference).execute()
    const files = projects.map(({ target_file }) => String(target_file)).sort()
    const expectedFiles = paths.filter((path) => !broken.has(path)).sort()
    if (files.join() !== expectedFiles.join())
      faults.push(`branch ${reference} has ${files.length} projects, not ${expectedFiles.length}`)
    for (const { number, id: projectId, total_dependencies } of projects) {
      const tests = await db.selectFrom('project_tests').select('id').where('project_number', '=', number).execute()
      if (tests.length !== 1) faults.push(`project ${projectId} was tested ${tests.length} times`)
      const packages = await db
        .selectFrom('project_packages')
        .select('package_number')
        .where('project_number', '=', number)
        .execute()
      if (packages.length !== 1 || total_dependencies !== 1) faults.push(`project ${projectId} is not whole`)
      if (!manifests.some((manifest) => manifest.project_id === projectId))
        faults.push(`project ${projectId} is of no manifest`)
    }
    const ends = await db
      .selectFrom('audit_events')
      .select('id')
      .where('target_id', '=', id)
      .where('action', '=', 'import.finish')
      .execute()
    if (ends.length !== 1) faults.push(`import ${id} was finished ${ends.length} times`)
  }
  const jobs = await db.selectFrom('jobs').select('id').where('kind', '=', 'import').execute()
  if (jobs.length > 0) faults.push(`${jobs.length} jobs are left over`)
  return faults
}
