import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { load, type Measured, median, printTable, start } from './load.ts'

const KEY = '7d4f3f5e-7f0e-4a53-8a53-6d0f3a1c9e10'
const ROUNDS = 5
const SECONDS = 4
const ACCOUNTS = 500

/** Authenticated list of ten against a bare route with the same bytes: interleaved rounds, medians. */
export async function benchList(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-list-'))
  const gatehouse = await start(['src/main.ts', 'serve'], {
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_PORT: '0',
    GATEHOUSE_ADMIN_API_KEY: KEY,
    GATEHOUSE_LOG_LEVEL: process.env['BENCH_LOG_LEVEL'] ?? 'warn',
  })
  const headers = { authorization: `token ${KEY}`, 'content-type': 'application/vnd.api+json' }
  const orgs = (await (await fetch(`${gatehouse.baseUrl}/rest/orgs?version=2024-10-15`, { headers })).json()) as {
    data: { id: string }[]
  }
  const orgId = orgs.data[0]!.id
  const list = `/rest/orgs/${orgId}/service_accounts?version=2024-10-15`
  for (let n = 0; n < ACCOUNTS; n++) {
    const attributes = { name: `account ${n}`, auth_type: 'api_key', role_id: orgCollaborator.id }
    const body = JSON.stringify({ data: { type: 'service_account', attributes } })
    await fetch(`${gatehouse.baseUrl}${list}`, { method: 'POST', headers, body })
  }
  const expected = await (await fetch(`${gatehouse.baseUrl}${list}`, { headers })).text()
  const copy = join(dataDir, 'copy.sqlite')
  const source = new DatabaseSync(join(dataDir, 'gatehouse.sqlite'))
  source.exec('pragma wal_checkpoint(truncate)')
  source.close()
  copyFileSync(join(dataDir, 'gatehouse.sqlite'), copy)
  const bare = await start(['bench/bare-server.ts', copy, orgId, JSON.stringify(JSON.parse(expected).links)], {})
  try {
    const same = await (await fetch(bare.baseUrl)).text()
    if (same !== expected) throw new Error(`the bare route does not send the same bytes:\n${same}\n${expected}`)
    const measured: { bare: Measured; ours: Measured }[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const ours = await load({
        url: `${gatehouse.baseUrl}${list}`,
        headers: { authorization: `token ${KEY}` },
        connections: 32,
        seconds: SECONDS,
      })
      measured.push({ bare: await load({ url: bare.baseUrl, connections: 32, seconds: SECONDS }), ours })
    }
    // The first round warms both up.
    measured.shift()
    const row = (name: string, pick: (round: (typeof measured)[number]) => Measured) =>
      [
        name,
        median(measured.map((round) => pick(round).perSecond)),
        median(measured.map((round) => pick(round).p50Ms)),
        median(measured.map((round) => pick(round).p99Ms)),
      ] as const
    const ratio = median(measured.map((round) => round.ours.perSecond / round.bare.perSecond))
    console.log(
      `Authenticated REST list of 10 of ${ACCOUNTS} (${Buffer.byteLength(expected)} bytes), 32 connections, median of ${ROUNDS} rounds`,
    )
    printTable(
      ['', 'requests/s', 'p50 ms', 'p99 ms'],
      [row('bare Fastify, one query', (round) => round.bare), row('gatehouse', (round) => round.ours)],
    )
    console.log(`  ratio ${Math.round(ratio * 100)} % (bar: 80 %), memory ${Math.round(gatehouse.memoryMb())} MB\n`)
  } finally {
    await bare.stop()
    await gatehouse.stop()
    rmSync(dataDir, { recursive: true })
  }
}
