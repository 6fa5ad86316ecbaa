import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PyPiContent } from '../../test/support/registries/pypi-content.ts'
import { startPyPiIndex } from '../../test/support/registries/pypi-index.ts'
import { median, printTable, type Started, start } from './load.ts'

const KEY = '7d4f3f5e-7f0e-4a53-8a53-6d0f3a1c9e12'
const SIZES = [1_000, 2_000, 5_000, 10_000]
const ROUNDS = 5
const VERSIONS = 6
/** Rounds of one size end after this long, so that a slow size does not hold up the others. */
const LONGEST_MS = 20_000

interface Figures {
  readonly lines: number
  readonly firstMs: number
  /** Milliseconds from the request to the whole answer, with everything cached. */
  readonly warmMs: number
  /** Processor milliseconds of the server per answer, which other load affects less than latency. */
  readonly cpuMs: number
  readonly packages: number | string
}

/**
 * Requirements files in which every line pins a version, resolved against an index on loopback: from the request to the
 * whole answer, with everything that the index says cached. `BENCH_PINS` lists other sizes, with commas between them.
 */
export async function benchPinnedRequirements(): Promise<void> {
  const sizes = process.env['BENCH_PINS']?.split(',').map(Number) ?? SIZES
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-pins-'))
  const index = await startPyPiIndex(toContent(Math.max(...sizes)))
  const environment = {
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_PORT: '0',
    GATEHOUSE_ADMIN_API_KEY: KEY,
    GATEHOUSE_LOG_LEVEL: 'warn',
    GATEHOUSE_TEST_WORKERS: '1',
    // On a busy machine the first test of a size may be slow; it is not measured.
    GATEHOUSE_TEST_SECONDS: '600',
    GATEHOUSE_PYPI_URL: index.url,
  }
  const server = await start(['src/main.ts', 'serve'], environment, 'all')
  try {
    const figures: Figures[] = []
    for (const lines of sizes) figures.push(await measure(server, lines))
    console.log('Pinned requirements, from the request to the answer (bars: 2,000 lines 250 ms, 10,000 lines 1,500 ms)')
    printTable(
      ['lines', 'packages', 'first ms', 'warm ms', 'processor ms'],
      figures.map((figure) => [
        figure.lines.toLocaleString('en'),
        figure.packages,
        figure.firstMs,
        figure.warmMs,
        figure.cpuMs,
      ]),
    )
    const exponents = (['warmMs', 'cpuMs'] as const).map((figure) => fitExponent(figures, figure).toFixed(2))
    const memoryMb = Math.round(server.memoryMb())
    console.log(`  exponents ${exponents.join(' and ')} (bar: 1.1); memory ${memoryMb} MB\n`)
  } finally {
    await server.stop()
    await index.close()
    rmSync(dataDir, { recursive: true })
  }
}

async function measure(server: Started, lines: number): Promise<Figures> {
  const contents = Array.from({ length: lines }, (_, n) => `${nameOf(n)}==${PINNED}\n`).join('')
  const body = JSON.stringify({ files: { target: { contents } } })
  const first = await ask(server, body)
  const times: number[] = []
  const cpuBefore = server.cpuSeconds()
  for (let total = 0; times.length < ROUNDS && total < LONGEST_MS; total += times.at(-1)!) {
    times.push((await ask(server, body)).ms)
  }
  const cpuMs = ((server.cpuSeconds() - cpuBefore) * 1000) / times.length
  return { lines, firstMs: first.ms, warmMs: median(times), cpuMs, packages: first.packages }
}

async function ask({ baseUrl }: Started, body: string): Promise<{ ms: number; packages: number | string }> {
  const headers = { authorization: `token ${KEY}`, 'content-type': 'application/json' }
  const begun = performance.now()
  const answer = await fetch(`${baseUrl}/v1/test/pip`, { method: 'POST', headers, body })
  const text = await answer.text()
  const ms = performance.now() - begun
  if (answer.status !== 200) return { ms, packages: `refused (${answer.status})` }
  const { dependencyCount } = JSON.parse(text) as { dependencyCount: number }
  return { ms, packages: dependencyCount }
}

/** The slope of the logarithms, by least squares. */
function fitExponent(figures: readonly Figures[], figure: 'warmMs' | 'cpuMs'): number {
  const points = figures.map((figures) => [Math.log(figures.lines), Math.log(figures[figure])] as const)
  const mean = (of: (point: (typeof points)[number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x, y] = [mean(([x]) => x), mean(([, y]) => y)]
  return mean(([a, b]) => (a - x) * (b - y)) / mean(([a]) => (a - x) ** 2)
}

const PINNED = '1.3.0'

/** Every project asks for up to three of those before it, so that the first ones need nothing else. */
function toContent(projects: number): PyPiContent {
  const content: Record<string, PyPiContent[string]> = {}
  for (let n = 0; n < projects; n++) {
    const requested = [1, 7, 31].slice(0, n % 4).filter((distance) => distance <= n)
    const requires = requested.map((distance) => `${nameOf(n - distance)}>=1.0,<2`)
    content[nameOf(n)] = Object.fromEntries(
      Array.from({ length: VERSIONS }, (_, minor) => [`1.${minor}.0`, { requires, python: '>=3.8', license: 'MIT' }]),
    )
  }
  return content
}

function nameOf(n: number): string {
  return `unheard-of-project-${n}`
}
