import { type ComponentType, useEffect } from 'react'
import { consolePath } from '../navigation/base-path.ts'
import { fetched } from '../navigation/lazy.ts'
import { paths } from '../navigation/paths.ts'
import { NotFound } from '../pages/not-found.tsx'
import { browserHistory } from '../router/history.ts'
import { matchRoute, type Route } from '../router/match.ts'
import { useNavigate } from '../router/react.tsx'
import { createRouter } from '../router/router.ts'

/** Returns a route whose code is fetched when its page is first opened. */
function page<Name extends string>(path: string, load: () => Promise<Pages<Name>>, name: Name): Route {
  return { path, load: async () => (await fetched(load))[name] }
}

type Pages<Name extends string> = { readonly [Page in Name]: ComponentType }

const ofOrg = [
  page('projects', () => import('../pages/place/projects/list.tsx'), 'Projects'),
  page('projects/:projectId', () => import('../pages/place/projects/one.tsx'), 'ProjectPage'),
  page('issues', () => import('../pages/place/issues/page.tsx'), 'IssuesPage'),
  page('vulnerabilities/:vulnerabilityId', () => import('../pages/place/vulnerability/page.tsx'), 'VulnerabilityPage'),
  page('packages/*', () => import('../pages/place/package/page.tsx'), 'PackagePage'),
  page('imports', () => import('../pages/place/imports/list.tsx'), 'Imports'),
  page('imports/new', () => import('../pages/place/imports/new.tsx'), 'NewImport'),
  page('imports/:importId', () => import('../pages/place/imports/one.tsx'), 'ImportPage'),
  page('integrations', () => import('../pages/place/integrations/list.tsx'), 'Integrations'),
  page('integrations/new', () => import('../pages/place/integrations/new.tsx'), 'NewIntegration'),
  page('integrations/:integrationId', () => import('../pages/place/integrations/one.tsx'), 'IntegrationPage'),
  page('webhooks', () => import('../pages/place/webhooks/list.tsx'), 'Webhooks'),
  page('webhooks/new', () => import('../pages/place/webhooks/new.tsx'), 'NewWebhook'),
  page('webhooks/:webhookId', () => import('../pages/place/webhooks/one.tsx'), 'WebhookPage'),
  page('test', () => import('../pages/place/test/page.tsx'), 'PackageTest'),
  page('license-policy', () => import('../pages/place/license-policy/page.tsx'), 'LicensePolicyPage'),
  page('settings', () => import('../pages/place/organizations/settings.tsx'), 'OrgSettings'),
  page('ci', () => import('../pages/place/ci/page.tsx'), 'CiPage'),
  page('apps', () => import('../pages/place/apps/list.tsx'), 'Apps'),
  page('apps/new', () => import('../pages/place/apps/new.tsx'), 'NewApp'),
  page('apps/:appId', () => import('../pages/place/apps/one.tsx'), 'AppPage'),
]

const ofPlace = [
  page('ignores', () => import('../pages/place/ignores/list.tsx'), 'Ignores'),
  page('ignores/new', () => import('../pages/place/ignores/rule.tsx'), 'NewRule'),
  page('ignores/:policyId', () => import('../pages/place/ignores/rule.tsx'), 'RulePage'),
  page('service-accounts', () => import('../pages/place/service-accounts/list.tsx'), 'ServiceAccounts'),
  page('service-accounts/new', () => import('../pages/place/service-accounts/new.tsx'), 'NewServiceAccount'),
  page('service-accounts/:accountId', () => import('../pages/place/service-accounts/one.tsx'), 'ServiceAccountPage'),
  page('installs', () => import('../pages/place/installs/list.tsx'), 'Installs'),
  page('installs/new', () => import('../pages/place/installs/new.tsx'), 'NewInstall'),
  page('installs/:installId', () => import('../pages/place/installs/one.tsx'), 'InstallPage'),
  page('members', () => import('../pages/place/members.tsx'), 'Members'),
  page('audit-log', () => import('../pages/place/audit/log.tsx'), 'AuditLog'),
]

const ofGroup = [
  page('orgs', () => import('../pages/place/organizations/list.tsx'), 'Organizations'),
  page('users', () => import('../pages/place/users/list.tsx'), 'Users'),
  page('users/:userId', () => import('../pages/place/users/one.tsx'), 'UserPage'),
  page('roles', () => import('../pages/place/roles/list.tsx'), 'Roles'),
  page('roles/new', () => import('../pages/place/roles/new.tsx'), 'NewRole'),
  page('roles/:roleId', () => import('../pages/place/roles/one.tsx'), 'RolePage'),
  page('single-sign-on', () => import('../pages/place/single-sign-on/page.tsx'), 'SingleSignOnPage'),
  page('security', () => import('../pages/place/security.tsx'), 'Security'),
]

const below = (path: string, pages: readonly Route[]) =>
  pages.map(({ path: rest, load }) => ({ path: `${path}/${rest}`, load }))

/**
 * The addresses of `paths.ts` with their pages. Pages are fetched when first opened, or ahead of time
 * (`fetch-ahead.ts`).
 */
export const routes: readonly Route[] = [
  page('', () => import('../pages/overview/page.tsx'), 'Overview'),
  page('account', () => import('../pages/account/page.tsx'), 'Account'),
  page('apps', () => import('../pages/apps/list.tsx'), 'OwnApps'),
  page('apps/:appId', () => import('../pages/apps/one.tsx'), 'OwnAppPage'),
  page('groups', () => import('../pages/groups/list.tsx'), 'Groups'),
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
