import { useEffect } from 'react'

/**
 * Keeps the focus where the reader is. Browsers begin again at the top when what had it is gone: a row that was deleted, a
 * button that became another, the opener of a dialog; then the focus goes beside it. They also drop it from a button that
 * is out of use while it works; then it comes back.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: HTMLElement | undefined
    let homes: readonly HTMLElement[] = []
    let wasDisabled = false

    function remember({ target }: FocusEvent): void {
      last = target as HTMLElement
      wasDisabled = false
      // A dialog is not part of the page; who leaves it comes back to where it was opened.
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
      const home = homes.find((each) => each.isConnected && !isDisabled(each)) ?? document.querySelector('main h1')
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

/** Itself, for who leaves a dialog; else the table or the section that it stands in: they have names to read out. */
function homesOf(element: HTMLElement): HTMLElement[] {
  return [element, ...['[role=table]', 'section'].flatMap((around) => element.closest<HTMLElement>(around) ?? [])]
}

function isDisabled(element: HTMLElement): boolean {
  return element.matches(':disabled')
}

function hasNoFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}
