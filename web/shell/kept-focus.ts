import { useEffect } from 'react'

/**
 * Keeps the keyboard focus in place. Browsers reset it when the focused element disappears: a deleted row, a replaced
 * button, the opener of a dialog. Then a nearby element gets it. Browsers also remove it from a button that is disabled
 * while it works; then the button gets it back.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: HTMLElement | undefined
    let homes: readonly HTMLElement[] = []
    let wasDisabled = false

    function remember({ target }: FocusEvent): void {
      last = target as HTMLElement
      wasDisabled = false
      // A dialog is not part of the page; after it, the focus returns to its opener.
      if (!last.closest('[role=dialog]')) homes = homesOf(last)
    }

    /** Clears the focus after a click beside controls, once removed elements are gone. */
    function forget({ relatedTarget }: FocusEvent): void {
      if (relatedTarget !== null) return
      queueMicrotask(() => {
        if (last?.isConnected && !isDisabled(last) && hasNoFocus()) last = undefined
      })
    }

    function keep(): void {
      if (last === undefined) return
      if (last.isConnected) {
        const isBack = wasDisabled && !isDisabled(last)
        wasDisabled = isDisabled(last)
        if (isBack && hasNoFocus()) last.focus({ preventScroll: true })
        return
      }
      if (!hasNoFocus()) return
      last = undefined
      const home = homes.find((home) => home.isConnected && !isDisabled(home)) ?? document.querySelector('main h1')
      if (!(home instanceof HTMLElement)) return
      if (home.tabIndex < 0) home.tabIndex = -1
      home.focus({ preventScroll: true })
    }

    const changes = new MutationObserver(keep)
    document.addEventListener('focusin', remember)
    document.addEventListener('focusout', forget)
    changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    return () => {
      document.removeEventListener('focusin', remember)
      document.removeEventListener('focusout', forget)
      changes.disconnect()
    }
  }, [])
}

/** Returns the element, for the end of a dialog, or else its table or section, which have names for screen readers. */
function homesOf(element: HTMLElement): HTMLElement[] {
  return [element, ...['[role=table]', 'section'].flatMap((around) => element.closest<HTMLElement>(around) ?? [])]
}

function isDisabled(element: HTMLElement): boolean {
  return element.matches(':disabled')
}

function hasNoFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}
