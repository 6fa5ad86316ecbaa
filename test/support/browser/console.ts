import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { CONSOLE_IS_BUILT } from '../servers/shared-names.ts'
import { newProfile, openPage, startBrowser, type TabOptions } from './browser.ts'

/** Folder for optional screenshots. */
const screenshots = process.env['SCREENSHOTS_DIR']

/** The name under which a tab keeps the key that its user signed in with. */
const KEY_NAME = 'gatehouse-api-key'

/** Playwright's own size of a page. */
const VIEWPORT = { width: 1280, height: 720 }

type OpenedPage = Awaited<ReturnType<typeof openPage>>

export interface Console {
  /** A page of it, signed in. Tabs share a profile, whose cache saves half of a load, unless they have options of their own. */
  open(path: string, options?: TabOptions & { readonly key?: string }): Promise<Tab>
  close(): Promise<void>
}

export interface Tab extends AsyncDisposable {
  readonly page: Page
  /** Errors and warnings of the browser. */
  readonly complaints: readonly string[]
}

/** Builds the console where that is due. */
export function buildConsole(): void {
  if (process.env[CONSOLE_IS_BUILT] !== undefined) return
  execFileSync(process.execPath, ['tools/build-if-stale.ts'])
}

/** The console of a server, in a browser; pages are opened with `key`. */
export async function openConsole(baseUrl: string, key: string): Promise<Console> {
  const browser = await startBrowser()
  const shared = await newProfile(browser)
  /** Tabs that were closed, on a page without content: a process for each would take longer than most pages. */
  const closed: OpenedPage[] = []
  const empty = `${baseUrl}/healthz`

  async function close({ page, complaints }: OpenedPage): Promise<void> {
    if (page.isClosed()) return
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.setViewportSize(VIEWPORT)
    await page.emulateMedia({ colorScheme: null, reducedMotion: 'reduce' })
    await page.goto(empty)
    await page.evaluate('sessionStorage.clear()')
    complaints.length = 0
    closed.push({ page, complaints })
  }

  return {
    async open(path, { key: own = key, prepare, ...profile } = {}) {
      const isShared = Object.keys(profile).length === 0 && prepare === undefined
      const context = isShared ? shared : await newProfile(browser, profile)
      const opened = (isShared && closed.pop()) || (await openPage(context, empty, prepare))
      const { page, complaints } = opened
      await page.evaluate(`sessionStorage.setItem(${JSON.stringify(KEY_NAME)}, ${JSON.stringify(own)})`)
      await page.goto(`${baseUrl}/console${path}`)
      return { page, complaints, [Symbol.asyncDispose]: () => (isShared ? close(opened) : context.close()) }
    },
    close: () => browser.close(),
  }
}

/** Opens a page of another kind through the browser's history, which costs a tenth of loading the console again. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).evaluate((heading) => heading.setAttribute('data-former', ''))
  await goTo(page, path)
  await page.locator('h1:not([data-former])').waitFor()
}

/** Goes to an address as `follow` does, but waits for nothing: pages of one kind keep their heading. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/console${path}`)})`)
  await page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
}

export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Use an API key' }).click()
  await page.getByLabel('API key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Keeps a picture of a page, which must not be wider than the screen. */
export async function look(page: Page, name: string): Promise<void> {
  if (screenshots !== undefined) await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true })
  const [wide, visible] = (await page.evaluate('[document.documentElement.scrollWidth, window.innerWidth]')) as [
    number,
    number,
  ]
  assert.ok(wide <= visible, `${name} is ${wide} wide on a screen of ${visible}`)
}
