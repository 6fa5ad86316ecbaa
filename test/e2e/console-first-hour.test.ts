import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { audit } from '#test/browser/accessibility.ts'
import { skipWithoutBrowser } from '#test/browser/browser.ts'
import { buildConsole, type Console, follow, look, openConsole } from '#test/browser/console.ts'
import { settle } from '#test/browser/settle.ts'
import { toOsvRecord, writeOsvExport } from '#test/manifests/osv-export.ts'
import { type BareRepository, bareRepository } from '#test/repositories/git-repository.ts'
import { type ImportApp, npmProject, startImportApp } from '#test/repositories/imports.ts'
import { listenAnywhere } from '#test/servers/listening.ts'
import { paths } from '../../web/navigation/paths.ts'

const VULNERABILITY = 'GHSA-1'

const services = ['order-service', 'payment-service']

const looks = [
  { name: 'wide-light', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { name: 'narrow-dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  { name: 'wide-dark', viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  { name: 'narrow-light', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
] as const

describe('first hour in the console', { skip: skipWithoutBrowser }, () => {
  let app: ImportApp
  let gui: Console
  let repository: BareRepository
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-osv-'))
  before(async () => {
    buildConsole()
    writeOsvExport(folder, [toOsvRecord(VULNERABILITY, 'npm', 'minimist')])
    repository = bareRepository()
    repository.commit(services.flatMap((name) => npmProject(`services/backend/${name}`, 'minimist', '0.0.8')))
    app = await startImportApp('sqlite', { GATEHOUSE_ADVISORIES_URL: folder })
    gui = await openConsole(await listenAnywhere(app), app.adminKey)
  })
  after(async () => {
    await gui?.close()
    await app?.close()
    repository?.[Symbol.dispose]()
    rmSync(folder, { recursive: true })
  })

  const stepsOf = (page: Page) => page.getByRole('region', { name: 'First steps' })

  async function loadAdvisories(page: Page): Promise<void> {
    await stepsOf(page).getByRole('button', { name: 'Load advisories' }).click()
    await stepsOf(page).getByRole('button', { name: 'Sync advisories' }).click()
    await stepsOf(page).getByText('3 of 4 done').waitFor()
  }

  async function connectAndImport(page: Page): Promise<void> {
    const steps = stepsOf(page)
    await steps.getByRole('button', { name: 'Connect source' }).click()
    await steps.getByRole('radio', { name: 'Folder on the server' }).check()
    await steps.getByRole('button', { name: 'Connect', exact: true }).click()
    await steps.getByRole('button', { name: 'Import repository' }).click()
    await steps.getByRole('textbox', { name: 'Folder', exact: true }).fill(repository.path)
    await steps.getByRole('button', { name: 'Import', exact: true }).click()
    await steps.getByText('2 of 2 imported').waitFor()
    await steps.getByRole('link', { name: '2 projects' }).waitFor()
  }

  async function addCiAccount(page: Page): Promise<void> {
    const steps = stepsOf(page)
    await steps.getByRole('button', { name: 'Add CI account' }).click()
    await steps.getByRole('button', { name: 'Create key' }).click()
    await steps.getByText('it is shown only once').waitFor()
  }

  /** Fails if a row of the list hides a part of the end that tells it from the others. */
  async function assertEndsAreWhole(page: Page): Promise<void> {
    for (const name of services) {
      const tail = page.getByRole('link', { name: new RegExp(name) }).locator('span > span:last-child')
      assert.match((await tail.textContent())!, new RegExp(`^/${name}/package`))
      const [full, visible] = (await tail.evaluate((element) => [element.scrollWidth, element.clientWidth])) as number[]
      assert.ok(full! <= visible! + 1, `${name} has ${full} px in ${visible}`)
    }
  }

  for (const [at, { name, ...profile }] of looks.entries()) {
    test(`first hour, ${name}: an empty account gets source, projects and a CI key without leaving the overview`, async () => {
      const orgId = await app.addOrg()
      await using tab = await gui.open(paths.projects(orgId), profile)
      const { page } = tab
      await page.getByRole('heading', { name: 'No projects yet' }).waitFor()
      await follow(page, paths.overview)
      await stepsOf(page)
        .getByText(`${at === 0 ? 0 : 1} of 4 done`)
        .waitFor()
      await settle(page)
      await look(page, `first-hour-${name}-empty`)
      await connectAndImport(page)
      if (at === 0) await loadAdvisories(page)
      await follow(page, paths.ci(orgId))
      await look(page, `first-hour-${name}-ci`)
      await follow(page, paths.overview)
      await stepsOf(page).getByText('3 of 4 done').waitFor()
      await addCiAccount(page)
      await stepsOf(page).getByText('4 of 4 done').waitFor()
      await settle(page)
      await look(page, `first-hour-${name}-key`)
      await stepsOf(page).getByRole('button', { name: 'Close' }).click()
      await stepsOf(page).waitFor({ state: 'detached' })

      await follow(page, paths.projects(orgId))
      await page.getByRole('button', { name: /^Manifests of/ }).click()
      await page.getByRole('link', { name: /order-service/ }).waitFor()
      await look(page, `first-hour-${name}-projects`)
      await assertEndsAreWhole(page)
      await page.keyboard.press('Control+k')
      for (const key of 'payment-s') await page.keyboard.press(key)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: /payment-service/, level: 1 }).waitFor()
      assert.deepEqual(tab.complaints, [])
    })
  }

  test('first hour: the checklist with an open form has no faults of accessibility', async () => {
    const orgId = await app.addOrg()
    await using tab = await gui.open(paths.projects(orgId))
    const { page } = tab
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor()
    await follow(page, paths.overview)
    await stepsOf(page).getByRole('button', { name: 'Connect source' }).click()
    await stepsOf(page).getByRole('radio', { name: 'GitHub', exact: true }).waitFor()
    await audit(page, 'first-steps')
  })

  test('print: overview, project and vulnerability fit A4 without navigation and controls, in light colors', async () => {
    const { data } = (await app.call('GET', '/rest/orgs')).json()
    for (const { id: orgId } of data as { id: string }[]) {
      const projects = (await app.call('GET', `/rest/orgs/${orgId}/projects`)).json().data
      if (projects.length === 0) continue
      await using tab = await gui.open(paths.project(orgId, projects[0].id), { colorScheme: 'dark' })
      const { page } = tab
      await page.getByRole('table', { name: 'Issues', exact: true }).waitFor()
      await printPage(page, 'project')
      await follow(page, paths.overview)
      await printPage(page, 'overview')
      await follow(page, paths.vulnerability(orgId, VULNERABILITY))
      await printPage(page, 'vulnerability')
      return
    }
    assert.fail('no organization has projects')
  })

  /** Prints a page as its user would, and checks it on a sheet of A4 with its margins. */
  async function printPage(page: Page, name: string): Promise<void> {
    await settle(page)
    const pdf = await page.pdf({ preferCSSPageSize: true })
    assert.match(pdf.toString('latin1'), /\/MediaBox \[0 0 59[45]\.\d+ 84[12]\.\d+\]/)
    await page.setViewportSize({ width: 688, height: 1017 })
    await page.emulateMedia({ media: 'print' })
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await page.getByRole('button', { name: /^(Test now|Ignore…)$/ }).count(), 0)
    assert.equal(await page.locator('#navigation').isVisible(), false)
    assert.equal(await page.locator('[data-mantine-color-scheme=light]').count(), 1)
    await look(page, `print-${name}`)
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert.equal(await page.locator('[data-mantine-color-scheme=dark]').count(), 1)
    await page.emulateMedia({ media: 'screen' })
  }
})
