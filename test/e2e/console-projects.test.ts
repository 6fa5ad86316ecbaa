import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipWithoutBrowser } from '#test/browser/browser.ts'
import { buildConsole, type Console, look, openConsole } from '#test/browser/console.ts'
import { addProjectRow } from '#test/projects/project-rows.ts'
import { type ProjectInput, recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { listenAnywhere } from '#test/servers/listening.ts'

const deep = 'GHSA-aaaa-bbbb-cccc'
const direct = 'GHSA-dddd-eeee-ffff'

/** `deep` has two dependency paths, `direct` has one that can be upgraded. */
const shop: ProjectInput = {
  name: 'team/shop:package.json',
  graph: {
    shop: ['left@1.0.0', 'right@2.0.0'],
    'left@1.0.0': ['deep@3.0.0'],
    'right@2.0.0': ['deep@3.0.0'],
    'deep@3.0.0': [],
  },
  issues: [
    { id: deep, in: 'deep@3.0.0', severity: 'high' },
    { id: direct, in: 'left@1.0.0', severity: 'critical', upgradable: ['left@1.0.0'] },
  ],
}

/** Formats a date-time input value in the browser's time zone. */
function inDays(days: number): string {
  const time = Date.now() + days * 86_400_000
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

describe('projects and ignores in the console', { skip: skipWithoutBrowser }, () => {
  let app: TestApp
  let baseUrl: string
  let gui: Console
  let projectId: string
  before(async () => {
    buildConsole()
    app = await startApp('sqlite')
    baseUrl = await listenAnywhere(app)
    gui = await openConsole(baseUrl, app.adminKey)
    projectId = (await recordProject(app, shop)).projectId
  })
  after(async () => {
    await gui?.close()
    await app?.close()
  })

  const projectPath = () => `/orgs/${app.orgId}/projects/${projectId}`

  test('an organization without projects shows how to import one', async () => {
    const orgId = await app.addOrg()
    await using tab = await gui.open(`/orgs/${orgId}/projects?view=flat`)
    await tab.page.getByRole('heading', { name: 'No projects yet' }).waitFor()
    await look(tab.page, 'projects-none')
    assert.equal(
      await tab.page.getByRole('link', { name: 'Import repository' }).getAttribute('href'),
      `/console/orgs/${orgId}/imports/new`,
    )
    assert.deepEqual(tab.complaints, [])
  })

  test('a project with unreadable files shows the error, since when, and the time of its results', async () => {
    const { id } = await addProjectRow(app, {
      name: 'team/stale alone',
      source_failure: 'The repository does not exist or the credentials may not read it (HTTP 404)',
      source_failed_at: Date.UTC(2026, 4, 3),
      source_read_at: Date.UTC(2026, 4, 2),
    })
    await using tab = await gui.open(`/orgs/${app.orgId}/projects/${id}`)
    const alert = tab.page.getByRole('status').filter({ hasText: 'Its files cannot be read anymore' })
    await alert.waitFor()
    await look(tab.page, 'project-stale')
    assert.match((await alert.textContent())!, /The repository does not exist.*HTTP 404/)
    const times = await alert.locator('time').evaluateAll((all) => all.map((each) => each.getAttribute('datetime')))
    assert.deepEqual(times, ['2026-05-03T00:00:00.000Z', '2026-05-02T00:00:00.000Z'])
    assert.deepEqual(tab.complaints, [])
    await app.parts.services.db.deleteFrom('projects').where('id', '=', id).execute()
  })

  test('projects are paged, filtered and sorted by address', async () => {
    const orgId = await app.addOrg()
    for (let at = 0; at < 23; at++) {
      const number = String(at).padStart(2, '0')
      const project = at === 0 ? { graph: { shop: ['clean@1.0.0'], 'clean@1.0.0': [] } } : shop
      await recordProject(app, { ...project, orgId, name: `team/app-${number}` })
    }
    await addProjectRow(app, { org_id: orgId, name: 'team/old', status: 'inactive', type: 'pip' })
    await addProjectRow(app, { org_id: orgId, name: 'team/broken', failure: 'The lockfile is not JSON' })
    await addProjectRow(app, {
      org_id: orgId,
      name: 'team/stale',
      tested_at: Date.now(),
      source_failure: 'The repository does not exist or the credentials may not read it (HTTP 404)',
      source_failed_at: Date.now() - 3 * 86_400_000,
      source_read_at: Date.now() - 4 * 86_400_000,
    })
    await using tab = await gui.open(`/orgs/${orgId}/projects?view=flat`)
    const { page } = tab
    const table = page.getByRole('table', { name: 'Projects' })
    const rows = table.getByRole('row')
    await table.getByRole('link', { name: 'team/app-00' }).waitFor()
    assert.match((await rows.nth(1).textContent())!, /team\/app-00.*none/)
    assert.match((await rows.nth(2).textContent())!, /team\/app-01.*1 critical1 high.*active/)
    await look(page, 'projects-list')
    await page.getByRole('button', { name: 'Next' }).click()
    await table.getByText('inactive').waitFor()
    await table.getByText('failing').waitFor()
    assert.match((await table.textContent())!, /team\/broken.*not yet/)
    assert.match((await table.textContent())!, /team\/stale.*files 4 days ago.*out of date/)
    await page.goBack()
    await table.getByRole('link', { name: 'team/app-00' }).waitFor()

    const filters = page.getByRole('form', { name: 'Filters' })
    await filters.getByRole('combobox', { name: 'Order' }).selectOption({ label: 'Name, Z to A' })
    await filters.getByRole('textbox', { name: 'Name contains' }).fill('APP-1')
    await page.keyboard.press('Enter')
    await table.getByRole('link', { name: 'team/app-19' }).waitFor()
    await table.getByRole('link', { name: 'team/app-00' }).waitFor({ state: 'detached' })
    assert.match(page.url(), /name=APP-1.*sort=-name|sort=-name.*name=APP-1/)
    assert.match((await rows.nth(1).textContent())!, /app-19/)
    await page.getByRole('button', { name: 'Clear' }).click()
    await table.getByRole('link', { name: 'team/old' }).waitFor()
    await filters.getByRole('combobox', { name: 'Status' }).selectOption('inactive')
    await filters.getByRole('combobox', { name: 'Type' }).selectOption('npm')
    await page.keyboard.press('Tab')
    await filters.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('heading', { name: 'No matching projects' }).waitFor()
    assert.deepEqual(tab.complaints, [])
  })

  test('selected projects are deleted together; a missing permission is reported', async () => {
    const orgId = await app.addOrg()
    for (const name of ['team/one', 'team/two', 'team/three']) await recordProject(app, { ...shop, orgId, name })
    const choose = (page: Page, name: string) => page.getByRole('checkbox', { name: `Choose ${name}` }).check()
    const dialog = (page: Page) => page.getByRole('dialog')

    const key = await app.keyWith(['org.read', 'org.project.read'], { orgId })
    await using looking = await gui.open(`/orgs/${orgId}/projects?view=flat`, { key })
    await choose(looking.page, 'team/one')
    await looking.page.getByRole('button', { name: 'Delete 1 project' }).click()
    await dialog(looking.page).getByRole('button', { name: 'Delete' }).click()
    assert.match((await looking.page.getByRole('alert').textContent())!, /org\.project\.delete/)

    await using tab = await gui.open(`/orgs/${orgId}/projects?view=flat`)
    const { page } = tab
    const table = page.getByRole('table', { name: 'Projects' })
    await choose(page, 'team/one')
    await choose(page, 'team/two')
    await page.getByText('2 projects chosen').waitFor()
    await look(page, 'projects-chosen')
    await page.getByRole('button', { name: 'Delete 2 projects' }).press('Enter')
    await dialog(page).getByRole('button', { name: 'Delete' }).press('Enter')
    await table.getByRole('link', { name: 'team/one' }).waitFor({ state: 'detached' })
    await dialog(page).waitFor({ state: 'detached' })
    await table.getByRole('link', { name: 'team/three' }).waitFor()
    assert.equal(await table.getByRole('row').count(), 2)
    await choose(page, 'team/three')
    await page.getByRole('button', { name: 'Choose none' }).press('Enter')
    await page.getByRole('region', { name: 'Chosen projects' }).waitFor({ state: 'detached' })
    const { data } = (await app.call('GET', `/rest/orgs/${orgId}/projects`)).json()
    assert.deepEqual(
      data.map(({ attributes }: { attributes: { name: string } }) => attributes.name),
      ['team/three'],
    )
    assert.deepEqual(tab.complaints, [])
  })

  test('deleting all projects of a page leads to the first page; an empty page offers it', async () => {
    const orgId = await app.addOrg()
    const number = (at: number) => String(at).padStart(2, '0')
    for (let at = 0; at < 22; at++) await addProjectRow(app, { org_id: orgId, name: `team/app-${number(at)}` })
    await using tab = await gui.open(`/orgs/${orgId}/projects?sort=name`)
    const { page } = tab
    const rows = page.getByRole('table', { name: 'Projects' }).getByRole('row')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('checkbox', { name: 'Choose team/app-20' }).check()
    const second = page.url()
    await page.getByRole('button', { name: 'Select all on this page' }).click()
    await page.getByRole('button', { name: 'Delete 2 projects' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('link', { name: 'team/app-00' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(await rows.count(), 21)
    await page.goto(second)
    await page.getByRole('heading', { name: 'This page is empty' }).waitFor()
    await page.getByRole('button', { name: 'Go to first page' }).press('Enter')
    await page.getByRole('link', { name: 'team/app-00' }).waitFor()
    assert.deepEqual(tab.complaints, [])
  })

  test('ignoring the last issue of the selected severity shows "No matching issues"; the filter shows others', async () => {
    const orgId = await app.addOrg()
    const names = Array.from({ length: 28 }, (_, n) => `last-${String(n).padStart(2, '0')}@1.0.0`)
    const severityOf = (n: number) => (n === 0 ? 'low' : n === 1 ? 'medium' : 'high')
    const { projectId: id } = await recordProject(app, {
      orgId,
      name: 'team/last:package.json',
      graph: { last: names, ...Object.fromEntries(names.map((each) => [each, []])) },
      issues: names.map((each, n) => ({ id: `LAST-${n}`, in: each, severity: severityOf(n) })),
    })
    const body = { reasonType: 'wont-fix', disregardIfFixable: false }
    for (let n = 2; n < names.length; n++) {
      await app.call('POST', `/v1/org/${orgId}/project/${id}/ignore/LAST-${n}`, { body })
    }
    await using tab = await gui.open(`/orgs/${orgId}/projects/${id}`)
    const { page } = tab
    const low = page.getByRole('button', { name: /^low/i })
    await low.click()
    const issues = page.getByRole('table', { name: 'Issues', exact: true })
    await issues.getByRole('button', { name: 'Title of LAST-1' }).waitFor({ state: 'detached' })
    await issues.getByRole('button', { name: 'Title of LAST-0' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Ignore…' }).click()
    await dialog.getByRole('radio', { name: 'Will not be fixed' }).check()
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('the last of them')
    await dialog.getByRole('button', { name: 'Ignore it' }).click()
    // The list of ignored issues begins with worse ones, so that the issue is not visible there.
    await dialog.getByText('Ignore saved.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'No matching issues' }).waitFor()
    await low.press('Enter')
    await issues.getByRole('button', { name: 'Title of LAST-1' }).waitFor()
    assert.deepEqual(tab.complaints, [])
  })

  test('a project shows its issues, their paths, and what was not tested', async () => {
    await using tab = await gui.open(projectPath())
    const { page } = tab
    await page.getByRole('heading', { name: 'team/shop:package.json', level: 1 }).waitFor()
    const issues = page.getByRole('table', { name: 'Issues', exact: true })
    await issues.getByRole('button', { name: `Title of ${deep}` }).waitFor()
    await page.getByText('Only the starter set of advisories was used').waitFor()
    await look(page, 'project')
    await page.getByRole('button', { name: /critical\s*1/ }).click()
    await issues.getByRole('button', { name: `Title of ${deep}` }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /critical\s*1/ }).click()

    await issues.getByRole('button', { name: `Title of ${deep}` }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Introduced through: 2 ways').waitFor()
    assert.match((await dialog.textContent())!, /left@1\.0\.0 › deep@3\.0\.0.*right@2\.0\.0 › deep@3\.0\.0/)
    await look(page, 'project-issue')
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    assert.ok(page.url().includes(projectPath()), 'Back closes the drawer')
    await issues.getByRole('button', { name: `Title of ${deep}` }).press('Enter')
    await dialog.getByText('Introduced through: 2 ways').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('tab', { name: 'Coverage' }).click()
    const coverage = page.getByRole('region', { name: 'Coverage' })
    assert.match((await coverage.textContent())!, /starter set[\s\S]*3 of 3 resolved and tested/)
    await look(page, 'project-coverage')
    await page.getByRole('tab', { name: 'History' }).click()
    const tests = page.getByRole('table', { name: 'Tests' })
    await tests.getByText('API client').waitFor()
    assert.match((await tests.textContent())!, /1 critical1 high/)
    await look(page, 'project-history')
    assert.deepEqual(tab.complaints, [])
  })

  test('a project with thousands of issues shows them page by page, by keyboard and by address', async () => {
    const packages = Array.from({ length: 2000 }, (_, n) => `many-${String(n).padStart(4, '0')}@1.0.0`)
    const severities = ['low', 'medium', 'high', 'critical'] as const
    const many = await recordProject(app, {
      name: 'team/many:package.json',
      graph: { many: packages, ...Object.fromEntries(packages.map((each) => [each, []])) },
      issues: packages.map((each, n) => ({ id: `MANY-${n}`, in: each, severity: severities[n % 4]! })),
    })
    await using tab = await gui.open(`/orgs/${app.orgId}/projects/${many.projectId}`)
    const { page } = tab
    const issues = page.getByRole('table', { name: 'Issues', exact: true })
    const rows = issues.getByRole('row')
    const part = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()
    const pager = page.getByRole('navigation', { name: 'Pages of issues' })
    await part('1 to 25 of 2,000 issues')
    assert.equal(await rows.count(), 26)
    for (const severity of severities)
      await page.getByRole('button', { name: new RegExp(`${severity} ?500`, 'i') }).waitFor()
    await pager.getByRole('button', { name: 'Next' }).press('Enter')
    await part('26 to 50 of 2,000 issues')
    assert.match(page.url(), /[?&]page=2/)
    const focused = await page.evaluate('document.activeElement.textContent')
    assert.equal(focused, 'Next', 'who turns pages by keyboard stays where they are')
    await page.goBack()
    await part('1 to 25 of 2,000 issues')
    await page.getByRole('button', { name: /low ?500/i }).press('Enter')
    await part('1 to 25 of 500 issues')
    await page.goto(`${page.url()}&page=20`)
    await part('476 to 500 of 500 issues')
    assert.equal(await pager.getByRole('button', { name: 'Next' }).isDisabled(), true)
    await look(page, 'project-many-issues')
    await rows.nth(25).getByRole('button').click()
    await page.getByRole('dialog').getByText('Introduced through').waitFor()
    assert.deepEqual(tab.complaints, [])
  })

  test('an issue is ignored on a path until a date; the ignore is changed and deleted', async () => {
    await using tab = await gui.open(projectPath())
    const { page } = tab
    const issues = page.getByRole('table', { name: 'Issues', exact: true })
    const dialog = page.getByRole('dialog')
    await issues.getByRole('button', { name: `Title of ${deep}` }).click()
    await dialog.getByRole('button', { name: 'Ignore…' }).click()
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('left is gone next week')
    await dialog.getByRole('radio', { name: 'left > deep' }).check()
    await dialog.getByLabel('End date').fill(inDays(7))
    await look(page, 'project-ignore')
    await dialog.getByRole('button', { name: 'Ignore it' }).click()
    await dialog.getByText('the issue still counts on other paths').waitFor()
    await page.keyboard.press('Escape')
    await issues.getByRole('button', { name: `Title of ${deep}` }).waitFor()

    await issues.getByRole('button', { name: `Title of ${deep}` }).click()
    await dialog.getByRole('button', { name: 'Ignore…' }).click()
    await dialog.getByRole('radio', { name: 'Not vulnerable' }).check()
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('we never call it')
    await dialog.getByRole('radio', { name: 'Paths that match a pattern' }).check()
    await dialog.getByRole('textbox', { name: 'Pattern' }).fill('right >')
    await dialog.getByRole('button', { name: 'Ignore it' }).click()
    await dialog.getByRole('alert').waitFor()
    await look(page, 'project-ignore-refused')
    await dialog.getByRole('textbox', { name: 'Pattern' }).fill('right > *')
    await dialog.getByRole('button', { name: 'Ignore it' }).click()
    await dialog.getByText('Issue ignored.').waitFor()
    await page.keyboard.press('Escape')

    const ignored = page.getByRole('table', { name: 'Ignored issues' })
    await ignored.getByText('we never call it').waitFor()
    const words = (await ignored.textContent())!
    assert.match(words, /left is gone next week/)
    assert.match(words, /Administrator/)
    assert.match(words, /Ends in [67] days/)
    assert.match(words, /No end/)
    await issues.getByRole('button', { name: `Title of ${deep}` }).waitFor({ state: 'detached' })
    await look(page, 'project-ignored')
    const aggregated = await app.call('POST', `/v1/org/${app.orgId}/project/${projectId}/aggregated-issues`, {
      body: { filters: { ignored: true } },
    })
    assert.equal(aggregated.statusCode, 200)
    assert.deepEqual(
      aggregated.json().issues.map(({ id }: { id: string }) => id),
      [deep],
    )

    await page.getByRole('tab', { name: 'Ignores' }).click()
    const list = page.getByRole('table', { name: 'Ignores' })
    await list.getByRole('button', { name: `Edit the ignore of ${deep} on right > *` }).click()
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('we stopped calling it')
    await dialog.getByRole('switch', { name: 'Only while no fix exists' }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await list.getByText('only while no fix exists').waitFor()
    assert.match((await list.textContent())!, /we stopped calling it/)
    await look(page, 'project-ignores')
    await list.getByRole('button', { name: `Delete the ignore of ${deep} on left > deep` }).click()
    await dialog.getByRole('button', { name: 'End it' }).click()
    await list
      .getByRole('button', { name: `Delete the ignore of ${deep} on left > deep` })
      .waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Issues' }).click()
    await issues.getByRole('button', { name: `Title of ${deep}` }).waitFor()
    assert.deepEqual(tab.complaints, [])
  })

  test('ignores of all projects are listed with the reason why some have no effect', async () => {
    const orgId = await app.addOrg()
    const project = await recordProject(app, { ...shop, orgId })
    const ignore = (issueId: string, body: object) =>
      app.call('POST', `/v1/org/${orgId}/project/${project.projectId}/ignore/${issueId}`, {
        body: { reasonType: 'wont-fix', disregardIfFixable: false, ...body },
      })
    await ignore(deep, { reason: 'accepted' })
    await ignore(deep, { ignorePath: 'gone > deep' })
    await ignore(direct, { disregardIfFixable: true })
    await ignore('GHSA-gone-gone-gone', {})
    await ignore(direct, { ignorePath: 'left', expires: '2020-01-01' })
    await using tab = await gui.open(`/orgs/${orgId}/ignores`)
    const { page } = tab
    const list = page.getByRole('table', { name: 'Ignores' })
    await list.getByText('accepted').waitFor()
    const words = (await list.textContent())!
    for (const each of [
      /in effect/,
      /No path to the issue matches/,
      /no longer has this issue/,
      /ended/,
      /A fix exists/,
    ]) {
      assert.match(words, each)
    }
    await look(page, 'ignores')
    await page.getByRole('combobox', { name: 'Show' }).selectOption({ label: 'Without effect' })
    await list.getByText('accepted').waitFor({ state: 'detached' })
    assert.equal(await list.getByRole('row').count(), 5)
    await list.getByRole('link', { name: shop.name! }).first().click()
    await page.getByRole('heading', { name: shop.name!, level: 1 }).waitFor()
    assert.deepEqual(tab.complaints, [])
  })

  test('issues of all projects are listed, filtered, and link to their projects', async () => {
    const orgId = await app.addOrg()
    const project = await recordProject(app, { ...shop, orgId })
    await recordProject(app, { ...shop, orgId, name: 'team/other:package.json' })
    const body = { reasonType: 'wont-fix', disregardIfFixable: false, reason: 'accepted here' }
    await app.call('POST', `/v1/org/${orgId}/project/${project.projectId}/ignore/${direct}`, { body })
    await using tab = await gui.open(`/orgs/${orgId}/issues?by=issue`)
    const { page } = tab
    const issues = page.getByRole('table', { name: 'Issues' })
    await issues.getByText('accepted here (Administrator)').waitFor()
    assert.equal(await issues.getByRole('row').count(), 5)
    assert.match((await issues.getByRole('row').nth(1).textContent())!, /critical.*left@1\.0\.0/)
    await look(page, 'issues')
    const filters = page.getByRole('form', { name: 'Filters' })
    await filters.getByRole('combobox', { name: 'State' }).selectOption('false')
    await filters.getByRole('textbox', { name: 'Package' }).fill('left')
    await page.keyboard.press('Enter')
    await issues.getByText('accepted here').waitFor({ state: 'detached' })
    assert.equal(await issues.getByRole('row').count(), 2)
    await issues.getByRole('link', { name: 'team/other:package.json' }).click()
    await page.getByRole('heading', { name: 'team/other:package.json', level: 1 }).waitFor()
    assert.deepEqual(tab.complaints, [])
  })

  test('a project is tested less often, deactivated and deleted', async () => {
    const orgId = await app.addOrg()
    const project = await recordProject(app, { ...shop, orgId })
    await using tab = await gui.open(`/orgs/${orgId}/projects/${project.projectId}?view=settings`)
    const { page } = tab
    await page.getByRole('combobox', { name: 'Tested again' }).selectOption({ label: 'Every week' })
    await page.getByRole('region', { name: 'About' }).getByText('every week').waitFor()
    await page.getByRole('button', { name: 'Deactivate' }).click()
    await page.getByText('Not watched').waitFor()
    await look(page, 'project-settings')
    await page.getByRole('button', { name: 'Activate' }).click()
    await page.getByText('Not watched').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete this project' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor()
    const gone = await app.call('GET', `/rest/orgs/${orgId}/projects/${project.projectId}`)
    assert.equal(gone.statusCode, 404)
    assert.deepEqual(tab.complaints, [])
  })

  test('a project is labeled and tagged; a refused change is undone and names the missing permission', async () => {
    const orgId = await app.addOrg()
    const { projectId: id } = await recordProject(app, { ...shop, orgId })
    const path = `/orgs/${orgId}/projects/${id}?view=settings`
    await using tab = await gui.open(path)
    const { page } = tab
    const about = page.getByRole('region', { name: 'About' })
    const labels = page.getByRole('region', { name: 'Labels' })
    const save = labels.getByRole('button', { name: 'Save labels' })
    const group = (name: string) => labels.getByRole('group', { name })
    await group('Business criticality').getByRole('checkbox', { name: 'High' }).check()
    await group('Environment').getByRole('checkbox', { name: 'Back end' }).check()
    await group('Lifecycle').getByRole('checkbox', { name: 'Production' }).check()
    await save.click()
    await about.getByText('Back end').waitFor()
    await save.and(page.locator('[data-loading]')).waitFor({ state: 'detached' })
    await group('Environment').getByRole('checkbox', { name: 'Back end' }).uncheck()
    await save.click()
    await about.getByText('Back end').waitFor({ state: 'detached' })

    const tags = page.getByRole('region', { name: 'Tags' })
    const add = async (key: string, value: string) => {
      await tags.getByRole('textbox', { name: 'Key' }).fill(key)
      await tags.getByRole('textbox', { name: 'Value' }).fill(value)
      await page.keyboard.press('Enter')
    }
    await add('team', 'payments')
    await tags.getByRole('button', { name: 'Remove tag team: payments' }).waitFor()
    await add('team', 'with a space')
    await tags.getByRole('alert').waitFor()
    await add('cost-center', '4711')
    await tags.getByRole('alert').waitFor({ state: 'detached' })
    await look(page, 'project-labels')
    await tags.getByRole('button', { name: 'Remove tag team: payments' }).press('Enter')
    await about.getByText('team: payments').waitFor({ state: 'detached' })
    await about.getByText('cost-center: 4711').waitFor()
    const { attributes } = (await app.call('GET', `/rest/orgs/${orgId}/projects/${id}`)).json().data
    assert.deepEqual(
      [attributes.business_criticality, attributes.environment, attributes.lifecycle, attributes.tags],
      [['high'], [], ['production'], [{ key: 'cost-center', value: '4711' }]],
    )

    const key = await app.keyWith(['org.read', 'org.project.read', 'org.project.snapshot.read'], { orgId })
    await using other = await gui.open(path, { key })
    const at = other.page
    await at.getByRole('button', { name: 'Remove tag cost-center: 4711' }).click()
    assert.match((await at.getByRole('alert').textContent())!, /org\.project\.tag\.edit/)
    await at.getByRole('checkbox', { name: 'Sandbox' }).check()
    await at.getByRole('button', { name: 'Save labels' }).click()
    const alert = at.getByRole('region', { name: 'Labels' }).getByRole('alert')
    assert.match((await alert.textContent())!, /org\.project\.attributes\.edit/)
    await at.getByRole('button', { name: 'Remove tag cost-center: 4711' }).waitFor()
    assert.deepEqual([...tab.complaints, ...other.complaints], [])
  })

  test('read-only access: missing permissions are named', async () => {
    const key = await app.keyWith(['org.read', 'org.project.read', 'org.project.snapshot.read'])
    await using tab = await gui.open(projectPath(), { key })
    const { page } = tab
    await page.getByRole('button', { name: `Title of ${direct}` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Ignore…' }).click()
    await dialog.getByRole('radio', { name: 'Will not be fixed' }).check()
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('I would like to')
    await dialog.getByRole('button', { name: 'Ignore it' }).click()
    assert.match((await dialog.getByRole('alert').textContent())!, /org\.project\.ignore/)
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Ignores' }).click()
    assert.match((await page.getByRole('alert').textContent())!, /org\.project\.ignore\.read/)
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Deactivate' }).click()
    assert.match((await page.getByRole('alert').textContent())!, /org\.project\.status/)
    assert.deepEqual(tab.complaints, [])
  })

  test('a missing project, or one of another organization, is not found', async () => {
    const other = await app.addOrg()
    await using tab = await gui.open(`/orgs/${other}/projects/${projectId}`)
    assert.match((await tab.page.getByRole('alert').textContent())!, /not found/)
    assert.deepEqual(tab.complaints, [])
  })

  test('names of repositories and vulnerabilities have room at every width', async () => {
    await using tab = await gui.open(`/orgs/${app.orgId}/projects`, { viewport: { width: 780, height: 800 } })
    const { page } = tab
    for (const [list, head] of [
      ['projects', 'Repository and manifest'],
      ['issues', 'Vulnerability'],
    ] as const) {
      // From narrow to wide: what is drawn late has more room, not less.
      await page.setViewportSize({ width: 780, height: 800 })
      await page.goto(`${baseUrl}/console/orgs/${app.orgId}/${list}`)
      const name = page.getByRole('columnheader', { name: head })
      await name.waitFor()
      for (const width of [780, 1024, 1040, 1200, 1280, 1366, 1420]) {
        await page.setViewportSize({ width, height: 800 })
        const { width: room } = (await name.boundingBox())!
        assert.ok(room >= 140, `names of ${list} have ${room} px on a screen of ${width}`)
      }
    }
    assert.deepEqual(tab.complaints, [])
  })

  test('pages of projects fit a narrow screen in the dark scheme', async () => {
    await app.call('POST', `/v1/org/${app.orgId}/project/${projectId}/ignore/${direct}`, {
      body: { reasonType: 'wont-fix', disregardIfFixable: false, reason: 'A reason of some length, so that it breaks' },
    })
    await using tab = await gui.open(projectPath(), { viewport: { width: 320, height: 640 }, colorScheme: 'dark' })
    const { page } = tab
    await page.getByRole('table', { name: 'Ignored issues' }).getByText('A reason of some').waitFor()
    await look(page, 'project-narrow')
    for (const view of ['ignores', 'coverage', 'history', 'settings']) {
      await page.getByRole('tab', { name: view }).click()
      await page.waitForLoadState('networkidle')
      await look(page, `project-${view}-narrow`)
    }
    for (const list of ['projects', 'issues', 'ignores']) {
      await page.goto(`${baseUrl}/console/orgs/${app.orgId}/${list}`)
      await page.waitForLoadState('networkidle')
      await look(page, `${list}-narrow`)
    }
    assert.deepEqual(tab.complaints, [])
  })
})
