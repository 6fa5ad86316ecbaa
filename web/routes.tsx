import { createBrowserRouter } from 'react-router'
import { OwnApps } from './pages/apps/list.tsx'
import { OwnAppPage } from './pages/apps/one.tsx'
import { NotFound } from './pages/not-found.tsx'
import { Overview } from './pages/overview.tsx'
import { Apps } from './pages/place/apps/list.tsx'
import { NewApp } from './pages/place/apps/new.tsx'
import { AppPage } from './pages/place/apps/one.tsx'
import { AuditLog } from './pages/place/audit-log.tsx'
import { Ignores } from './pages/place/ignores/list.tsx'
import { Imports } from './pages/place/imports/list.tsx'
import { NewImport } from './pages/place/imports/new.tsx'
import { ImportPage } from './pages/place/imports/one.tsx'
import { Installs } from './pages/place/installs/list.tsx'
import { NewInstall } from './pages/place/installs/new.tsx'
import { InstallPage } from './pages/place/installs/one.tsx'
import { Integrations } from './pages/place/integrations/list.tsx'
import { NewIntegration } from './pages/place/integrations/new.tsx'
import { IntegrationPage } from './pages/place/integrations/one.tsx'
import { Issues } from './pages/place/issues/list.tsx'
import { Members } from './pages/place/members.tsx'
import { Projects } from './pages/place/projects/list.tsx'
import { ProjectPage } from './pages/place/projects/one.tsx'
import { Roles } from './pages/place/roles.tsx'
import { ServiceAccounts } from './pages/place/service-accounts/list.tsx'
import { NewServiceAccount } from './pages/place/service-accounts/new.tsx'
import { ServiceAccountPage } from './pages/place/service-accounts/one.tsx'
import { PackageTest } from './pages/place/test/page.tsx'
import { Webhooks } from './pages/place/webhooks/list.tsx'
import { NewWebhook } from './pages/place/webhooks/new.tsx'
import { WebhookPage } from './pages/place/webhooks/one.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { Broken } from './shell/broken.tsx'
import { Shell } from './shell/shell.tsx'

const ofOrg = [
  { path: 'projects', Component: Projects },
  { path: 'projects/:projectId', Component: ProjectPage },
  { path: 'issues', Component: Issues },
  { path: 'ignores', Component: Ignores },
  { path: 'imports', Component: Imports },
  { path: 'imports/new', Component: NewImport },
  { path: 'imports/:importId', Component: ImportPage },
  { path: 'integrations', Component: Integrations },
  { path: 'integrations/new', Component: NewIntegration },
  { path: 'integrations/:integrationId', Component: IntegrationPage },
  { path: 'webhooks', Component: Webhooks },
  { path: 'webhooks/new', Component: NewWebhook },
  { path: 'webhooks/:webhookId', Component: WebhookPage },
  { path: 'test', Component: PackageTest },
  { path: 'apps', Component: Apps },
  { path: 'apps/new', Component: NewApp },
  { path: 'apps/:appId', Component: AppPage },
]

const ofPlace = [
  { path: 'service-accounts', Component: ServiceAccounts },
  { path: 'service-accounts/new', Component: NewServiceAccount },
  { path: 'service-accounts/:accountId', Component: ServiceAccountPage },
  { path: 'installs', Component: Installs },
  { path: 'installs/new', Component: NewInstall },
  { path: 'installs/:installId', Component: InstallPage },
  { path: 'members', Component: Members },
  { path: 'audit-log', Component: AuditLog },
]

/** The addresses of `paths.ts` and what they show. */
export const router = createBrowserRouter(
  [
    { path: '/sign-in', Component: SignIn, ErrorBoundary: Broken },
    {
      Component: Shell,
      ErrorBoundary: Broken,
      children: [
        { index: true, Component: Overview },
        { path: 'apps', Component: OwnApps },
        { path: 'apps/:appId', Component: OwnAppPage },
        { path: 'orgs/:placeId', children: [...ofPlace, ...ofOrg] },
        { path: 'groups/:placeId', children: [...ofPlace, { path: 'roles', Component: Roles }] },
        { path: '*', Component: NotFound },
      ],
    },
  ],
  { basename: '/console' },
)
