import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { skipWithoutBrowser } from '#test/browser/browser.ts'
import { buildConsole, openConsole } from '#test/browser/console.ts'
import { startServer } from '#test/servers/server-process.ts'
import { type SampleRepository, sampleRepositories } from './sample-projects.ts'

const target = join(import.meta.dirname, '../../docs/images')
const KEY = '6d0f3a1c-9e11-4a53-8a53-7d4f3f5e7f0e'

/** The README's pictures: the overview of the console. */
const looks = [
  { name: 'overview', viewport: { width: 1440, height: 690 }, colorScheme: 'light' },
  { name: 'overview-dark', viewport: { width: 1440, height: 690 }, colorScheme: 'dark' },
] as const

if (skipWithoutBrowser) throw new Error(`Taking pictures ${skipWithoutBrowser}`)
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-screenshots-'))
try {
  await takeAll(folder)
} finally {
  rmSync(folder, { recursive: true })
}

/** Takes the pictures of a new server with sample projects. */
async function takeAll(folder: string): Promise<void> {
  buildConsole()
  const server = await startServer({
    GATEHOUSE_DATA_DIR: join(folder, 'data'),
    GATEHOUSE_ADMIN_API_KEY: KEY,
    // Findings come from the starter set: pictures need no network.
    GATEHOUSE_SEARCH_SECONDS: '0',
  })
  try {
    for (const sample of sampleRepositories) monitor(server.baseUrl, join(folder, sample.name), sample)
    const gui = await openConsole(server.baseUrl, KEY)
    try {
      mkdirSync(target, { recursive: true })
      for (const { name, ...look } of looks) {
        const { page } = await gui.open('/', look)
        await settle(page)
        await page.screenshot({ path: join(target, `${name}.png`) })
        await page.context().close()
      }
    } finally {
      await gui.close()
    }
  } finally {
    await server.end('SIGTERM')
  }
}

/** Stores the projects of a repository as a pipeline does. */
function monitor(baseUrl: string, path: string, { name, files }: SampleRepository): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true })
    writeFileSync(join(path, file), text)
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: path, stdio: 'ignore' })
  git('init', '--quiet', '--initial-branch=main')
  git('remote', 'add', 'origin', `https://git.example/${name}.git`)
  const environment = { ...process.env, GATEHOUSE_URL: baseUrl, GATEHOUSE_KEY: KEY }
  execFileSync(process.execPath, ['bin/gatehouse.js', 'monitor', path], { env: environment, stdio: 'inherit' })
}

async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
}
