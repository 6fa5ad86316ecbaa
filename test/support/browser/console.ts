import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { CONSOLE_IS_BUILT } from '../servers/shared-names.ts'
import { openTab, startBrowser, type TabOptions } from './browser.ts'

/** Folder for optional screenshots. */
const screenshots = process.env['SCREENSHOTS_DIR']

export interface Console {
  /** A page of it in a new profile, signed in. */
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
  execFileSync(process.execPath, ['tools/build-console.ts', '--if-stale'])
}

/** The console of a server, in a browser; pages are opened with `key`. */
export async function openConsole(baseUrl: string, key: string): Promise<Console> {
  const browser: Browser = await startBrowser()
  return {
    async open(path, { key: own = key, ...options } = {}) {
      const { page, complaints } = await openTab(browser, `${baseUrl}/console${path}`, options)
      await signIn(page, own)
      return { page, complaints, [Symbol.asyncDispose]: () => page.context().close() }
    },
    close: () => browser.close(),
  }
}

export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Use an API key' }).click()
  await page.getByLabel('API key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
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
