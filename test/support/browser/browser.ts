import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Page,
} from 'playwright-core'
import { KEEPS_BROWSER } from '../servers/shared-names.ts'
import { watchRequests } from './settle.ts'

/** A Chromium of this machine, the one without windows first: it uses half the processor time. None is fetched. */
function findChromium(): string | undefined {
  const configured = process.env['CHROMIUM_PATH']
  if (configured !== undefined) return configured
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path))
}

const executablePath = findChromium()

/** Limit for a step of a page; generous for busy machines. */
const STEP_MS = 180_000

/** The reason for skipping browser tests; false if they can run. */
export const skipWithoutBrowser = executablePath === undefined && 'needs a Chromium on PATH or in CHROMIUM_PATH'

/** Pages of tests live for seconds: compiling their programs to faster code takes longer than it saves. */
const NO_OPTIMIZING_COMPILERS = '--js-flags=--no-opt --no-maglev'

const LAUNCH: LaunchOptions = {
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    NO_OPTIMIZING_COMPILERS,
  ],
}

/** A browser as one test file sees it: with the profiles that it made. */
export interface OwnBrowser {
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>
  /** Closes its profiles, and the browser unless later files of the process use it. */
  close(): Promise<void>
}

/** The browser of this process, for all files that it runs: starting one takes a second of processor time. */
let kept: Promise<Browser> | undefined

/** Returns the browser of the process where a run asks for that (TEST_KEEPS_BROWSER), otherwise a new one. */
export async function startBrowser(): Promise<OwnBrowser> {
  const isKept = process.env[KEEPS_BROWSER] !== undefined
  const browser = isKept ? await keepBrowser() : await launch()
  const contexts: BrowserContext[] = []
  return {
    async newContext(options) {
      const context = await browser.newContext(options)
      contexts.push(context)
      return context
    },
    close: async () =>
      void (isKept ? await Promise.all(contexts.map((context) => context.close())) : await browser.close()),
  }
}

/** A browser that crashed or did not start costs the test in it, not every later file. */
async function keepBrowser(): Promise<Browser> {
  const browser = await kept?.catch(() => undefined)
  if (browser?.isConnected()) return browser
  kept = launch()
  return kept
}

function launch(): Promise<Browser> {
  return chromium.launch({ ...LAUNCH, executablePath: executablePath! })
}

export interface TabOptions extends BrowserContextOptions {
  /** Before the address is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>
  /**
   * Default: true. Otherwise the console also fetches the pages of visible links, which costs more than the page
   * itself.
   */
  readonly savesData?: boolean
}

const SAVES_DATA = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"

/** A tab of a new profile, and what its console complained about. */
export async function openTab(
  browser: OwnBrowser,
  url: string,
  { prepare, ...profile }: TabOptions = {},
): Promise<{ page: Page; complaints: string[] }> {
  return openPage(await newProfile(browser, profile), url, prepare)
}

/**
 * A profile has its own cookies, storage and cache. Its pages disable animations, which would be painted repeatedly.
 */
export async function newProfile(
  browser: OwnBrowser,
  { savesData = true, ...options }: Omit<TabOptions, 'prepare'> = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(STEP_MS)
  if (savesData) await context.addInitScript(SAVES_DATA)
  return context
}

/** A tab of a profile, and what its console complained about. */
export async function openPage(
  context: BrowserContext,
  url: string,
  prepare?: TabOptions['prepare'],
): Promise<{ page: Page; complaints: string[] }> {
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // Refused requests are logged by the browser itself; everything else is a fault, above all of the content policy.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text())
    }
  })
  watchRequests(page)
  await slowDown(page)
  await prepare?.(page)
  await page.goto(url)
  return { page, complaints }
}

/**
 * For those who look for tests that only pass on a quick machine: `SLOW_CPU=6` makes the page's programs six times
 * slower, `SLOW_NETWORK_MS=300` has each request wait for up to that long.
 */
async function slowDown(page: Page): Promise<void> {
  const rate = Number(process.env['SLOW_CPU'] ?? 1)
  const delayMs = Number(process.env['SLOW_NETWORK_MS'] ?? 0)
  if (rate > 1) {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate })
  }
  if (delayMs === 0) return
  await page.context().route('**', async (route) => {
    await setTimeout(Math.random() * delayMs)
    // The page may be gone by then.
    await route.continue().catch(() => undefined)
  })
}
