/**
 * Shares one call of `look` among all callers until the promise jobs that wait now are done. Nothing is missed: callers
 * meanwhile asked before the call, and code notified of a commit continues after the result is dropped.
 */
export function seenOnce<T extends NonNullable<unknown>>(look: () => T): () => T {
  let seen: T | undefined
  const forget = () => {
    seen = undefined
  }
  return () => {
    if (seen === undefined) {
      seen = look()
      queueMicrotask(forget)
    }
    return seen
  }
}
