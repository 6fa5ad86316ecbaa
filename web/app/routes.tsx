import { createBrowserRouter, matchRoutes, Navigate, type RouteObject } from 'react-router'
import { consolePath } from '../navigation/base-path.ts'
import { lazyPage } from '../navigation/lazy.ts'
import { paths } from '../navigation/paths.ts'
import { NotFound } from '../pages/not-found.tsx'
import { BrokenPage } from '../shell/broken-page.tsx'
import { FirstLoad } from '../shell/first-load.tsx'
import { Shell } from '../shell/shell.tsx'

const ofOrg = [
  { path: 'projects', lazy: lazyPage(async () => (await import('../pages/place/projects/list.tsx')).Projects) },
  {
    path: 'projects/:projectId',
    lazy: lazyPage(async () => (await import('../pages/place/projects/one.tsx')).ProjectPage),
  },
  { path: 'issues', lazy: lazyPage(async () => (await import('../pages/place/issues/page.tsx')).IssuesPage) },
  {
    path: 'vulnerabilities/:vulnerabilityId',
    lazy: lazyPage(async () => (await import('../pages/place/vulnerability/page.tsx')).VulnerabilityPage),
  },
  {
    path: 'packages/*',
    lazy: lazyPage(async () => (await import('../pages/place/package/page.tsx')).PackagePage),
  },
  { path: 'ignores', lazy: lazyPage(async () => (await import('../pages/place/ignores/list.tsx')).Ignores) },
  { path: 'imports', lazy: lazyPage(async () => (await import('../pages/place/imports/list.tsx')).Imports) },
  { path: 'imports/new', lazy: lazyPage(async () => (await import('../pages/place/imports/new.tsx')).NewImport) },
  {
    path: 'imports/:importId',
    lazy: lazyPage(async () => (await import('../pages/place/imports/one.tsx')).ImportPage),
  },
  {
    path: 'integrations',
    lazy: lazyPage(async () => (await import('../pages/place/integrations/list.tsx')).Integrations),
  },
  {
    path: 'integrations/new',
    lazy: lazyPage(async () => (await import('../pages/place/integrations/new.tsx')).NewIntegration),
  },
  {
    path: 'integrations/:integrationId',
    lazy: lazyPage(async () => (await import('../pages/place/integrations/one.tsx')).IntegrationPage),
  },
  { path: 'webhooks', lazy: lazyPage(async () => (await import('../pages/place/webhooks/list.tsx')).Webhooks) },
  { path: 'webhooks/new', lazy: lazyPage(async () => (await import('../pages/place/webhooks/new.tsx')).NewWebhook) },
  {
    path: 'webhooks/:webhookId',
    lazy: lazyPage(async () => (await import('../pages/place/webhooks/one.tsx')).WebhookPage),
  },
  { path: 'test', lazy: lazyPage(async () => (await import('../pages/place/test/page.tsx')).PackageTest) },
  {
    path: 'license-policy',
    lazy: lazyPage(async () => (await import('../pages/place/license-policy/page.tsx')).LicensePolicyPage),
  },
  {
    path: 'settings',
    lazy: lazyPage(async () => (await import('../pages/place/organizations/settings.tsx')).OrgSettings),
  },
  { path: 'apps', lazy: lazyPage(async () => (await import('../pages/place/apps/list.tsx')).Apps) },
  { path: 'apps/new', lazy: lazyPage(async () => (await import('../pages/place/apps/new.tsx')).NewApp) },
  { path: 'apps/:appId', lazy: lazyPage(async () => (await import('../pages/place/apps/one.tsx')).AppPage) },
]

const ofPlace = [
  {
    path: 'service-accounts',
    lazy: lazyPage(async () => (await import('../pages/place/service-accounts/list.tsx')).ServiceAccounts),
  },
  {
    path: 'service-accounts/new',
    lazy: lazyPage(async () => (await import('../pages/place/service-accounts/new.tsx')).NewServiceAccount),
  },
  {
    path: 'service-accounts/:accountId',
    lazy: lazyPage(async () => (await import('../pages/place/service-accounts/one.tsx')).ServiceAccountPage),
  },
  { path: 'installs', lazy: lazyPage(async () => (await import('../pages/place/installs/list.tsx')).Installs) },
  { path: 'installs/new', lazy: lazyPage(async () => (await import('../pages/place/installs/new.tsx')).NewInstall) },
  {
    path: 'installs/:installId',
    lazy: lazyPage(async () => (await import('../pages/place/installs/one.tsx')).InstallPage),
  },
  { path: 'members', lazy: lazyPage(async () => (await import('../pages/place/members.tsx')).Members) },
  { path: 'audit-log', lazy: lazyPage(async () => (await import('../pages/place/audit-log.tsx')).AuditLog) },
]

const ofGroup = [
  {
    path: 'orgs',
    lazy: lazyPage(async () => (await import('../pages/place/organizations/list.tsx')).Organizations),
  },
  { path: 'users', lazy: lazyPage(async () => (await import('../pages/place/users/list.tsx')).Users) },
  { path: 'users/:userId', lazy: lazyPage(async () => (await import('../pages/place/users/one.tsx')).UserPage) },
  { path: 'roles', lazy: lazyPage(async () => (await import('../pages/place/roles/list.tsx')).Roles) },
  { path: 'roles/new', lazy: lazyPage(async () => (await import('../pages/place/roles/new.tsx')).NewRole) },
  { path: 'roles/:roleId', lazy: lazyPage(async () => (await import('../pages/place/roles/one.tsx')).RolePage) },
  {
    path: 'single-sign-on',
    lazy: lazyPage(async () => (await import('../pages/place/single-sign-on/page.tsx')).SingleSignOnPage),
  },
  { path: 'security', lazy: lazyPage(async () => (await import('../pages/place/security.tsx')).Security) },
]

const pages: RouteObject[] = [
  { index: true, lazy: lazyPage(async () => (await import('../pages/overview/page.tsx')).Overview) },
  { path: 'account', lazy: lazyPage(async () => (await import('../pages/account/page.tsx')).Account) },
  { path: 'apps', lazy: lazyPage(async () => (await import('../pages/apps/list.tsx')).OwnApps) },
  { path: 'apps/:appId', lazy: lazyPage(async () => (await import('../pages/apps/one.tsx')).OwnAppPage) },
  { path: 'groups', lazy: lazyPage(async () => (await import('../pages/groups/list.tsx')).Groups) },
  { path: 'orgs/:placeId', children: [...ofPlace, ...ofOrg] },
  { path: 'groups/:placeId', children: [...ofPlace, ...ofGroup] },
  // The former sign-in address, which may be bookmarked.
  { path: 'sign-in', element: <Navigate to={paths.overview} replace /> },
  { path: '*', Component: NotFound },
]

const basename = consolePath

/** The addresses of `paths.ts` and what they show. Pages are fetched when they are first looked at, or before (`fetch-ahead.ts`). */
const routes: RouteObject[] = [
  {
    ErrorBoundary: BrokenPage,
    HydrateFallback: FirstLoad,
    children: [
      {
        Component: Shell,
        // A broken page leaves the frame around it in place.
        children: [{ ErrorBoundary: BrokenPage, children: pages }],
      },
    ],
  },
]

export const router = createBrowserRouter(routes, { basename })

/** Returns the loaders of an address's pages. */
export function findPages(pathname: string): (() => Promise<unknown>)[] {
  const matches = matchRoutes(routes, pathname, basename) ?? []
  return matches.flatMap(({ route: { lazy } }) => (typeof lazy === 'function' ? [lazy] : []))
}
