import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { skipWithoutBrowser } from '#test/browser/browser.ts'
import { buildConsole, type Console, openConsole } from '#test/browser/console.ts'
import { settle } from '#test/browser/settle.ts'
import { program as product } from '#test/servers/program.ts'
import { type ServerProcess, startServer } from '#test/servers/server-process.ts'
import { type SampleRepository, sampleDays, sampleRepositories } from './sample-projects.ts'

const KEY = '6d0f3a1c-9e11-4a53-8a53-7d4f3f5e7f0e'

/** The administrator of the sample server. */
export const administrator = { email: 'admin@gatehouse.local', password: 'a password for pictures' } as const

export interface SampleServer {
  readonly baseUrl: string
  readonly console: Console
  /** Returns the id of the first organization or group. */
  findFirst(kind: 'orgs' | 'groups'): Promise<string>
}

/** Lets `work` use a new server with sample projects, and its console in a browser. */
export async function withSampleServer(work: (server: SampleServer) => Promise<void>): Promise<void> {
  if (skipWithoutBrowser) throw new Error(`Taking pictures ${skipWithoutBrowser}`)
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-screenshots-'))
  try {
    buildConsole()
    for (const daysAgo of sampleDays.filter((days) => days > 0)) {
      const earlier = await start(folder, daysAgo)
      monitorAll(earlier.baseUrl, folder, daysAgo)
      await earlier.end('SIGTERM')
    }
    const server = await start(folder, 0)
    try {
      monitorAll(server.baseUrl, folder, 0)
      const console = await openConsole(server.baseUrl, KEY)
      try {
        await work({ baseUrl: server.baseUrl, console, findFirst: (kind) => findFirst(server.baseUrl, kind) })
      } finally {
        await console.close()
      }
    } finally {
      await server.end('SIGTERM')
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function findFirst(baseUrl: string, kind: 'orgs' | 'groups'): Promise<string> {
  const headers = { authorization: `token ${KEY}` }
  const answer = await fetch(`${baseUrl}/rest/${kind}?version=2024-10-15`, { headers })
  const { data } = (await answer.json()) as { data: readonly [{ readonly id: string }] }
  return data[0].id
}

function start(folder: string, daysAgo: number): Promise<ServerProcess> {
  const environment = {
    GATEHOUSE_DATA_DIR: join(folder, 'data'),
    GATEHOUSE_ADMIN_API_KEY: KEY,
    GATEHOUSE_ADMIN_PASSWORD: administrator.password,
    // Findings come from the starter set: pictures need no network.
    SAMPLE_DAYS_AGO: String(daysAgo),
  }
  const clock = new URL('past-clock.ts', import.meta.url).href
  return startServer(environment, ['--import', clock, product.main, 'serve'])
}

function monitorAll(baseUrl: string, folder: string, daysAgo: number): void {
  for (const sample of sampleRepositories(daysAgo)) monitor(baseUrl, join(folder, sample.name), sample)
}

/** Waits until everything is drawn: charts come after the rest. */
export async function finishDrawing(page: Page): Promise<void> {
  await settle(page)
  await page.locator('[aria-busy=true], [aria-label^=Loading]').first().waitFor({ state: 'detached' })
  await settle(page)
}

/** Stores the projects of a repository as a pipeline does. */
function monitor(baseUrl: string, path: string, { name, files }: SampleRepository): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true })
    writeFileSync(join(path, file), text)
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: path, stdio: 'ignore' })
  if (!existsSync(join(path, '.git'))) {
    git('init', '--quiet', '--initial-branch=main')
    git('remote', 'add', 'origin', `https://git.example/${name}.git`)
  }
  const environment = { ...process.env, GATEHOUSE_URL: baseUrl, GATEHOUSE_KEY: KEY }
  execFileSync(process.execPath, ['bin/gatehouse.js', 'monitor', path], { env: environment, stdio: 'inherit' })
}
