import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import type { ConsoleScope } from '../navigation/paths.ts'
import { SearchIcon } from '../ui/icons.tsx'
import styles from './search.module.css'
import { isSearchKey, noKeys, pressKey, type TypedKeys, takeEarlyKeys } from './typed-keys.ts'

// Fetched when it is first opened.
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

const LABEL = 'Search'

/** Opens the search, with a button in the header or its shortcuts. */
export function SearchBox({ place }: { place: ConsoleScope | undefined }) {
  const [typed, setTyped] = useState(noKeys)
  const [isOpen, setOpen] = useState(false)
  const open = useCallback((keys = noKeys) => {
    setTyped(keys)
    setOpen(true)
  }, [])
  useTypingAhead(isOpen, setTyped)
  useEffect(() => {
    const early = takeEarlyKeys()
    if (early) open(early)
  }, [open])
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
      <UnstyledButton
        className={styles['box'] ?? ''}
        visibleFrom="sm"
        onClick={() => open()}
        aria-keyshortcuts="Control+K /"
      >
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
        onClick={() => open()}
        aria-label={LABEL}
        title={LABEL}
        aria-keyshortcuts="Control+K /"
      >
        <SearchIcon />
      </ActionIcon>
      {isOpen && (
        <Suspense>
          <Palette place={place} typed={typed} onType={setTyped} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Keeps keys typed before the search field has the focus: its code may still be loading. */
function useTypingAhead(isOpen: boolean, setTyped: (change: (typed: TypedKeys) => TypedKeys) => void) {
  useEffect(() => {
    if (!isOpen) return
    function keep(event: KeyboardEvent) {
      if (event.target instanceof Element && event.target.closest('[role=dialog]')) return
      if (pressKey(noKeys, event) === undefined) return
      event.preventDefault()
      event.stopPropagation()
      setTyped((typed) => pressKey(typed, event) ?? typed)
    }
    // Before the shortcuts of single letters, which listen to the same keys.
    document.addEventListener('keydown', keep, true)
    return () => document.removeEventListener('keydown', keep, true)
  }, [isOpen, setTyped])
}
