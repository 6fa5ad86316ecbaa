import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { ConsoleScope } from '../navigation/paths.ts'
import { SearchIcon } from '../ui/icons.tsx'
import styles from './search.module.css'

// Fetched when it is first opened.
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

const LABEL = 'Search'

/** Opens the search, with a button in the header or its shortcuts. */
export function SearchBox({ place }: { place: ConsoleScope | undefined }) {
  const [text, setText] = useState('')
  const [isOpen, { open, close }] = useDisclosure(false, { onOpen: () => setText('') })
  useTypingAhead(isOpen, setText)
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
          <Palette {...{ place, text }} onType={setText} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

/** Keeps letters typed before the search field has the focus: its code may still be loading. */
function useTypingAhead(isOpen: boolean, setText: (change: (text: string) => string) => void) {
  useEffect(() => {
    if (!isOpen) return
    function keep(event: KeyboardEvent) {
      const { key, target } = event
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      if (target instanceof Element && target.closest('[role=dialog]')) return
      if (key.length > 1 && key !== 'Backspace') return
      event.preventDefault()
      event.stopPropagation()
      setText((text) => (key === 'Backspace' ? text.slice(0, -1) : text + key))
    }
    // Before the shortcuts of single letters, which listen to the same keys.
    document.addEventListener('keydown', keep, true)
    return () => document.removeEventListener('keydown', keep, true)
  }, [isOpen, setText])
}

/** Returns true for Ctrl+K, which also works in fields. The listener of the other shortcuts handles `/`. */
function isSearchKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey
}
