import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, printTable, type Started, start, UNIQUE } from './load.ts'
import { prepareAdvisories } from './package-tests.ts'
import { syntheticProject } from './synthetic-lockfile.ts'

const KEY = '7d4f3f5e-7f0e-4a53-8a53-6d0f3a1c9e12'
const RECORDS = 20_000
const SECONDS = 12
/** Warm-up, until every thread has started and compiled its code. */
const WARM_UP_SECONDS = 6
const FLOODING = 16
const SLOW_PACKAGES = 12_000

interface Small {
  readonly url: string
  readonly body: string
}

/**
 * One organization floods the server with slow tests: how long the small tests of another one take, alone and
 * meanwhile.
 */
export async function benchFairness(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-fairness-'))
  await prepareAdvisories(dataDir, RECORDS)
  const environment = {
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_PORT: '0',
    GATEHOUSE_ADMIN_API_KEY: KEY,
    GATEHOUSE_LOG_LEVEL: 'warn',
    GATEHOUSE_TEST_WORKERS: '2',
  }
  const server = await start(['src/main.ts', 'serve'], environment, 'all')
  try {
    const other = await addOrg(server)
    const small = { url: `${server.baseUrl}/v1/test/npm?org=${other}`, body: bodyOf(20) }
    const rows = [['alone', ...summarize(await measureFor(SECONDS / 2, small))]]
    const flooding = flood({ url: `${server.baseUrl}/v1/test/npm`, body: bodyOf(SLOW_PACKAGES) })
    await measureFor(WARM_UP_SECONDS, small)
    const meanwhile = await measureFor(SECONDS, small)
    const answered = await flooding.leave()
    rows.push([`beside ${FLOODING} slow tests of another`, ...summarize(meanwhile)])
    // Waits until the tests of the disconnected clients have ended.
    const next = await answer({ ...small, url: `${server.baseUrl}/v1/test/npm` })
    rows.push(['the next one after those clients left', ...summarize([next])])
    console.log(
      `Small tests of one organization; slow ones of another: ${(answered / (SECONDS + WARM_UP_SECONDS)).toFixed(1)}/s`,
    )
    printTable(['', 'tests', 'refused', 'p50 ms', 'p99 ms', 'longest ms'], rows)
    console.log(`  memory after the load ${Math.round(server.memoryMb())} MB\n`)
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true })
  }
}

/** Sends slow tests, always as many at a time, until the clients leave; how many were answered. */
function flood(slow: Small): { leave(): Promise<number> } {
  const controller = new AbortController()
  const { signal } = controller
  let answered = 0
  const run = async () => {
    while (!signal.aborted) {
      await answer(slow, signal)
      answered++
    }
  }
  const running = Promise.allSettled(Array.from({ length: FLOODING }, run))
  return {
    async leave() {
      controller.abort()
      await running
      return answered
    },
  }
}

interface Answered {
  readonly status: number
  readonly ms: number
}

async function measureFor(seconds: number, small: Small): Promise<Answered[]> {
  const until = performance.now() + seconds * 1000
  const all: Answered[] = []
  while (performance.now() < until) {
    all.push(await answer(small))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return all
}

let sent = 0

async function answer({ url, body: same }: Small, signal: AbortSignal | null = null): Promise<Answered> {
  const body = same.replace(UNIQUE, String(sent++))
  const begun = performance.now()
  const answered = await fetch(url, { method: 'POST', headers: headers(), body, signal })
  await answered.arrayBuffer()
  return { status: answered.status, ms: performance.now() - begun }
}

function summarize(all: readonly Answered[]): (string | number)[] {
  const times = all.map(({ ms }) => ms).sort((a, b) => a - b)
  const refused = all.filter(({ status }) => status !== 200).length
  return [all.length, refused, median(times), times[Math.floor(times.length * 0.99)]!, times.at(-1)!]
}

function headers(): Record<string, string> {
  return { authorization: `token ${KEY}`, 'content-type': 'application/json' }
}

function bodyOf(packages: number): string {
  const { manifest, lock } = syntheticProject({ packages, known: 0.02, seed: packages })
  // The answer to an unchanged request would be kept.
  const target = { contents: manifest, id: UNIQUE }
  return JSON.stringify({ files: { target, additional: [{ contents: lock }] } })
}

async function addOrg({ baseUrl }: Started): Promise<string> {
  const self = await fetch(`${baseUrl}/v1/orgs`, { headers: headers() })
  const { orgs } = (await self.json()) as { orgs: { group: { id: string } | null }[] }
  const made = await fetch(`${baseUrl}/v1/org`, {
    method: 'POST',
    headers: headers(),
    body: JSON.stringify({ name: 'Other', groupId: orgs[0]!.group!.id }),
  })
  const text = await made.text()
  if (!made.ok) throw new Error(text)
  return (JSON.parse(text) as { id: string }).id
}
