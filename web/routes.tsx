import { createBrowserRouter } from 'react-router'
import { NotFound } from './pages/not-found.tsx'
import { Overview } from './pages/overview.tsx'
import { AuditLog } from './pages/place/audit-log.tsx'
import { Members } from './pages/place/members.tsx'
import { Roles } from './pages/place/roles.tsx'
import { ServiceAccounts } from './pages/place/service-accounts/list.tsx'
import { NewServiceAccount } from './pages/place/service-accounts/new.tsx'
import { ServiceAccountPage } from './pages/place/service-accounts/one.tsx'
import { PackageTest } from './pages/place/test/page.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { Broken } from './shell/broken.tsx'
import { Shell } from './shell/shell.tsx'

const ofPlace = [
  { path: 'service-accounts', Component: ServiceAccounts },
  { path: 'service-accounts/new', Component: NewServiceAccount },
  { path: 'service-accounts/:accountId', Component: ServiceAccountPage },
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
        { path: 'orgs/:placeId', children: [...ofPlace, { path: 'test', Component: PackageTest }] },
        { path: 'groups/:placeId', children: [...ofPlace, { path: 'roles', Component: Roles }] },
        { path: '*', Component: NotFound },
      ],
    },
  ],
  { basename: '/console' },
)
