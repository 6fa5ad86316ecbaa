/** Does something when the browser has nothing better to do; the answer takes that back. */
export function whenIdle(action: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const id = requestIdleCallback(action)
    return () => cancelIdleCallback(id)
  }
  // Safari has no such thing.
  const timer = setTimeout(action, 300)
  return () => clearTimeout(timer)
}
