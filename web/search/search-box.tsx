import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import type { Place } from '../navigation/paths.ts'
import { areSingleKeysOn } from '../navigation/shortcuts.ts'
import { SearchIcon } from '../ui/icons.tsx'
import styles from './search.module.css'

// Fetched when it is first opened.
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

const LABEL = 'Search'

/** Opens the search, by a button in the header or its keys. */
export function SearchBox({ place }: { place: Place | undefined }) {
  const [isOpen, { open, close }] = useDisclosure()
  useHotkeys([
    ['mod+K', open],
    ['/', () => areSingleKeysOn() && open()],
  ])
  return (
    <>
      <UnstyledButton className={styles['box'] ?? ''} visibleFrom="sm" onClick={open} aria-keyshortcuts="Control+K /">
        <SearchIcon size={16} />
        <span className={styles['hint']}>Search CVEs, packages, projects, apps</span>
        <Kbd size="xs" aria-hidden>
          Ctrl K
        </Kbd>
      </UnstyledButton>
      <ActionIcon hiddenFrom="sm" variant="default" size="lg" onClick={open} aria-label={LABEL} title={LABEL}>
        <SearchIcon />
      </ActionIcon>
      {isOpen && (
        <Suspense>
          <Palette place={place} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
