import { consolePath } from './base-path.ts'
import { whenIdle } from './when-idle.ts'

export type Fetch = () => unknown

/**
 * Prefetches the pages of visible links: one at a time when the browser is idle, each once, and never in data-saving
 * mode. Returns a function that stops it.
 */
export function fetchAhead(find: (pathname: string) => readonly Fetch[]): () => void {
  if (savesData()) return () => undefined
  const seen = new WeakSet<Element>()
  const begun = new Set<Fetch>()
  const waiting: Fetch[] = []
  let isFetching = false
  let cancel: (() => void) | undefined

  function next(): void {
    if (isFetching) return
    const fetch = waiting.shift()
    if (fetch === undefined) return
    isFetching = true
    cancel = whenIdle(async () => {
      // Failures are reported when the page is opened.
      await Promise.resolve(fetch()).catch(() => undefined)
      isFetching = false
      next()
    })
  }

  const sight = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue
      sight.unobserve(target)
      for (const fetch of find((target as HTMLAnchorElement).pathname)) {
        if (begun.has(fetch)) continue
        begun.add(fetch)
        waiting.push(fetch)
      }
    }
    next()
  })

  function look(): void {
    for (const link of document.querySelectorAll(`a[href^="${consolePath}/"]`)) {
      if (seen.has(link)) continue
      seen.add(link)
      sight.observe(link)
    }
  }

  const changes = new MutationObserver(look)
  changes.observe(document.body, { childList: true, subtree: true })
  look()
  return () => {
    changes.disconnect()
    sight.disconnect()
    cancel?.()
    waiting.length = 0
  }
}

/** Returns true if the user's browser asks for reduced data use. */
export function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  return connection?.saveData === true
}
