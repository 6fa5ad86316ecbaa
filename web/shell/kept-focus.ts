import { useEffect } from 'react'

/**
 * Puts the focus beside what had it when that is gone, as browsers then begin again at the top: a row that was deleted, a
 * button that became another, the opener of a dialog.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | undefined
    let homes: readonly HTMLElement[] = []

    function remember({ target }: FocusEvent): void {
      last = target as Element
      // A dialog is not part of the page; who leaves it comes back to where it was opened.
      if (!last.closest('[role=dialog]')) homes = homesOf(last)
    }

    /** Who clicks beside everything wants no focus; that is known once what goes is gone. */
    function forget({ relatedTarget }: FocusEvent): void {
      if (relatedTarget !== null) return
      queueMicrotask(() => {
        if (last?.isConnected && hasNoFocus()) last = undefined
      })
    }

    const changes = new MutationObserver(() => {
      if (last === undefined || last.isConnected || !hasNoFocus()) return
      last = undefined
      const home = homes.find(({ isConnected }) => isConnected) ?? document.querySelector<HTMLElement>('main h1')
      if (home === null) return
      if (!home.hasAttribute('tabindex')) home.tabIndex = -1
      home.focus({ preventScroll: true })
    })

    document.addEventListener('focusin', remember)
    document.addEventListener('focusout', forget)
    changes.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', remember)
      document.removeEventListener('focusout', forget)
      changes.disconnect()
    }
  }, [])
}

/** The table or the section that something stands in, the nearest first: they have names to read out. */
function homesOf(element: Element): HTMLElement[] {
  return ['[role=table]', 'section'].flatMap((around) => element.closest<HTMLElement>(around) ?? [])
}

function hasNoFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}
