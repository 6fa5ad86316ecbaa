import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median, printTable, start } from './load.ts'

const ROUNDS = 5

/** From the start of the process to the first 200, with an empty data directory and with a used one; memory at rest. */
export async function benchStart(): Promise<void> {
  const rows: [string, number, number][] = []
  const dataDirs: string[] = []
  const measure = async (program: string, dataDir: string) => {
    const server = await start([program, 'serve'], {
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
  const cases = programs().flatMap((program) => (['empty', 'used'] as const).map((kind) => ({ program, kind })))
  for (const { program, kind } of cases) {
    const results = []
    for (let round = 0; round < ROUNDS; round++) {
      if (kind === 'empty') dataDirs.push(mkdtempSync(join(tmpdir(), 'gatehouse-bench-start-')))
      results.push(await measure(program, dataDirs.at(-1)!))
    }
    rows.push([
      `${program}, ${kind} data directory`,
      median(results.map(({ ms }) => ms)),
      median(results.map(({ memory }) => memory)),
    ])
  }
  console.log(
    `Start to first 200, embedded database, median of ${ROUNDS} (targets: 700 ms, bundled 500 ms, 130 MB at rest)`,
  )
  printTable(['', 'ms', 'MB at rest'], rows)
  for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true })
}

/** The program of the clone, and the one that `npm run build` made. */
function programs(): string[] {
  return ['bin/gatehouse.js', 'dist/bin/gatehouse.js'].filter((path) => existsSync(path))
}
