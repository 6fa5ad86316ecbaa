import { Stack, Text } from '@mantine/core'
import { Fragment } from 'react'
import { ownPages, type SitePage, sectionsOf } from '../components/site-map.tsx'
import { type Place, paths } from '../navigation/paths.ts'
import { useLocation } from '../router/react.tsx'
import { NavigationLink } from './navigation-link.tsx'
import { PlacePicker } from './place-picker.tsx'

export function Navigation({ place, onNavigate }: { place: Place | undefined; onNavigate: () => void }) {
  return (
    <Stack component="nav" aria-label="Console" gap={2}>
      {ownPages.map((page) => (
        <Entry key={page.to} page={page} onNavigate={onNavigate} />
      ))}
      <div style={{ paddingBlock: '0.25rem' }}>
        <PlacePicker place={place} />
      </div>
      {place &&
        sectionsOf(place).map(({ heading, pages }) => (
          <Fragment key={heading}>
            <Heading>{heading}</Heading>
            {pages.map((page) => (
              <Entry key={page.to} page={page} onNavigate={onNavigate} />
            ))}
          </Fragment>
        ))}
    </Stack>
  )
}

function Entry({ page: { to, label, icon }, onNavigate }: { page: SitePage; onNavigate: () => void }) {
  const { pathname } = useLocation()
  // The pages of a group are not below the list of groups.
  const isWhole = to === paths.overview || to === paths.groups
  const isHere = pathname === to || (!isWhole && pathname.startsWith(`${to}/`))
  return <NavigationLink to={to} label={label} icon={icon} isHere={isHere} onClick={onNavigate} />
}

function Heading({ children }: { children: string }) {
  return (
    <Text size="xs" fw={650} c="dimmed" px="sm" pt={4} pb={0}>
      {children}
    </Text>
  )
}
