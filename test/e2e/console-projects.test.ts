import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipWithoutBrowser } from '#test/browser/browser.ts'
import { buildConsole, type Console, follow, look, openConsole } from '#test/browser/console.ts'
import { settle } from '#test/browser/settle.ts'
import { addProjectRow } from '#test/projects/project-rows.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { deep, direct, shop } from '#test/projects/shop-project.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { listenAnywhere } from '#test/servers/listening.ts'
import { paths } from '../../web/navigation/paths.ts'

/** Formats a date-time input value in the browser's time zone. */
function inDays(days: number): string {
  const time = Date.now() + days * 86_400_000
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** A program for the page: the letters of each path that are inside the element that clips its end. */
const visibleEnds = `[...document.querySelectorAll('td [title] > :last-child')].map((end) => {
  const clip = end.parentElement.getBoundingClientRect()
  const range = document.createRange()
  return [...end.textContent].filter((_, at) => {
    range.setStart(end.firstChild, at)
    range.setEnd(end.firstChild, at + 1)
    const letter = range.getBoundingClientRect()
    return letter.left >= clip.left - 1 && letter.right <= clip.right + 1
  }).join('')
})`

describe('projects and ignores in the console', { skip: skipWithoutBrowser }, () => {
  let app: TestApp
  let gui: Console
  let projectId: string
  before(async () => {
    buildConsole()
    app = await startApp('sqlite')
    gui = await openConsole(await listenAnywhere(app), app.adminKey)
    projectId = (await recordProject(app, shop)).projectId
  })
  after(async () => {
    await gui?.close()
    await app?.close()
  })

  const ignore = (issueId: string, body: object) =>
    app.call('POST', `/v1/org/${app.orgId}/project/${projectId}/ignore/${issueId}`, {
      body: { reasonType: 'wont-fix', disregardIfFixable: false, ...body },
    })

  test('a project is found in the list, its issues are ignored and counted again, and it is deleted', async () => {
    const orgId = await app.addOrg()
    const own = await recordProject(app, { ...shop, orgId })
    await using tab = await gui.open(`${paths.projects(orgId)}?view=flat`)
    const { page } = tab
    await findProject(page)
    assert.ok(page.url().includes(paths.project(orgId, own.projectId)))
    await readIssue(page)
    assert.ok(page.url().includes(paths.project(orgId, own.projectId)), 'Back closes the drawer')
    await ignoreOnPaths(page)
    const aggregated = await app.call('POST', `/v1/org/${orgId}/project/${own.projectId}/aggregated-issues`, {
      body: { filters: { ignored: true } },
    })
    assert.equal(aggregated.statusCode, 200)
    assert.deepEqual(
      aggregated.json().issues.map(({ id }: { id: string }) => id),
      [deep],
    )
    await changeIgnores(page)
    await readTests(page)
    await changeSettings(page)
    await page.getByRole('button', { name: 'Delete this project' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor()
    await look(page, 'projects-none')
    assert.deepEqual(tab.complaints, [])
  })

  test('long lists and stale projects fit the screen; turning pages by keyboard keeps the focus', async () => {
    const packages = Array.from({ length: 60 }, (_, n) => `many-${String(n).padStart(4, '0')}@1.0.0`)
    const many = await recordProject(app, {
      name: 'team/many:package.json',
      graph: { many: packages, ...Object.fromEntries(packages.map((label) => [label, []])) },
      issues: packages.map((label, n) => ({ id: `MANY-${n}`, in: label })),
    })
    const stale = await addProjectRow(app, {
      name: 'team/stale alone',
      source_failure: 'The repository does not exist or the credentials may not read it (HTTP 404)',
      source_failed_at: Date.UTC(2026, 4, 3),
      source_read_at: Date.UTC(2026, 4, 2),
    })
    await ignore('GHSA-gone-gone-gone', { reason: 'accepted' })
    await using tab = await gui.open(paths.project(app.orgId, many.projectId))
    const { page } = tab
    const part = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()
    await part('1 to 25 of 60 issues')
    await page.getByRole('navigation', { name: 'Pages of issues' }).getByRole('button', { name: 'Next' }).press('Enter')
    await part('26 to 50 of 60 issues')
    const focused = await page.evaluate('document.activeElement.textContent')
    assert.equal(focused, 'Next', 'who turns pages by keyboard stays where they are')
    await look(page, 'project-many-issues')
    await follow(page, paths.ignores({ kind: 'orgs', id: app.orgId }))
    await page.getByText('no longer has this issue').waitFor()
    await look(page, 'ignores')
    await follow(page, paths.project(app.orgId, stale.id))
    await page.getByText('Its files cannot be read anymore').waitFor()
    await look(page, 'project-stale')
    await follow(page, `${paths.issues(app.orgId)}?by=issue`)
    await page.getByRole('table', { name: 'Issues' }).getByText(`Title of ${direct}`).waitFor()
    await look(page, 'issues')
    assert.deepEqual(tab.complaints, [])
  })

  test('names of repositories and vulnerabilities have room at every width', async () => {
    await using tab = await gui.open(paths.account)
    const { page } = tab
    for (const [list, head] of [
      ['projects', 'Repository and manifest'],
      ['issues', 'Vulnerability'],
    ] as const) {
      // From narrow to wide: what is drawn late has more room, not less.
      await page.setViewportSize({ width: 780, height: 800 })
      await follow(page, paths[list](app.orgId))
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

  test('paths of manifests: their distinct ends are visible where the paths are longer than the column', async () => {
    const orgId = await app.addOrg()
    const ends = ['gate-api/pom.xml', 'gate-core/pom.xml']
    for (const end of ends) {
      const name = `acme/platform:services/acme--platform/plugins/gate-plugin/${end}`
      await addProjectRow(app, { org_id: orgId, name, type: 'maven' })
    }
    await using tab = await gui.open(`${paths.projects(orgId)}?view=flat`)
    const { page } = tab
    await page.getByRole('link', { name: new RegExp(`${ends[1]}$`) }).waitFor()
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 800 })
      const visible = (await page.evaluate(visibleEnds)) as string[]
      for (const end of ends)
        assert.ok(
          visible.some((text) => text.endsWith(end)),
          `${end} of ${visible} on ${width} px`,
        )
    }
    assert.deepEqual(tab.complaints, [])
  })

  test('pages of projects fit a narrow screen in the dark scheme', async () => {
    await ignore(direct, { reason: 'A reason of some length, so that it breaks' })
    await using tab = await gui.open(paths.project(app.orgId, projectId))
    const { page } = tab
    await page.setViewportSize({ width: 320, height: 640 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('[data-mantine-color-scheme=dark]').waitFor()
    await page.getByRole('table', { name: 'Ignored issues' }).getByText('A reason of some').waitFor()
    await look(page, 'project-narrow')
    for (const view of ['ignores', 'coverage', 'history', 'settings']) {
      await page.getByRole('tab', { name: view }).click()
      await settle(page)
      await look(page, `project-${view}-narrow`)
    }
    const org = { kind: 'orgs', id: app.orgId } as const
    const lists = { projects: paths.projects(org.id), issues: paths.issues(org.id), ignores: paths.ignores(org) }
    for (const [list, path] of Object.entries(lists)) {
      await follow(page, path)
      await settle(page)
      await look(page, `${list}-narrow`)
    }
    assert.deepEqual(tab.complaints, [])
  })
})

const issuesOf = (page: Page) => page.getByRole('table', { name: 'Issues', exact: true })

/** Goes from the list of projects to the only one. */
async function findProject(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: `Choose ${shop.name}` }).check()
  await page.getByText('1 project selected').waitFor()
  await look(page, 'projects-chosen')
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await look(page, 'projects-list')
  await page.getByRole('link', { name: shop.name }).click()
  await page.getByRole('heading', { name: shop.name, level: 1 }).waitFor()
}

/** Filters the issues, opens one, and goes back. */
async function readIssue(page: Page): Promise<void> {
  const issue = issuesOf(page).getByRole('button', { name: `Title of ${deep}` })
  await issue.waitFor()
  await page.getByText('Only the starter set of advisories was used').waitFor()
  await look(page, 'project')
  await page.getByRole('button', { name: /critical\s*1/ }).click()
  await issue.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /critical\s*1/ }).click()
  await issue.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Introduced through 2 paths').waitFor()
  await look(page, 'project-issue')
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
}

/** Ignores an issue on one path until a date, then on the others, for which the first pattern is refused. */
async function ignoreOnPaths(page: Page): Promise<void> {
  const issue = issuesOf(page).getByRole('button', { name: `Title of ${deep}` })
  const dialog = page.getByRole('dialog')
  await issue.click()
  await dialog.getByRole('button', { name: 'Ignore…' }).click()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('left is gone next week')
  await dialog.getByRole('radio', { name: 'left > deep' }).check()
  await dialog.getByLabel('End date').fill(inDays(7))
  await look(page, 'project-ignore')
  await dialog.getByRole('button', { name: 'Ignore it' }).click()
  await dialog.getByText('the issue still counts on other paths').waitFor()
  await page.keyboard.press('Escape')
  await issue.waitFor()

  await issue.click()
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
  await issue.waitFor({ state: 'detached' })
  await look(page, 'project-ignored')
}

/** Edits one ignore and deletes the other, after which the issue is open again. */
async function changeIgnores(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
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
  await dialog.getByRole('button', { name: 'Delete ignore' }).click()
  await list.getByRole('button', { name: `Delete the ignore of ${deep} on left > deep` }).waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'Issues' }).click()
  await issuesOf(page)
    .getByRole('button', { name: `Title of ${deep}` })
    .waitFor()
}

/** Looks at the coverage and the history of the project's tests. */
async function readTests(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Coverage' }).click()
  await page.getByRole('region', { name: 'Coverage' }).waitFor()
  await look(page, 'project-coverage')
  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByRole('table', { name: 'Tests' }).getByText('API client').waitFor()
  await look(page, 'project-history')
}

/** Labels and tags the project, and stops testing it. */
async function changeSettings(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('checkbox', { name: 'Back end' }).check()
  await page.getByRole('button', { name: 'Save labels' }).click()
  await page.getByRole('region', { name: 'About' }).getByText('Back end').waitFor()
  const tags = page.getByRole('region', { name: 'Tags' })
  await tags.getByRole('textbox', { name: 'Key' }).fill('cost-center')
  await tags.getByRole('textbox', { name: 'Value' }).fill('4711')
  await page.keyboard.press('Enter')
  await tags.getByRole('button', { name: 'Remove tag cost-center: 4711' }).waitFor()
  await look(page, 'project-labels')
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await page.getByText('Not watched').waitFor()
  await look(page, 'project-settings')
}
