import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median, printTable, start } from './load.ts'

const ROUNDS = 5

/** From the start of the process to the first 200, with an empty data directory and with a used one; memory at rest. */
export async function benchStart(): Promise<void> {
  const rows: [string, number, number][] = []
  const dataDirs: string[] = []
  const measure = async (dataDir: string) => {
    const server = await start(['bin/gatehouse.js', 'serve'], {
      GATEHOUSE_DATA_DIR: dataDir,
      GATEHOUSE_PORT: '0',
      GATEHOUSE_LOG_LEVEL: 'warn',
    })
    const answer = await fetch(`${server.baseUrl}/readyz`)
    if (answer.status !== 200) throw new Error(await answer.text())
    await sleep(1500)
    const memory = server.memoryMb()
    await server.stop()
    return { ms: server.startedInMs, memory }
  }
  for (const kind of ['empty', 'used'] as const) {
    const results = []
    for (let round = 0; round < ROUNDS; round++) {
      if (kind === 'empty') dataDirs.push(mkdtempSync(join(tmpdir(), 'gatehouse-bench-start-')))
      results.push(await measure(dataDirs.at(-1)!))
    }
    rows.push([
      `${kind} data directory`,
      median(results.map(({ ms }) => ms)),
      median(results.map(({ memory }) => memory)),
    ])
  }
  console.log(`Start to first 200, embedded database, median of ${ROUNDS} (bars: 1,000 ms, 150 MB at rest)`)
  printTable(['', 'ms', 'MB at rest'], rows)
  for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true })
}
