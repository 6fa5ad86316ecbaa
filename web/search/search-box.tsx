import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense, useEffect } from 'react'
import type { Place } from '../navigation/paths.ts'
import { SearchIcon } from '../ui/icons.tsx'
import styles from './search.module.css'

// Fetched when it is first opened.
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

const LABEL = 'Search'

/** Opens the search, with a button in the header or its shortcuts. */
export function SearchBox({ place }: { place: Place | undefined }) {
  const [isOpen, { open, close }] = useDisclosure()
  useEffect(() => {
    function listen(event: KeyboardEvent) {
      if (!isSearchKey(event) || document.querySelector('[role=dialog]')) return
      event.preventDefault()
      open()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [open])
  return (
    <>
      <UnstyledButton className={styles['box'] ?? ''} visibleFrom="sm" onClick={open} aria-keyshortcuts="Control+K /">
        <SearchIcon size={16} />
        <span className={styles['hint']}>Search CVEs, packages, projects, apps</span>
        <Kbd size="xs" aria-hidden>
          Ctrl K
        </Kbd>
      </UnstyledButton>
      <ActionIcon
        hiddenFrom="sm"
        variant="default"
        size="lg"
        onClick={open}
        aria-label={LABEL}
        title={LABEL}
        aria-keyshortcuts="Control+K /"
      >
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

/** Returns true for Ctrl+K, which also works in fields. The listener of the other shortcuts handles `/`. */
function isSearchKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey
}
