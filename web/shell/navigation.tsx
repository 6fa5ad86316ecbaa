import { NavLink, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { type Place, paths } from '../navigation/paths.ts'
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
  ProjectIcon,
  RoleIcon,
  SourceIcon,
  TestIcon,
  WarningIcon,
  WebhookIcon,
} from '../ui/icons.tsx'
import { PlacePicker } from './place-picker.tsx'

export function Navigation({ place, onNavigate }: { place: Place | undefined; onNavigate: () => void }) {
  const { pathname } = useLocation()
  const entry = (to: string, label: string, icon: ReactNode) => {
    const isHere = to === paths.overview ? pathname === to : pathname === to || pathname.startsWith(`${to}/`)
    return (
      <NavLink
        key={to}
        component={Link}
        to={to}
        label={label}
        leftSection={icon}
        active={isHere}
        aria-current={isHere ? 'page' : undefined}
        onClick={onNavigate}
        py={2}
        style={{ borderRadius: 'var(--mantine-radius-md)' }}
      />
    )
  }
  return (
    <Stack component="nav" aria-label="Console" gap={2}>
      {entry(paths.overview, 'Overview', <HomeIcon />)}
      {entry(paths.ownApps, 'Authorized apps', <HandIcon />)}
      <div style={{ paddingBlock: '0.25rem' }}>
        <PlacePicker place={place} />
      </div>
      {place && (
        <>
          {place.kind === 'orgs' && (
            <>
              <Heading>Dependencies</Heading>
              {entry(paths.projects(place.id), 'Projects', <ProjectIcon />)}
              {entry(paths.issues(place.id), 'Issues', <WarningIcon />)}
              {entry(paths.ignores(place.id), 'Ignores', <IgnoreIcon />)}
              {entry(paths.imports(place.id), 'Imports', <ImportIcon />)}
              {entry(paths.integrations(place.id), 'Integrations', <SourceIcon />)}
              {entry(paths.packageTest(place.id), 'Test a manifest', <TestIcon />)}
            </>
          )}
          <Heading>Access</Heading>
          {entry(paths.serviceAccounts(place), 'Service accounts', <KeyIcon />)}
          {place.kind === 'orgs' && entry(paths.apps(place.id), 'Apps', <AppIcon />)}
          {entry(paths.installs(place), 'Installs', <InstallIcon />)}
          {entry(paths.members(place), 'Members', <PeopleIcon />)}
          {place.kind === 'groups' && entry(paths.roles(place.id), 'Roles', <RoleIcon />)}
          <Heading>What happens</Heading>
          {place.kind === 'orgs' && entry(paths.webhooks(place.id), 'Webhooks', <WebhookIcon />)}
          {entry(paths.auditLog(place), 'Audit log', <LogIcon />)}
        </>
      )}
    </Stack>
  )
}

function Heading({ children }: { children: string }) {
  return (
    <Text size="xs" fw={650} c="dimmed" px="sm" pt={4} pb={0}>
      {children}
    </Text>
  )
}
