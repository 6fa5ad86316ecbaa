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
  return {
    async open(path, { key: own = key, prepare, ...profile } = {}) {
      const context = Object.keys(profile).length === 0 ? shared : await newProfile(browser, profile)
      const { page, complaints } = await openPage(context, `${baseUrl}/healthz`, prepare)
      await page.evaluate(`sessionStorage.setItem(${JSON.stringify(KEY_NAME)}, ${JSON.stringify(own)})`)
      await page.goto(`${baseUrl}/console${path}`)
      const close = () => (context === shared ? page.close() : context.close())
      return { page, complaints, [Symbol.asyncDispose]: close }
    },
    close: () => browser.close(),
  }
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
