import { useEffect } from 'react'
import { consolePath } from '../navigation/base-path.ts'
import { lazyPage } from '../navigation/lazy.ts'
import { paths } from '../navigation/paths.ts'
import { NotFound } from '../pages/not-found.tsx'
import { browserHistory } from '../router/history.ts'
import { matchRoute, type Route } from '../router/match.ts'
import { useNavigate } from '../router/react.tsx'
import { createRouter } from '../router/router.ts'

const ofOrg = [
  { path: 'projects', load: lazyPage(async () => (await import('../pages/place/projects/list.tsx')).Projects) },
  {
    path: 'projects/:projectId',
    load: lazyPage(async () => (await import('../pages/place/projects/one.tsx')).ProjectPage),
  },
  { path: 'issues', load: lazyPage(async () => (await import('../pages/place/issues/page.tsx')).IssuesPage) },
  {
    path: 'vulnerabilities/:vulnerabilityId',
    load: lazyPage(async () => (await import('../pages/place/vulnerability/page.tsx')).VulnerabilityPage),
  },
  {
    path: 'packages/*',
    load: lazyPage(async () => (await import('../pages/place/package/page.tsx')).PackagePage),
  },
  { path: 'ignores', load: lazyPage(async () => (await import('../pages/place/ignores/list.tsx')).Ignores) },
  { path: 'imports', load: lazyPage(async () => (await import('../pages/place/imports/list.tsx')).Imports) },
  { path: 'imports/new', load: lazyPage(async () => (await import('../pages/place/imports/new.tsx')).NewImport) },
  {
    path: 'imports/:importId',
    load: lazyPage(async () => (await import('../pages/place/imports/one.tsx')).ImportPage),
  },
  {
    path: 'integrations',
    load: lazyPage(async () => (await import('../pages/place/integrations/list.tsx')).Integrations),
  },
  {
    path: 'integrations/new',
    load: lazyPage(async () => (await import('../pages/place/integrations/new.tsx')).NewIntegration),
  },
  {
    path: 'integrations/:integrationId',
    load: lazyPage(async () => (await import('../pages/place/integrations/one.tsx')).IntegrationPage),
  },
  { path: 'webhooks', load: lazyPage(async () => (await import('../pages/place/webhooks/list.tsx')).Webhooks) },
  { path: 'webhooks/new', load: lazyPage(async () => (await import('../pages/place/webhooks/new.tsx')).NewWebhook) },
  {
    path: 'webhooks/:webhookId',
    load: lazyPage(async () => (await import('../pages/place/webhooks/one.tsx')).WebhookPage),
  },
  { path: 'test', load: lazyPage(async () => (await import('../pages/place/test/page.tsx')).PackageTest) },
  {
    path: 'license-policy',
    load: lazyPage(async () => (await import('../pages/place/license-policy/page.tsx')).LicensePolicyPage),
  },
  {
    path: 'settings',
    load: lazyPage(async () => (await import('../pages/place/organizations/settings.tsx')).OrgSettings),
  },
  { path: 'apps', load: lazyPage(async () => (await import('../pages/place/apps/list.tsx')).Apps) },
  { path: 'apps/new', load: lazyPage(async () => (await import('../pages/place/apps/new.tsx')).NewApp) },
  { path: 'apps/:appId', load: lazyPage(async () => (await import('../pages/place/apps/one.tsx')).AppPage) },
]

const ofPlace = [
  {
    path: 'service-accounts',
    load: lazyPage(async () => (await import('../pages/place/service-accounts/list.tsx')).ServiceAccounts),
  },
  {
    path: 'service-accounts/new',
    load: lazyPage(async () => (await import('../pages/place/service-accounts/new.tsx')).NewServiceAccount),
  },
  {
    path: 'service-accounts/:accountId',
    load: lazyPage(async () => (await import('../pages/place/service-accounts/one.tsx')).ServiceAccountPage),
  },
  { path: 'installs', load: lazyPage(async () => (await import('../pages/place/installs/list.tsx')).Installs) },
  { path: 'installs/new', load: lazyPage(async () => (await import('../pages/place/installs/new.tsx')).NewInstall) },
  {
    path: 'installs/:installId',
    load: lazyPage(async () => (await import('../pages/place/installs/one.tsx')).InstallPage),
  },
  { path: 'members', load: lazyPage(async () => (await import('../pages/place/members.tsx')).Members) },
  { path: 'audit-log', load: lazyPage(async () => (await import('../pages/place/audit-log.tsx')).AuditLog) },
]

const ofGroup = [
  {
    path: 'orgs',
    load: lazyPage(async () => (await import('../pages/place/organizations/list.tsx')).Organizations),
  },
  { path: 'users', load: lazyPage(async () => (await import('../pages/place/users/list.tsx')).Users) },
  { path: 'users/:userId', load: lazyPage(async () => (await import('../pages/place/users/one.tsx')).UserPage) },
  { path: 'roles', load: lazyPage(async () => (await import('../pages/place/roles/list.tsx')).Roles) },
  { path: 'roles/new', load: lazyPage(async () => (await import('../pages/place/roles/new.tsx')).NewRole) },
  { path: 'roles/:roleId', load: lazyPage(async () => (await import('../pages/place/roles/one.tsx')).RolePage) },
  {
    path: 'single-sign-on',
    load: lazyPage(async () => (await import('../pages/place/single-sign-on/page.tsx')).SingleSignOnPage),
  },
  { path: 'security', load: lazyPage(async () => (await import('../pages/place/security.tsx')).Security) },
]

const below = (path: string, pages: readonly Route[]) =>
  pages.map(({ path: rest, load }) => ({ path: `${path}/${rest}`, load }))

/**
 * The addresses of `paths.ts` with their pages. Pages are fetched when first opened, or ahead of time
 * (`fetch-ahead.ts`).
 */
export const routes: readonly Route[] = [
  { path: '', load: lazyPage(async () => (await import('../pages/overview/page.tsx')).Overview) },
  { path: 'account', load: lazyPage(async () => (await import('../pages/account/page.tsx')).Account) },
  { path: 'apps', load: lazyPage(async () => (await import('../pages/apps/list.tsx')).OwnApps) },
  { path: 'apps/:appId', load: lazyPage(async () => (await import('../pages/apps/one.tsx')).OwnAppPage) },
  { path: 'groups', load: lazyPage(async () => (await import('../pages/groups/list.tsx')).Groups) },
  ...below('orgs/:placeId', [...ofPlace, ...ofOrg]),
  ...below('groups/:placeId', [...ofPlace, ...ofGroup]),
  // The former sign-in address, which may be bookmarked.
  { path: 'sign-in', load: () => ToOverview },
  { path: '*', load: () => NotFound },
]

function ToOverview() {
  const navigate = useNavigate()
  useEffect(() => navigate(paths.overview, { replace: true }), [navigate])
  return null
}

export const router = createRouter({ routes, history: browserHistory(consolePath), base: consolePath })

/** Returns the loaders of an address's page. */
export function findPages(pathname: string): Route['load'][] {
  const match = matchRoute(routes, pathname.slice(consolePath.length))
  return match ? [match.route.load] : []
}
