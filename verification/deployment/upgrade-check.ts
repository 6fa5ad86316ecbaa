/**
 * Upgrades data of an earlier version to this one, in place on SQLite, and on PostgreSQL while the earlier version
 * serves:
 *
 *     node tools/with-postgres.ts node verification/deployment/upgrade-check.ts FOLDER
 *
 * FOLDER is a clone of the earlier version after `npm ci`, or its unpacked package.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkSamples, storeSamples } from '../../test/support/servers/sample-data.ts'
import { type ServerProcess, startServer } from '../../test/support/servers/server-process.ts'
import { storagePlaces } from '../../test/support/servers/storage-places.ts'

const KEY = '2d0c41e2-91f4-4d57-8a8b-0f6b8a6c2f10'
const VERSION = 'version=2024-10-15'
const CALLERS = 4
/** Time for which both versions serve after the migration. */
const BESIDE_MS = 3_000

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder of an earlier version.')
const earlier = [join(folder, 'bin/gatehouse.js'), 'serve'] as const
await upgradeInPlace()
await upgradeBesideRequests()

async function upgradeInPlace(): Promise<void> {
  await using places = storagePlaces()
  const { environment } = await places.make('sqlite')
  const samples = await storeWith(environment)
  await using now = await startServer(environment)
  await checkSamples(now.baseUrl, KEY, samples)
  const again = await now.end('SIGTERM')
  console.log(`SQLite: in place, ready after ${Math.round(now.startedInMs)} ms, ended with ${again}`)
}

async function storeWith(environment: Readonly<Record<string, string>>) {
  await using server = await startServer({ ...environment, GATEHOUSE_ADMIN_API_KEY: KEY }, earlier)
  return await storeSamples(server.baseUrl, KEY)
}

async function upgradeBesideRequests(): Promise<void> {
  await using places = storagePlaces()
  const { environment } = await places.make('postgres')
  const samples = await storeWith(environment)
  await using before = await startServer(environment, earlier)
  await using load = startLoad(before, samples.orgId)
  await sleep(BESIDE_MS)
  const [countBefore, startedAt] = [load.counted(), performance.now()]
  await using now = await startServer(environment)
  const migrated = load.counted()
  console.log(
    `PostgreSQL: ${countBefore.changes} changes and ${countBefore.reads} reads before; the new version was ready after ${Math.round(performance.now() - startedAt)} ms`,
  )
  await sleep(BESIDE_MS)
  for (const { baseUrl } of [before, now]) await checkSamples(baseUrl, KEY, samples)
  const all = await load.end()
  console.log(
    `  meanwhile the earlier version answered ${migrated.changes - countBefore.changes} changes and ${migrated.reads - countBefore.reads} reads, and ${all.changes - migrated.changes} and ${all.reads - migrated.reads} beside it; ${all.failures.length} failed, the longest took ${Math.round(all.longestMs)} ms`,
  )
  for (const failure of all.failures.slice(0, 5)) console.log(`  ${failure}`)
  await before.end('SIGTERM')
  const left = await countAccounts(now.baseUrl, samples.orgId)
  console.log(`  ${left - 1} of ${all.changes} changes are known to the new version`)
  if (all.failures.length > 0 || left - 1 !== all.changes) process.exitCode = 1
}

interface Counted {
  readonly changes: number
  readonly reads: number
  readonly longestMs: number
  readonly failures: readonly string[]
}

interface Load extends AsyncDisposable {
  counted(): Counted
  end(): Promise<Counted>
}

/** Creates service accounts and reads lists, until it is ended. */
function startLoad({ baseUrl }: ServerProcess, orgId: string): Load {
  const counts = { changes: 0, reads: 0, longestMs: 0 }
  const failures: string[] = []
  let isOn = true
  const call = async (path: string, body?: object) => {
    const begun = performance.now()
    const answer = await fetch(`${baseUrl}/rest/orgs/${orgId}/${path}${path.includes('?') ? '&' : '?'}${VERSION}`, {
      headers: { authorization: `token ${KEY}`, ...(body && { 'content-type': 'application/vnd.api+json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    counts.longestMs = Math.max(counts.longestMs, performance.now() - begun)
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`)
  }
  const work = async (caller: number) => {
    const attributes = { auth_type: 'api_key', role_id: '6c0e9a52-1a55-4d0e-8f0b-6d0f3a1c0004' }
    for (let n = 0; isOn; n++) {
      try {
        const name = `upgrade ${caller} ${n}`
        await call('service_accounts', { data: { type: 'service_account', attributes: { name, ...attributes } } })
        counts.changes++
        for (const path of ['projects', 'issues', 'audit_logs', 'issue_groups?group_by=package']) {
          await call(path)
          counts.reads++
        }
      } catch (error) {
        failures.push(String(error))
        await sleep(100)
      }
    }
  }
  const working = Promise.all(Array.from({ length: CALLERS }, (_, caller) => work(caller)))
  const counted = () => ({ ...counts, failures })
  const end = async () => {
    isOn = false
    await working
    return counted()
  }
  return {
    counted,
    end,
    async [Symbol.asyncDispose]() {
      await end()
    },
  }
}

async function countAccounts(baseUrl: string, orgId: string): Promise<number> {
  let count = 0
  for (let path: string | undefined = `/orgs/${orgId}/service_accounts?${VERSION}&limit=100`; path !== undefined; ) {
    const answer = await fetch(`${baseUrl}/rest${path}`, { headers: { authorization: `token ${KEY}` } })
    const { data, links } = (await answer.json()) as { data: unknown[]; links?: { next?: string } }
    count += data.length
    path = links?.next
  }
  return count
}
