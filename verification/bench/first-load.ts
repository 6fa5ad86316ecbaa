import { startBrowser } from '../../test/support/browser/browser.ts'
import { buildConsole } from '../../test/support/browser/console.ts'
import { recordProject } from '../../test/support/projects/recorded-projects.ts'
import { startApp } from '../../test/support/servers/app.ts'
import { listenAnywhere } from '../../test/support/servers/listening.ts'
import { median, printTable } from './load.ts'

const ROUNDS = 5
const KEY_NAME = 'gatehouse-api-key'

interface Loaded {
  /** Bytes of all answers, as they are sent, until nothing more is fetched: programs, styles and data. */
  readonly bytes: number
  /** The same until the heading shows. */
  readonly bytesOfText: number
  /** Milliseconds of processor time of the page's thread. */
  readonly cpuMs: number
}

/** The console's first load with an empty cache: compressed bytes, and processor time of the page's thread. */
export async function benchFirstLoad(): Promise<void> {
  buildConsole()
  const app = await startApp('sqlite')
  const browser = await startBrowser()
  try {
    const baseUrl = await listenAnywhere(app)
    const project = {
      name: 'shop',
      graph: { shop: ['a@1.0.0'], 'a@1.0.0': [] },
      issues: [{ id: 'X-1', in: 'a@1.0.0', severity: 'high' }],
    } as const
    // Without a past there are no charts.
    await recordProject(app, { ...project, at: Date.now() - 80 * 86_400_000 })
    await recordProject(app, project)
    const rows: (string | number)[][] = []
    const cases = [
      ['signed out: sign-in', undefined, '/console/', 'Sign in'],
      ['signed in: overview', app.adminKey, '/console/', 'Overview'],
      ['signed in: issues', app.adminKey, `/console/orgs/${app.orgId}/issues`, 'Issues'],
    ] as const
    for (const [title, key, path, heading] of cases) {
      const loads: Loaded[] = []
      for (let round = 0; round < ROUNDS; round++) loads.push(await load({ key, url: `${baseUrl}${path}`, heading }))
      const of = (name: keyof Loaded) => median(loads.map((load) => load[name]))
      rows.push([
        title,
        (of('bytesOfText') / 1000).toFixed(1),
        (of('bytes') / 1000).toFixed(1),
        Math.round(of('cpuMs')),
      ])
    }
    console.log('First load with an empty cache (bars: 150 KB, 1,000 ms)')
    printTable(['', 'KB until the heading shows', 'KB in all, with charts and data', 'ms of processor time'], rows)
  } finally {
    await browser.close()
    await app.close()
  }

  async function load({
    key,
    url,
    heading,
  }: {
    key: string | undefined
    url: string
    heading: string
  }): Promise<Loaded> {
    const context = await browser.newContext()
    try {
      const page = await context.newPage()
      // Prefetched pages are not part of the load.
      await page.addInitScript(`Object.defineProperty(navigator, 'connection', { value: { saveData: true } })`)
      if (key !== undefined) {
        await page.addInitScript(`sessionStorage.setItem(${JSON.stringify(KEY_NAME)}, ${JSON.stringify(key)})`)
      }
      const client = await context.newCDPSession(page)
      await client.send('Performance.enable', { timeDomain: 'threadTicks' })
      const resources = new Map<string, number>()
      await page.goto(url)
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      const names = await sizes()
      const bytesOfText = sumOf(names)
      if (heading === 'Overview') await page.getByRole('slider').nth(1).waitFor()
      await page.waitForLoadState('networkidle')
      for (const [name, size] of await sizes()) resources.set(name, size)
      const { metrics } = await client.send('Performance.getMetrics')
      const cpuMs = 1000 * metrics.find(({ name }) => name === 'TaskDuration')!.value
      if (process.env['BENCH_DETAILS'])
        console.log(
          title(url, key),
          [...resources].sort((a, b) => b[1] - a[1]),
        )
      return { bytes: sumOf(resources), bytesOfText, cpuMs }

      async function sizes(): Promise<Map<string, number>> {
        const matches = await page.evaluate(
          `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
            .map(({ name, encodedBodySize }) => [name, encodedBodySize])`,
        )
        return new Map(matches as [string, number][])
      }
    } finally {
      await context.close()
    }
  }
}

function title(url: string, key: string | undefined): string {
  return `${key === undefined ? 'signed out' : 'signed in'} ${url}`
}

function sumOf(sizes: ReadonlyMap<string, number>): number {
  return [...sizes.values()].reduce((sum, size) => sum + size, 0)
}
