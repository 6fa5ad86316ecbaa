/** Runs an action when the browser is idle. Returns a function that cancels it. */
export function whenIdle(action: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const id = requestIdleCallback(action)
    return () => cancelIdleCallback(id)
  }
  // Safari does not support idle callbacks.
  const timer = setTimeout(action, 300)
  return () => clearTimeout(timer)
}
