/**
 * Work that is done once for all callers that want its result at the same time. It is aborted when none of them waits
 * any more.
 */
export interface SharedWork<T> {
  /**
   * Joins the work under way with this key, or begins it. Rejects with the signal's reason if the signal aborts first.
   */
  join(key: string, signal: AbortSignal | undefined, begin: (signal: AbortSignal) => Promise<T>): Promise<T>
}

interface Shared<T> {
  readonly result: Promise<T>
  readonly controller: AbortController
  waiting: number
}

export function createSharedWork<T>(): SharedWork<T> {
  const underWay = new Map<string, Shared<T>>()

  function start(key: string, begin: (signal: AbortSignal) => Promise<T>): Shared<T> {
    const controller = new AbortController()
    const shared: Shared<T> = { result: begin(controller.signal), controller, waiting: 0 }
    const end = () => forget(key, shared)
    shared.result.then(end, end)
    underWay.set(key, shared)
    return shared
  }

  function forget(key: string, shared: Shared<T>): void {
    if (underWay.get(key) === shared) underWay.delete(key)
  }

  return {
    async join(key, signal, begin) {
      signal?.throwIfAborted()
      const shared = underWay.get(key) ?? start(key, begin)
      shared.waiting++
      try {
        return await orAborted(shared.result, signal)
      } finally {
        shared.waiting--
        if (shared.waiting === 0) {
          // Later callers start new work.
          forget(key, shared)
          shared.controller.abort()
        }
      }
    },
  }
}

/** Settles like `work`, unless the signal aborts first. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
