/**
 * What `look` finds, looked at once for all that ask until the promise jobs which now wait are done. Nothing is missed:
 * whoever asks meanwhile arrived before it was looked at, and whoever is told of a commit goes on after it is forgotten.
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
