import type { ReactNode } from 'react'
import type { PlaceCounts } from '../api/resources.ts'
import { type ConsoleScope, paths } from '../navigation/paths.ts'
import {
  AppIcon,
  HandIcon,
  HomeIcon,
  IgnoreIcon,
  ImportIcon,
  InstallIcon,
  KeyIcon,
  LogIcon,
  PeopleIcon,
  PersonIcon,
  PipelineIcon,
  ProjectIcon,
  RoleIcon,
  ShieldIcon,
  SourceIcon,
  TestIcon,
  WarningIcon,
  WebhookIcon,
} from '../ui/icons.tsx'

/** A page in the navigation and the search. */
export interface SitePage {
  readonly to: string
  readonly label: string
  readonly icon: ReactNode
  /** Further words for the search. */
  readonly words?: string
  /** The count shown beside it. */
  readonly count?: keyof PlaceCounts
}

export interface SiteSection {
  readonly heading: string
  readonly pages: readonly SitePage[]
}

/** Pages that belong to no organization or group. */
export const ownPages: readonly SitePage[] = [
  { to: paths.overview, label: 'Overview', icon: <HomeIcon />, words: 'home start' },
  { to: paths.ownApps, label: 'Authorized apps', icon: <HandIcon />, words: 'consent grants' },
  { to: paths.groups, label: 'Groups', icon: <PeopleIcon />, words: 'create group organizations' },
]

export const accountPage: SitePage = {
  to: paths.account,
  label: 'Your account',
  icon: <PersonIcon />,
  words: 'settings profile password API keys sessions security second factor passkeys recovery codes',
}

export function sectionsOf(place: ConsoleScope): readonly SiteSection[] {
  return place.kind === 'orgs' ? sectionsOfOrg(place) : sectionsOfGroup(place)
}

function sectionsOfOrg(place: ConsoleScope): readonly SiteSection[] {
  const { id } = place
  return [
    {
      heading: 'Dependencies',
      pages: [
        {
          to: paths.projects(id),
          label: 'Projects',
          icon: <ProjectIcon />,
          words: 'repositories manifests',
          count: 'projects',
        },
        {
          to: paths.issues(id),
          label: 'Issues',
          icon: <WarningIcon />,
          words: 'vulnerabilities licenses packages',
          count: 'issues',
        },
        {
          to: paths.ignores(place),
          label: 'Ignores',
          icon: <IgnoreIcon />,
          words: 'rules policies exceptions VEX policy files',
          count: 'ignores',
        },
        {
          to: paths.imports(id),
          label: 'Imports',
          icon: <ImportIcon />,
          words: 'repositories',
          count: 'failed_imports',
        },
        { to: paths.integrations(id), label: 'Integrations', icon: <SourceIcon />, words: 'git sources settings' },
        { to: paths.packageTest(id), label: 'Test a manifest', icon: <TestIcon />, words: 'lockfile package' },
      ],
    },
    {
      heading: 'Access',
      pages: [
        {
          to: paths.serviceAccounts(place),
          label: 'Service accounts',
          icon: <KeyIcon />,
          words: 'secrets keys CI',
          count: 'service_accounts',
        },
        {
          to: paths.ci(id),
          label: 'CI recipes',
          icon: <PipelineIcon />,
          words: 'pipeline key GitHub Actions GitLab Jenkins shell',
        },
        { to: paths.apps(id), label: 'Apps', icon: <AppIcon />, words: 'OAuth clients secrets', count: 'apps' },
        { to: paths.installs(place), label: 'Installs', icon: <InstallIcon />, words: 'apps', count: 'installs' },
        {
          to: paths.members(place),
          label: 'Members',
          icon: <PeopleIcon />,
          words: 'users people roles',
          count: 'members',
        },
      ],
    },
    {
      heading: 'Policy',
      pages: [
        { to: paths.licensePolicy(id), label: 'License policy', icon: <ShieldIcon />, words: 'licenses SPDX severity' },
        {
          to: paths.orgSettings(id),
          label: 'Organization settings',
          icon: <RoleIcon />,
          words: 'rename delete organization policy files',
        },
      ],
    },
    {
      heading: 'Activity',
      pages: [
        { to: paths.webhooks(id), label: 'Webhooks', icon: <WebhookIcon />, words: 'events notifications' },
        { to: paths.auditLog(place), label: 'Audit log', icon: <LogIcon />, words: 'history changes' },
      ],
    },
  ]
}

function sectionsOfGroup(place: ConsoleScope): readonly SiteSection[] {
  return [
    {
      heading: 'Access',
      pages: [
        { to: paths.orgs(place.id), label: 'Organizations', icon: <ProjectIcon />, words: 'create organization' },
        { to: paths.serviceAccounts(place), label: 'Service accounts', icon: <KeyIcon />, words: 'secrets keys CI' },
        { to: paths.installs(place), label: 'Installs', icon: <InstallIcon />, words: 'apps' },
        { to: paths.members(place), label: 'Members', icon: <PeopleIcon />, words: 'people roles' },
        {
          to: paths.users(place.id),
          label: 'Users',
          icon: <PersonIcon />,
          words: 'people accounts API keys password reset disable',
        },
        { to: paths.roles(place.id), label: 'Roles', icon: <RoleIcon />, words: 'permissions' },
        {
          to: paths.security(place.id),
          label: 'Security',
          icon: <ShieldIcon />,
          words: 'second factor passkeys sign-in',
        },
        {
          to: paths.singleSignOn(place.id),
          label: 'Single sign-on',
          icon: <PersonIcon />,
          words: 'SSO OpenID Connect identity provider disabled users break-glass',
        },
      ],
    },
    {
      heading: 'Policy',
      pages: [
        {
          to: paths.ignores(place),
          label: 'Ignore rules',
          icon: <IgnoreIcon />,
          words: 'policies exceptions VEX',
        },
      ],
    },
    {
      heading: 'Activity',
      pages: [{ to: paths.auditLog(place), label: 'Audit log', icon: <LogIcon />, words: 'history changes' }],
    },
  ]
}

/** Returns the address of the same list in another place, or that place's first page if it does not have the list. */
export function sameListOf(place: ConsoleScope, pathname: string): string {
  const list = `/${place.kind}/${place.id}/${pathname.split('/')[3] ?? ''}`
  const hasList = sectionsOf(place).some(({ pages }) => pages.some(({ to }) => to === list))
  return hasList ? list : paths.home(place)
}
