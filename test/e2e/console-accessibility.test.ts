import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createAccount, ofGroup, ofOrg } from '#test/access/accounts.ts'
import { createApp, inGroup, inOrg, install, letIn } from '#test/access/apps.ts'
import { audit, auditPages } from '#test/browser/accessibility.ts'
import { skipWithoutBrowser } from '#test/browser/browser.ts'
import { buildConsole, type Console, follow, openConsole } from '#test/browser/console.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { type BareRepository, bareRepository } from '#test/repositories/git-repository.ts'
import { type ImportApp, importAndWait, importOf, npmProject, startImportApp } from '#test/repositories/imports.ts'
import { listenAnywhere } from '#test/servers/listening.ts'
import { paths } from '../../web/navigation/paths.ts'

const issue = 'GHSA-aaaa-bbbb-cccc'

describe('accessibility of the console', { skip: skipWithoutBrowser }, () => {
  let app: ImportApp
  let baseUrl: string
  let gui: Console
  let repository: BareRepository
  let made: Awaited<ReturnType<typeof fill>>
  before(async () => {
    buildConsole()
    repository = bareRepository()
    app = await startImportApp('sqlite')
    baseUrl = await listenAnywhere(app)
    gui = await openConsole(baseUrl, app.adminKey)
    made = await fill()
  })
  after(async () => {
    await gui?.close()
    await app?.close()
    repository?.[Symbol.dispose]()
  })

  /** Creates one resource for each page. */
  async function fill() {
    const { orgId, groupId } = app
    const call = async (path: string, body?: object) => {
      const answer = await app.call(body === undefined ? 'GET' : 'POST', path, { ...(body && { body }) })
      assert.ok(answer.statusCode < 300, `${path}: ${answer.body}`)
      return answer.json()
    }
    repository.commit([...npmProject(''), ...npmProject('web', 'minimist', '0.0.8')])
    await importAndWait(app, importOf(repository.path))
    const { projectId } = await recordProject(app, {
      name: 'team/shop:package.json',
      graph: { shop: ['left@1.0.0'], 'left@1.0.0': ['deep@3.0.0'], 'deep@3.0.0': [] },
      issues: [
        { id: issue, in: 'deep@3.0.0', severity: 'high' },
        { id: 'GHSA-dddd-eeee-ffff', in: 'left@1.0.0', severity: 'critical', upgradable: ['left@1.0.0'] },
      ],
    })
    const ignore = { reason: 'never called', reasonType: 'wont-fix', disregardIfFixable: false }
    await call(`/v1/org/${orgId}/project/${projectId}/ignore/${issue}`, ignore)
    await call(`/v1/org/${orgId}/project/${projectId}/tags`, { key: 'team', value: 'payments' })
    const conditions = [{ field: 'package', operator: 'includes', value: ['npm/minimist'] }]
    const rule = {
      name: 'Build tools',
      action_type: 'ignore',
      action: { data: { ignore_type: 'wont-fix', reason: 'never deployed' } },
      conditions_group: { logical_operator: 'and', conditions },
    }
    const ruleMade = await call(`/rest/orgs/${orgId}/policies`, { data: { type: 'policy', attributes: rule } })
    const webhook = { url: 'https://chat.example/hook', events: ['issues.new'], description: 'The chat' }
    const made = await call(`/rest/orgs/${orgId}/webhooks`, { data: { type: 'webhook', attributes: webhook } })
    const { data: imports } = await call(`/rest/orgs/${orgId}/imports`)
    const licenses = { rules: [{ license: 'AGPL-3.0-only', severity: 'high' }] }
    const policy = { body: { data: { type: 'license_policy', attributes: licenses } } }
    await app.call('PATCH', `/rest/orgs/${orgId}/license_policy`, policy)
    const role = { name: 'Release manager', permissions: ['org.read', 'org.project.ignore.create'] }
    const consented = await createApp(app, { name: 'Dashboard' })
    const userId = (await call('/rest/self')).data.id as string
    await letIn(app, { appId: consented.id, userId, places: [{ groupId, orgId }] })
    return {
      projectId,
      userId,
      consentedId: consented.id,
      roleIds: {
        builtIn: (await call(`/rest/groups/${groupId}/roles`)).data[0].id as string,
        custom: (await call(`/rest/groups/${groupId}/roles`, { data: { type: 'role', attributes: role } })).data
          .id as string,
      },
      importId: imports[0].id as string,
      webhookId: made.data.id as string,
      ruleId: ruleMade.data.id as string,
      accountId: (await createAccount(app, ofOrg.path(app), { auth_type: 'oauth_client_secret' })).id,
      groupAccountId: (await createAccount(app, ofGroup.path(app))).id,
      installId: (await install(app, inOrg.path(app))).id,
      groupInstallId: (await install(app, inGroup.path(app))).id,
    }
  }

  test('every page of the console is accessible: light and dark, wide and narrow', async () => {
    const { orgId, groupId } = app
    const org = { kind: 'orgs', id: orgId } as const
    const group = { kind: 'groups', id: groupId } as const
    const pages: Readonly<Record<keyof typeof paths, readonly string[]>> = {
      overview: [paths.overview],
      account: [paths.account],
      ownApps: [paths.ownApps],
      ownApp: [paths.ownApp(made.consentedId)],
      groups: [paths.groups],
      orgs: [paths.orgs(groupId)],
      orgSettings: [paths.orgSettings(orgId)],
      licensePolicy: [paths.licensePolicy(orgId)],
      projects: [
        paths.projects(orgId),
        `${paths.projects(orgId)}?view=flat`,
        `${paths.projects(orgId)}?name=nothing-is-called-so`,
      ],
      project: ['issues', 'ignores', 'coverage', 'history', 'settings'].map(
        (view) => `${paths.project(orgId, made.projectId)}?view=${view}`,
      ),
      issues: ['', '?by=package', '?by=project&open=', '?by=issue', '?q=nothing'].map(
        (query) => `${paths.issues(orgId)}${query}${query.endsWith('open=') ? made.projectId : ''}`,
      ),
      vulnerability: [paths.vulnerability(orgId, 'GHSA-35jh-r3h4-6jhm')],
      packageUse: [paths.packageUse(orgId, 'npm/minimist')],
      ignores: [paths.ignores(org), paths.ignores(group)],
      newRule: [paths.newRule(org)],
      rule: [paths.rule(org, made.ruleId)],
      imports: [paths.imports(orgId)],
      newImport: [paths.newImport(orgId)],
      importRun: [paths.importRun(orgId, made.importId)],
      integrations: [paths.integrations(orgId)],
      newIntegration: [paths.newIntegration(orgId)],
      integration: [paths.integration(orgId, app.integrationId)],
      webhooks: [paths.webhooks(orgId)],
      newWebhook: [paths.newWebhook(orgId)],
      webhook: [paths.webhook(orgId, made.webhookId)],
      packageTest: [paths.packageTest(orgId)],
      serviceAccounts: [paths.serviceAccounts(org), paths.serviceAccounts(group)],
      newServiceAccount: [paths.newServiceAccount(org)],
      serviceAccount: [paths.serviceAccount(org, made.accountId), paths.serviceAccount(group, made.groupAccountId)],
      ci: [paths.ci(orgId)],
      apps: [paths.apps(orgId)],
      newApp: [paths.newApp(orgId)],
      app: [paths.app(orgId, made.consentedId)],
      installs: [paths.installs(org), paths.installs(group)],
      newInstall: [paths.newInstall(org)],
      install: [paths.install(org, made.installId), paths.install(group, made.groupInstallId)],
      members: [paths.members(org), paths.members(group)],
      users: [paths.users(groupId), `${paths.users(groupId)}?find=nobody`],
      user: [paths.user(groupId, made.userId)],
      roles: [paths.roles(groupId)],
      newRole: [paths.newRole(groupId)],
      role: [paths.role(groupId, made.roleIds.builtIn), paths.role(groupId, made.roleIds.custom)],
      security: [paths.security(groupId)],
      singleSignOn: [paths.singleSignOn(groupId)],
      auditLog: [paths.auditLog(org)],
      home: [],
    }
    assert.deepEqual(Object.keys(pages), Object.keys(paths), 'every page is looked at')
    await using tab = await gui.open('/nowhere')
    const { page } = tab
    // A component keeps its heading, so only another one in between shows that the page changed.
    const longest = Math.max(...Object.values(pages).map(({ length }) => length))
    const inTurn = Array.from({ length: longest }, (_, at) =>
      Object.entries(pages).flatMap(([name, { [at]: path }]) =>
        path === undefined ? [] : [[`${name}-${at}`, () => follow(page, path)] as const],
      ),
    )
    await auditPages(page, new Map(inTurn.flat()))
    assert.deepEqual(tab.complaints, [])
  })

  test('sign-in, missing pages, refusals, menus and dialogs are accessible', async () => {
    const { orgId } = app
    await using tab = await gui.open(`/orgs/${orgId}/nowhere`)
    const { page } = tab
    await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
    await audit(page, 'not-found')
    await auditDialogs(page)
    await follow(page, paths.account)
    await follow(page, paths.project(orgId, '00000000-0000-4000-8000-000000000000'))
    await page.getByRole('alert').waitFor()
    await audit(page, 'refused')
    await auditMenus(page)
    // The tab forgets its key: what it loads next is for visitors.
    await page.evaluate('sessionStorage.clear()')
    await page.goto(`${baseUrl}/console/`)
    await auditSignIn(page)
    assert.deepEqual(tab.complaints, [])
  })

  async function auditDialogs(page: Page): Promise<void> {
    await follow(page, paths.members({ kind: 'groups', id: app.groupId }))
    await page
      .getByRole('button', { name: /^Reset password of/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByLabel('One-time link').waitFor()
    await audit(page, 'password-reset')
    await page.keyboard.press('Escape')
    await follow(page, `${paths.projects(app.orgId)}?view=flat`)
    await page.getByRole('link', { name: 'team/shop:package.json' }).click()
    await page.getByRole('button', { name: 'Title of GHSA-dddd-eeee-ffff' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Ignore…' }).waitFor()
    await audit(page, 'issue')
    await dialog.getByRole('button', { name: 'Ignore…' }).click()
    await dialog.getByRole('textbox', { name: 'Reason' }).waitFor()
    await audit(page, 'ignore')
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Delete this project' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).waitFor()
    await audit(page, 'deletion')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }

  async function auditMenus(page: Page): Promise<void> {
    await page.getByRole('combobox', { name: 'Organization or group' }).click()
    await page.getByRole('option').first().waitFor()
    await audit(page, 'places')
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1 }).first().focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    await audit(page, 'keyboard')
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 320, height: 640 })
    await page.getByRole('button', { name: 'Open the menu' }).click()
    await page.getByRole('link', { name: 'Audit log' }).waitFor()
    await audit(page, 'menu')
  }

  async function auditSignIn(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Use an API key' }).waitFor()
    await audit(page, 'sign-in')
    await page.getByRole('button', { name: 'Use an API key' }).click()
    await page.getByLabel('API key', { exact: true }).fill('not-a-key')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await audit(page, 'sign-in-refused')
    await page.goto(`${baseUrl}/console/new-password#token`)
    await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
    await audit(page, 'new-password')
  }
})
