import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createAccount, ofOrg } from '#test/access/accounts.ts'
import { audit } from '#test/browser/accessibility.ts'
import { skipWithoutBrowser } from '#test/browser/browser.ts'
import { buildConsole, type Console, openConsole } from '#test/browser/console.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { type BareRepository, bareRepository } from '#test/repositories/git-repository.ts'
import { type ImportApp, importAndWait, importOf, npmProject, startImportApp } from '#test/repositories/imports.ts'
import { listenAnywhere } from '#test/servers/listening.ts'

describe('the overview of the console', { skip: skipWithoutBrowser }, () => {
  let app: ImportApp
  let gui: Console
  let repository: BareRepository
  before(async () => {
    buildConsole()
    repository = bareRepository()
    app = await startImportApp('sqlite', { GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1' })
    gui = await openConsole(await listenAnywhere(app), app.adminKey)
  })
  after(async () => {
    await gui?.close()
    await app?.close()
    repository?.[Symbol.dispose]()
  })

  const card = (page: Page, title: RegExp) =>
    page
      .getByRole('region', { name: 'Open work' })
      .locator('.mantine-Paper-root')
      .filter({ has: page.getByRole('heading', { name: title, level: 2 }) })

  test('the overview of an empty organization shows that there is nothing to do', async () => {
    await using tab = await gui.open('/')
    const { page } = tab
    for (const [title, words] of [
      [/^Failed imports/, 'None'],
      [/^Ignores/, 'None'],
      [/^Secrets/, 'None'],
    ] as const) {
      await card(page, title).getByText(words, { exact: true }).waitFor()
    }
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor()
    assert.deepEqual(tab.complaints, [])
  })

  test('the overview lists open work with links', async () => {
    const { orgId } = app
    const { projectId } = await recordProject(app, {
      name: 'team/shop:package.json',
      graph: { shop: ['left@1.0.0'], 'left@1.0.0': [] },
      issues: [
        { id: 'GHSA-aaaa-bbbb-cccc', in: 'left@1.0.0', severity: 'critical' },
        { id: 'GHSA-dddd-eeee-ffff', in: 'left@1.0.0', severity: 'low' },
      ],
    })
    const body = { reason: 'gone', reasonType: 'wont-fix', disregardIfFixable: false }
    await app.call('POST', `/v1/org/${orgId}/project/${projectId}/ignore/GHSA-gone-gone-gone`, { body })
    repository.commit([...npmProject(''), { path: 'broken/package.json', content: '{' }])
    await importAndWait(app, importOf(repository.path))
    await importAndWait(app, importOf(repository.path))
    const { data } = (await app.call('GET', `/rest/orgs/${orgId}/imports`)).json()
    // The second import failed.
    const failed = { state: 'failed' }
    await app.parts.services.db.updateTable('imports').set(failed).where('id', '=', data[0].id).execute()
    const { id } = await createAccount(app, ofOrg.path(app), { auth_type: 'oauth_client_secret', name: 'build server' })
    const replace = { data: { type: 'service_account', attributes: { mode: 'replace', grace_seconds: 3600 } } }
    const { statusCode } = await app.call('POST', `${ofOrg.path(app)}/${id}/secrets`, { body: replace })
    assert.equal(statusCode, 200)

    await using tab = await gui.open('/')
    const { page } = tab
    const open = page.getByRole('region', { name: 'Open issues', exact: true })
    await open.getByRole('link').first().waitFor()
    const [total, ...bySeverity] = (await open.getByRole('link').allTextContents()).map(Number)
    assert.equal(
      total,
      bySeverity.reduce((sum, count) => sum + count, 0),
    )
    assert.deepEqual([bySeverity[0], bySeverity.at(-1)], [1, 1])
    await card(page, /^Failed imports/)
      .getByRole('link', { name: '1', exact: true })
      .waitFor()
    await card(page, /^Failed imports/)
      .getByRole('link', { name: '1 with manifests that failed' })
      .waitFor()
    await card(page, /^Ignores/)
      .getByRole('link', { name: '1' })
      .waitFor()
    assert.match(
      (await card(page, /^Secrets/)
        .getByRole('listitem')
        .textContent())!,
      /^build server .+ ends in .+ minutes/,
    )
    await audit(page, 'overview-with-all')

    const follow = async (title: RegExp, heading: string) => {
      await card(page, title).getByRole('link').first().click()
      await page.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor()
    }
    await open.getByRole('link').nth(1).click()
    const issues = page.getByRole('table', { name: 'Issues' })
    await issues.getByText('GHSA-aaaa-bbbb-cccc', { exact: true }).waitFor()
    assert.equal(await issues.getByRole('row').count(), 2)
    await page.goBack()
    await follow(/^Failed imports/, 'Imports')
    await page.getByRole('table', { name: 'Imports' }).getByText('failed', { exact: true }).waitFor()
    await page.goBack()
    await follow(/^Ignores/, 'Ignores')
    await page.getByRole('table', { name: 'Ignores' }).getByText('GHSA-gone-gone-gone').waitFor()
    await page.goBack()
    await follow(/^Secrets/, 'build server')

    // More than one page.
    const { db } = app.parts.services
    const row = await db.selectFrom('imports').selectAll().where('id', '=', data[0].id).executeTakeFirstOrThrow()
    for (let more = 0; more < 101; more++) {
      await db
        .insertInto('imports')
        .values({ ...row, id: randomUUID(), created_at: Date.now() })
        .execute()
    }
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.reload()
    await card(page, /^Failed imports/)
      .getByRole('link', { name: '102', exact: true })
      .waitFor()
    await page.getByRole('navigation', { name: 'Console' }).getByText('102 failed').waitFor()
    assert.deepEqual(tab.complaints, [])
  })

  test('the overview shows as unknown what the key may not read', async () => {
    await using tab = await gui.open('/', { key: await app.keyWith(['org.read']) })
    const { page } = tab
    for (const [title, permission] of [
      [/^Ignores/, 'org.project.ignore.read'],
      [/^Secrets/, 'org.service_account.read'],
    ] as const) {
      await card(page, title).getByText(`Not known:`).waitFor()
      assert.ok((await card(page, title).textContent())!.includes(permission), permission)
    }
    const refused = page.getByRole('alert').filter({ hasText: 'Could not load the totals' })
    assert.match((await refused.textContent())!, /org\.project\.read/)
    assert.deepEqual(tab.complaints, [])
  })

  test('charts work with the content security policy, by keyboard, and as tables', async () => {
    const { now } = app.parts.services
    const of = { name: 'charted', graph: { shop: ['old@1.0.0'], 'old@1.0.0': [] } }
    const issues = [{ id: 'CHART-1', in: 'old@1.0.0', severity: 'high' }] as const
    await recordProject(app, { ...of, issues, at: now() - 40 * 86_400_000 })
    await using tab = await gui.open('/')
    const { page } = tab
    const card = page.getByRole('region', { name: 'Open issues by severity', exact: true })
    const slider = card.getByRole('slider')
    await slider.focus()
    await page.keyboard.press('Home')
    const first = await slider.getAttribute('aria-valuetext')
    await page.keyboard.press('ArrowRight')
    await card.getByText(/high 1/i).waitFor()
    assert.notEqual(await slider.getAttribute('aria-valuetext'), first)
    await audit(page, 'overview-charts')
    await card.getByText('Table', { exact: true }).click()
    const rows = card.getByRole('table').getByRole('row')
    assert.equal(await rows.count(), 42)
    assert.equal(await rows.last().getByRole('cell').nth(2).textContent(), '1')
    await page.getByRole('radiogroup', { name: 'Range of the trends' }).getByText('30 days').click()
    await page.waitForURL(/days=30/)
    await rows.nth(31).waitFor({ state: 'detached' })
    assert.equal(await rows.count(), 31)
    assert.deepEqual(tab.complaints, [])
  })
})
