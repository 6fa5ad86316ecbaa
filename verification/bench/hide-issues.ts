import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../src/foundation/db/database.ts'
import { printTable } from './load.ts'
import { type Served, startServed, waitUntilQuiet } from './served-projects.ts'

const HIDDEN = 1_000
const READERS = 4
const VERSION = 'version=2024-10-15'

/** Hides the most frequent vulnerabilities by one policy while readers ask for pages, then deletes the policy. */
export async function measureHiding(db: Db, served: Served): Promise<void> {
  const server = await startServed(served)
  await waitUntilQuiet(db)
  const headers = { authorization: `token ${served.adminKey}`, 'content-type': 'application/vnd.api+json' }
  const send = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${server.baseUrl}/rest/orgs/${served.orgId}/${path}`, { headers, ...init })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${text.slice(0, 300)}`)
    return text
  }
  const rows: (string | number)[][] = []
  const measure = async (title: string, work: () => Promise<void>) => {
    const [begun, before, times]: [number, number, number[]] = [performance.now(), server.cpuSeconds(), []]
    let isDone = false
    const read = async () => {
      while (!isDone) {
        const sent = performance.now()
        await send(`issue_groups?${VERSION}&limit=20`)
        times.push(performance.now() - sent)
        await sleep(10)
      }
    }
    const readers = Array.from({ length: READERS }, read)
    await work()
    const seconds = (performance.now() - begun) / 1000
    isDone = true
    await Promise.all(readers)
    times.sort((a, b) => a - b)
    const at = (share: number) => times[Math.floor(times.length * share)]!
    rows.push([title, seconds, server.cpuSeconds() - before, at(0.5), at(0.99), times.length])
  }
  const waitUntilEvaluated = async () => {
    for (const isRunning = () => findRunning(db); await isRunning(); ) await sleep(250)
  }
  try {
    const value = await listFrequent(db)
    const attributes = {
      name: 'Bulk ignore of a benchmark',
      action_type: 'ignore',
      action: { data: { ignore_type: 'wont-fix', reason: 'A benchmark' } },
      conditions_group: {
        logical_operator: 'and',
        conditions: [{ field: 'vulnerability-id', operator: 'includes', value }],
      },
    }
    let id = ''
    await measure('no background work', () => sleep(5_000))
    await measure('hiding', async () => {
      const body = JSON.stringify({ data: { type: 'policy', attributes } })
      id = JSON.parse(await send(`policies?${VERSION}`, { method: 'POST', body })).data.id
      await waitUntilEvaluated()
    })
    await measure('showing again', async () => {
      await send(`policies/${id}?${VERSION}`, { method: 'DELETE' })
      await waitUntilEvaluated()
    })
    console.log(`One policy hides ${value.length} vulnerabilities, ${READERS} readers (bars: 30 s, p99 50 ms)`)
    printTable(['', 's', 'server’s processor s', 'p50 ms', 'p99 ms', 'answers'], rows)
  } finally {
    await server.stop()
  }
}

async function findRunning(db: Db): Promise<boolean> {
  const owner = db.selectFrom('policy_owners').select('owner_id').whereRef('evaluated_revision', '<', 'revision')
  return (await owner.executeTakeFirst()) !== undefined
}

/** Lists vulnerabilities, but not those of the package that all projects contain. */
async function listFrequent(db: Db): Promise<string[]> {
  const groups = await db
    .selectFrom('issue_groups')
    .select('group_key')
    .where('kind', '=', 'vulnerability')
    .where('group_key', 'not like', 'GHSA-one-more%')
    .orderBy('projects', 'desc')
    .orderBy('group_key')
    .limit(HIDDEN)
    .execute()
  return groups.map(({ group_key }) => group_key)
}
