import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { audit } from '#test/browser/accessibility.ts'
import { skipWithoutBrowser } from '#test/browser/browser.ts'
import { buildConsole, type Console, look, openConsole } from '#test/browser/console.ts'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { type BareRepository, bareRepository } from '#test/repositories/git-repository.ts'
import { type ImportApp, importAndWait, importOf, startImportApp } from '#test/repositories/imports.ts'
import { listenAnywhere } from '#test/servers/listening.ts'
import { isFullVolume } from '#test/volume.ts'
import { paths } from '../../web/navigation/paths.ts'

const looks = [
  { name: 'wide-light', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { name: 'phone-dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  { name: 'wide-dark', viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  { name: 'phone-light', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
] as const
const played = isFullVolume ? looks : looks.slice(0, 2)

const legacy = Array.from({ length: 50 }, (_, n) => `legacy-${n}`)
/** A critical package for each look, whose rule stays. */
const critical = looks.map(({ name }) => `left-${name}`)
const names = ['gate', 'left', ...critical, ...legacy]

/** A project that locks version 1.0.0 of these packages. */
function projectOf(name: string, packages: readonly string[]) {
  const dependencies = Object.fromEntries(packages.map((own) => [own, '1.0.0']))
  const manifest = { name, version: '1.0.0', dependencies }
  const locked = packages.map((own) => [`node_modules/${own}`, { version: '1.0.0' }])
  const lock = { ...manifest, lockfileVersion: 3, packages: { '': manifest, ...Object.fromEntries(locked) } }
  return [
    { path: `${name}/package.json`, content: JSON.stringify(manifest) },
    { path: `${name}/package-lock.json`, content: JSON.stringify(lock) },
  ]
}

describe('triage in the console', { skip: skipWithoutBrowser }, () => {
  let app: ImportApp
  let gui: Console
  let repository: BareRepository
  before(async () => {
    buildConsole()
    repository = bareRepository()
    app = await startImportApp('sqlite')
    gui = await openConsole(await listenAnywhere(app), app.adminKey)
    const records = names.map((name, n) => {
      const severity = name.startsWith('left') ? 'CRITICAL' : n % 2 ? 'MODERATE' : 'LOW'
      return recordAgainst(`GHSA-${name}`, 'npm', name, { fixed: '2.0.0', severity, aliases: [`CVE-2026-${1000 + n}`] })
    })
    await publishRecords(app.parts, records, {
      exploited: [{ cve: 'CVE-2026-1000', since: '2026-11-20', due: '2099-12-24' }],
      epss: { 'CVE-2026-1000': 0.94, 'CVE-2026-1001': 0.043 },
    })
    repository.commit(projectOf('shop', names))
    await importAndWait(app, importOf(repository.path))
    // EPSS scores of stored issues arrive in the background.
    await app.parts.matcher.run()
  })
  after(async () => {
    await gui?.close()
    await app?.close()
    repository?.[Symbol.dispose]()
  })

  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: `About ${name}` })

  for (const { name: as, ...profile } of played) {
    test(`triage, ${as}: rows show their reasons; 50 vulnerabilities are ignored and restored in six actions`, async () => {
      await using tab = await gui.open(paths.issues(app.orgId), profile)
      const { page } = tab
      let actions = 0
      const act = async (action: Promise<unknown>) => {
        actions++
        await action
      }
      await rowOf(page, 'gate').waitFor()
      // Exploited outranks severity.
      const [first, second] = (await page.locator('main tbody tr').allTextContents()) as [string, string]
      assert.match(first, /About gate.*Exploited.*due Dec 24.*94%.*/)
      assert.match(second, /About left.*4\.3%/)
      await rowOf(page, 'gate')
        .getByRole('button', { name: /^Risk score/ })
        .focus()
      await page.keyboard.press('Enter')
      await page.getByText('Exploited in the wild').waitFor()
      await look(page, `triage-risk-${as}`)
      await page.keyboard.press('Escape')
      await page.getByText('Exploited in the wild').waitFor({ state: 'detached' })

      await act(page.getByRole('searchbox', { name: 'CVE, package or title' }).fill('legacy'))
      await act(page.getByRole('button', { name: 'Select all 50 matching' }).click())
      await look(page, `triage-selected-${as}`)
      await act(page.getByRole('button', { name: 'Ignore…' }).click())
      const dialog = page.getByRole('dialog', { name: 'Ignore 50 vulnerabilities' })
      await dialog.getByText('All that match: “legacy” · Open.').waitFor()
      await dialog.getByText(/50 vulnerabilities: 50 issues in 1 project/).waitFor()
      await dialog.getByText('and 40 more').waitFor()
      await look(page, `triage-dialog-${as}`)
      await act(dialog.getByLabel('Reason').fill('Used by the build only'))
      await act(dialog.getByRole('button', { name: 'Ignore 50 vulnerabilities' }).click())
      await page.getByText('Ignored 50 vulnerabilities.').waitFor()
      await page.getByText('No issues match these filters').waitFor()
      await look(page, `triage-ignored-${as}`)
      await act(page.getByRole('button', { name: 'Undo' }).click())
      await page.getByText(/^Undone\./).waitFor()
      assert.ok(actions <= 6, `${actions} actions`)
      await page.getByRole('button', { name: 'Select all 50 matching' }).waitFor()
      assert.deepEqual(tab.complaints, [])
    })

    test(`rules, ${as}: a rule that hides a finding now also hides it in a project imported later`, async () => {
      const place = { kind: 'orgs', id: app.orgId } as const
      const name = `left-${as}`
      await using tab = await gui.open(paths.newRule(place), profile)
      const { page } = tab
      await page.getByLabel('Package', { exact: true }).and(page.locator('input')).fill(name)
      await page.getByRole('option', { name: `npm/${name}` }).click()
      await page.getByText(/1 vulnerability: 1 issue in 1 project/).waitFor()
      await page.getByText('including 1 critical').waitFor()
      await page.getByLabel('Name').fill(`Left ${as}`)
      await page.getByLabel('Reason').fill('Only reads our own files')
      await look(page, `rule-new-${as}`)
      await page.getByRole('button', { name: 'Create rule' }).click()
      const row = page.getByRole('row').filter({ hasText: `Left ${as}` })
      await row.getByText(/Hides 1 issue in 1 project/).waitFor()
      await look(page, `ignores-${as}`)

      repository.commit([...projectOf('shop', names), ...projectOf(`later-${as}`, [name])])
      await importAndWait(app, importOf(repository.path))
      await page.reload()
      await row.getByText(/Hides 2 issues in 2 projects/).waitFor()
      assert.deepEqual(tab.complaints, [])
    })
  }

  test('triage: selection and preview are accessible', async () => {
    await using tab = await gui.open(`${paths.issues(app.orgId)}?q=legacy`)
    const { page } = tab
    await page.getByRole('button', { name: 'Select all 50 matching' }).click()
    await audit(page, 'issues-selected')
    await page.getByRole('button', { name: 'Ignore…' }).click()
    await page.getByRole('dialog').getByText('and 40 more').waitFor()
    await audit(page, 'issues-dialog')
    assert.deepEqual(tab.complaints, [])
  })
})
