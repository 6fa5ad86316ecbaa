import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openTab, startBrowser } from '#test/browser/browser.ts'
import { serveHttp } from '#test/servers/local-server.ts'
import { administrator, finishDrawing, type SampleServer } from './sample-server.ts'

const looks = [
  { name: 'wide-light', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { name: 'wide-dark', viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  { name: 'phone-light', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { name: 'phone-dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const

/** Limit for a step. */
const STEP_MS = 30_000

/** One person's way through the console. */
interface Play {
  readonly page: Page
  /** Different in each look, for names. */
  readonly look: string
  /** Keeps a picture of what is shown now. */
  keep(step: string): Promise<void>
  /** Follows a link of the navigation, which phones fold away. */
  go(name: string): Promise<void>
}

const stories: Readonly<Record<string, (play: Play) => Promise<void>>> = {
  administrator: playAdministrator,
  developer: playDeveloper,
  'security-engineer': playSecurityEngineer,
  'app-developer': playAppDeveloper,
}

/**
 * Plays what four people do, wide and on a phone, light and dark. Fails when a step does not succeed, a page is wider
 * than its screen, or the browser reports an error, as it does for violations of the content policy.
 */
export async function playStories({ baseUrl }: SampleServer, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const browser = await startBrowser()
  try {
    for (const [name, story] of Object.entries(stories)) {
      for (const { name: look, ...profile } of looks) {
        const { page, complaints } = await openTab(browser, `${baseUrl}/console/`, profile)
        page.setDefaultTimeout(STEP_MS)
        await story(toPlay(page, { look, path: join(folder, `${name}-${look}`) }))
        assert.deepEqual(complaints, [], `${name}, ${look}`)
        await page.context().close()
        console.log(`${name}, ${look}: played without an error`)
      }
    }
  } finally {
    await browser.close()
  }
}

function toPlay(page: Page, { look, path }: { look: string; path: string }): Play {
  let steps = 0
  return {
    page,
    look,
    async keep(step) {
      await finishDrawing(page)
      steps++
      await page.screenshot({ path: `${path}-${steps}-${step}.png`, animations: 'disabled' })
      const [width, visible] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as number[]
      assert.ok(width! <= visible!, `${step} is ${width} wide on a screen of ${visible} (${look})`)
    },
    async go(name) {
      await openMenu(page)
      await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
  }
}

/** Opens the navigation, which is collapsed on phones. */
async function openMenu(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Open the menu' })
  if (await button.isVisible()) await button.click()
}

async function signIn({ page, keep }: Play): Promise<void> {
  await page.getByLabel('E-mail').fill(administrator.email)
  await page.getByLabel('Password', { exact: true }).fill(administrator.password)
  await keep('sign-in')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}

/** Signs in, invites a person into the group, and reads that in the audit log. */
async function playAdministrator(play: Play): Promise<void> {
  const { page, look, keep } = play
  await signIn(play)
  await keep('overview')
  await choosePlace(page, 'Default group')
  await play.go('Users')
  await page.getByRole('button', { name: 'Invite person' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace')
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill(`ada-${look}@people.example`)
  await dialog.getByRole('combobox', { name: 'Role' }).selectOption({ label: 'Group Viewer' })
  await keep('invitation')
  await dialog.getByRole('button', { name: 'Invite person' }).click()
  await dialog.getByLabel('One-time link').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText(`ada-${look}@people.example`).first().waitFor()
  await keep('users')
  await play.go('Security')
  await page.getByRole('form', { name: 'Session policy' }).waitFor()
  await keep('security')
  await play.go('Audit log')
  await page.getByRole('table', { name: 'Audit events' }).waitFor()
  await keep('audit-log')
}

/** Finds the worst project, looks at its first issue, and tests a changed lockfile before it is merged. */
async function playDeveloper(play: Play): Promise<void> {
  const { page, keep } = play
  await signIn(play)
  await play.go('Projects')
  await page
    .getByRole('button', { name: /^Manifests of/ })
    .first()
    .waitFor()
  await keep('projects')
  await page.keyboard.press('j')
  await page.keyboard.press('ArrowRight')
  await page.getByRole('button', { name: /^Manifests of/, expanded: true }).waitFor()
  await keep('manifests')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
  await keep('keys')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  await page.getByRole('combobox', { name: 'Search' }).fill('lodash')
  const hit = page.getByRole('option', { name: /lodash/ }).first()
  await hit.waitFor()
  await keep('search')
  await hit.click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await keep('found')
  await play.go('Test a manifest')
  await page.getByRole('textbox', { name: 'Path' }).fill('requirements.txt')
  await page.getByRole('textbox', { name: 'Contents' }).fill('django==2.2.0 --hash=sha256:00\n')
  await keep('test')
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByRole('region', { name: 'Coverage' }).waitFor()
  await keep('result')
}

/** Groups open issues by vulnerability, reads about the first one, and ignores it everywhere until a date. */
async function playSecurityEngineer(play: Play): Promise<void> {
  const { page, keep } = play
  await signIn(play)
  await play.go('Issues')
  const table = page.getByRole('table', { name: 'Issues by vulnerability' })
  await table.waitFor()
  await keep('issues')
  await table
    .getByRole('checkbox', { name: /^Select (?!all)/ })
    .first()
    .check()
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: /^Ignore/ })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The upgrade is planned')
  await dialog.getByLabel('End date').fill(new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 16))
  await keep('ignore')
  await dialog.getByRole('button', { name: 'Ignore 1 vulnerability' }).click()
  await dialog.waitFor({ state: 'detached' })
  await table.getByRole('link').first().click()
  await page.getByRole('heading', { level: 2, name: 'Affected packages' }).waitFor()
  await keep('vulnerability')
  await play.go('Ignores')
  await page.getByText('The upgrade is planned').first().waitFor()
  await keep('ignores')
}

/** Registers an app, authorizes it by its URL, and sees it among the authorized apps. */
async function playAppDeveloper(play: Play): Promise<void> {
  const { page, look, keep } = play
  // The app, to which the browser comes back.
  await using own = await serveHttp((_request, response) => response.end('signed in'))
  await signIn(play)
  await play.go('Apps')
  await page.getByRole('link', { name: 'New app' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill(`Dashboard ${look}`)
  await page.getByRole('textbox', { name: 'Redirect URIs' }).fill(`${own.url}/callback`)
  await page.getByRole('checkbox', { name: 'See projects and their issues' }).check()
  await keep('new-app')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('textbox', { name: 'Client secret' }).waitFor()
  await page.getByRole('link', { name: 'I have saved it' }).click()
  await page.getByRole('heading', { name: `Dashboard ${look}`, exact: true }).waitFor()
  await keep('app')
  const shown = await page
    .getByText(/\/oauth2\/authorize\?/)
    .first()
    .textContent()
  const [authorizeUrl] = /https?:\S+/.exec(shown!)!
  const back = page.url()
  await page.goto(authorizeUrl)
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await keep('consent')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${own.url}/**`)
  assert.ok(new URL(page.url()).searchParams.has('code'))
  await page.goto(new URL('/console/apps', back).href)
  await page.getByRole('link', { name: `Dashboard ${look}` }).waitFor()
  await keep('authorized-apps')
}

async function choosePlace(page: Page, name: string): Promise<void> {
  await openMenu(page)
  await page.getByRole('combobox', { name: 'Organization or group' }).click()
  await page.getByRole('option', { name }).click()
  await page
    .getByRole('combobox', { name: 'Organization or group' })
    .and(page.locator(`[value="${name}"]`))
    .waitFor()
}
