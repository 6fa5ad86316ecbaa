import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { audit } from '#test/browser/accessibility.ts'
import { skipWithoutBrowser } from '#test/browser/browser.ts'
import { buildConsole, type Console, follow, look, openConsole } from '#test/browser/console.ts'
import { type ProjectInput, recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { listenAnywhere } from '#test/servers/listening.ts'
import { paths } from '../../web/navigation/paths.ts'

const DAY_MS = 86_400_000

/** The starter set of advisories contains it. */
const late = 'GHSA-35jh-r3h4-6jhm'
const punctual = 'GHSA-dddd-eeee-ffff'
const shop = {
  name: 'team/shop:package.json',
  graph: { shop: ['lodash@4.17.20', 'left@1.0.0'], 'lodash@4.17.20': [], 'left@1.0.0': [] },
  issues: [
    { id: late, in: 'lodash@4.17.20', severity: 'high' },
    { id: punctual, in: 'left@1.0.0', severity: 'critical' },
  ],
} satisfies ProjectInput

const screens = [
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 1440, height: 900, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const

describe('owners and due dates in the console', { skip: skipWithoutBrowser }, () => {
  let app: TestApp
  let gui: Console
  before(async () => {
    buildConsole()
    app = await startApp('sqlite')
    gui = await openConsole(await listenAnywhere(app), app.adminKey)
  })
  after(async () => {
    await gui?.close()
    await app?.close()
  })

  for (const { width, height, colorScheme } of screens) {
    const screen = `${width}-${colorScheme}`
    test(`an overdue issue at ${screen}: assigned, discussed, counted in the overview, found by its filter and in the audit log`, async () => {
      const orgId = await app.addOrg()
      const { projectId } = await recordProject(app, { ...shop, orgId, at: Date.now() - 40 * DAY_MS })
      await using tab = await gui.open(paths.orgSettings(orgId), { viewport: { width, height }, colorScheme })
      const { page } = tab
      const see = (name: string) => look(page, `triage-${screen}-${name}`)

      await page.getByLabel('High', { exact: true }).fill('30')
      await page.getByLabel('Critical', { exact: true }).fill('60')
      await page.getByRole('button', { name: 'Save due dates' }).click()
      await page.getByText('Due dates (SLA)').scrollIntoViewIfNeeded()
      await see('1-settings')

      await follow(page, paths.vulnerability(orgId, late))
      await page.getByRole('button', { name: `Paths in ${shop.name}` }).click()
      await page.getByText('Date from the SLA policy.').waitFor()
      await page
        .getByText(/^overdue since/)
        .first()
        .waitFor()
      await page.getByRole('button', { name: 'Assign to me' }).click()
      await page.getByRole('button', { name: 'Assign to me' }).waitFor({ state: 'detached' })
      await comment(page, 'Waiting for the release of the framework next week.')
      await see('2-vulnerability')

      await follow(page, paths.project(orgId, projectId))
      const rows = page.getByRole('table', { name: 'Issues' }).getByRole('row')
      const [lateRow, punctualRow] = [late, punctual].map((id) => rows.filter({ hasText: id }))
      await lateRow!.getByText(/^overdue since/).waitFor()
      await lateRow!.getByText('Administrator').waitFor()
      await punctualRow!.getByText(/^due /).waitFor()
      await see('3-project')

      await follow(page, '/')
      const card = page.getByRole('region', { name: 'Overdue', exact: true })
      await card.getByText('1 due within 7 days').waitFor({ state: 'detached' })
      await see('4-overview')
      await card.getByRole('link', { name: '1 vulnerability' }).click()
      await page.getByText('1 vulnerability ·').waitFor()
      assert.equal(await page.getByText(punctual).count(), 0)
      await see('5-filter')

      await follow(page, `${paths.issues(orgId)}?by=issue`)
      await page
        .getByText(/^overdue since/)
        .first()
        .waitFor()
      await see('6-issues')

      await follow(page, paths.auditLog({ kind: 'orgs', id: orgId }))
      await page.getByText(/commented on/).waitFor()
      await see('7-audit')
      if (screen === '1440-light') await audit(page, 'audit log')
      assert.deepEqual(tab.complaints, [])
    })
  }

  test('owner and due date for a reader: disabled, with the reason', async () => {
    const orgId = await app.addOrg()
    const { projectId } = await recordProject(app, { ...shop, orgId })
    const key = await app.keyWith(['org.read', 'org.project.read', 'org.project.snapshot.read'], { orgId })
    await using tab = await gui.open(`${paths.project(orgId, projectId)}?open=${late} lodash`, { key })
    const { page } = tab
    const panel = page.getByRole('region', { name: 'Owner and due date' })
    await panel.getByText('Read-only:').waitFor()
    for (const field of ['Owner', 'Due date', 'Add a comment']) {
      const input = panel.getByLabel(field, { exact: true }).first()
      assert.ok(await input.isDisabled(), field)
    }
    await look(page, 'triage-reader-wide-light')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await look(page, 'triage-reader-phone-dark')
  })

  async function comment(page: Page, text: string): Promise<void> {
    await page.getByLabel('Add a comment').fill(text)
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByRole('listitem').getByText(text).waitFor()
  }
})
