import { Stack, Text } from '@mantine/core'
import { Fragment } from 'react'
import type { PlaceCounts } from '../api/resources.ts'
import { ownPages, type SitePage, sectionsOf } from '../components/site-map.tsx'
import { type ConsoleScope, paths } from '../navigation/paths.ts'
import { useLocation } from '../router/react.tsx'

import { NavigationLink } from './navigation-link.tsx'
import { usePlaceCounts } from './place-counts.ts'
import { PlacePicker } from './place-picker.tsx'

export function Navigation({ place, onNavigate }: { place: ConsoleScope | undefined; onNavigate: () => void }) {
  const counts = usePlaceCounts(place)
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
              <Entry key={page.to} page={page} counts={counts} onNavigate={onNavigate} />
            ))}
          </Fragment>
        ))}
    </Stack>
  )
}

interface EntryProps {
  readonly page: SitePage
  readonly counts?: PlaceCounts
  readonly onNavigate: () => void
}

function Entry({ page: { to, label, icon, count }, counts = {}, onNavigate }: EntryProps) {
  const { pathname } = useLocation()
  // The pages of a group are not part of the list of groups.
  const isWhole = to === paths.overview || to === paths.groups
  const isHere = pathname === to || (!isWhole && pathname.startsWith(`${to}/`))
  return (
    <NavigationLink
      to={to}
      label={label}
      icon={icon}
      count={count && toWords(count, counts[count])}
      isWarning={count === 'failed_imports'}
      isHere={isHere}
      onClick={onNavigate}
    />
  )
}

/** Formats a count. Failures stand out; zero failures are not shown. */
function toWords(name: keyof PlaceCounts, count: number | undefined): string | undefined {
  if (name !== 'failed_imports') return count?.toLocaleString()
  return count ? `${count.toLocaleString()} failed` : undefined
}

function Heading({ children }: { children: string }) {
  return (
    <Text size="xs" fw={650} c="dimmed" px="sm" pt={4} pb={0}>
      {children}
    </Text>
  )
}
