import { Problem } from '../problem.ts'

/** Bytes that a repository takes until it is closed. */
export interface Usage {
  readonly disk: number
  readonly received: number
}

/** The limits for one repository and for all together. */
export interface RoomBounds {
  readonly usage: Usage
  readonly all: Usage
}

/**
 * The space that all open repositories of a process share. The oldest repository may always use its own limit; the
 * others share the rest. So the total stays within its limit, and one repository can always finish and free its space.
 */
export interface SharedRoom {
  open(): RoomShare
}

/** One repository's share. */
export interface RoomShare {
  /** Reports what it takes. Stops fetches for which no room is left. */
  update(usage: Usage): void
  /**
   * Waits until the repository may fetch. A fetch that was stopped starts `again` once its whole limit can be reserved,
   * after which it is not stopped again. Throws `Problem` on `signal`.
   */
  enter(fetch: { stop(): void; again: boolean; signal?: AbortSignal | undefined }): Promise<void>
  /** Ends the fetch and reports what it takes now. */
  leave(usage: Usage): void
  close(): void
}

type Kind = keyof Usage
const KINDS: readonly Kind[] = ['disk', 'received']
const NOTHING: Usage = { disk: 0, received: 0 }

interface Share {
  usage: Usage
  /** Its running fetch. */
  fetch: { stop(): void; readonly before: Usage; readonly isReserved: boolean } | undefined
}

export function createSharedRoom({ usage: limit, all }: RoomBounds): SharedRoom {
  const shares = new Set<Share>()
  const waiting = new Set<() => void>()

  const sharedOf = (kind: Kind) => all[kind] - limit[kind]
  /** Sums what repositories take or have reserved. */
  const sum = (some: readonly Share[], kind: Kind) =>
    some.reduce((total, { usage, fetch }) => total + (fetch?.isReserved ? limit[kind] : usage[kind]), 0)

  function mayEnter(share: Share, again: boolean): boolean {
    const [oldest, ...younger] = shares
    if (share === oldest) return true
    const others = younger.filter((other) => other !== share)
    return KINDS.every((kind) => {
      const free = sharedOf(kind) - sum(others, kind)
      return again ? free >= limit[kind] : free > share.usage[kind]
    })
  }

  /** Stops fetches until the younger repositories fit, first the one that has fetched most. */
  function stopExcess(): void {
    const [, ...younger] = shares
    for (const kind of KINDS) {
      const grownBy = ({ usage, fetch }: Share) => (fetch === undefined ? 0 : usage[kind] - fetch.before[kind])
      for (const share of younger.toSorted((one, other) => grownBy(other) - grownBy(one))) {
        if (sum(younger, kind) <= sharedOf(kind)) break
        if (share.fetch === undefined || share.fetch.isReserved || grownBy(share) <= 0) continue
        share.fetch.stop()
        share.usage = share.fetch.before
        share.fetch = undefined
      }
    }
  }

  function wake(): void {
    for (const look of waiting) look()
  }

  function wait(isOver: () => boolean, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        waiting.delete(look)
        signal?.removeEventListener('abort', look)
        settle()
      }
      const look = () => {
        if (signal?.aborted) finish(() => reject(new Problem('unavailable', 'Reading the repository was stopped')))
        else if (isOver()) finish(resolve)
      }
      waiting.add(look)
      signal?.addEventListener('abort', look)
      look()
    })
  }

  return {
    open() {
      const share: Share = { usage: NOTHING, fetch: undefined }
      shares.add(share)
      const set = (usage: Usage) => {
        share.usage = usage
        stopExcess()
        wake()
      }
      return {
        update(usage) {
          // A stopped fetch occupies its space until it has ended, whatever it reports.
          if (share.fetch !== undefined) set(usage)
        },
        enter: ({ stop, again, signal }) =>
          wait(() => {
            if (!mayEnter(share, again)) return false
            // Set now, so that the next check counts it.
            share.fetch = { stop, before: share.usage, isReserved: again }
            return true
          }, signal),
        leave(usage) {
          share.fetch = undefined
          set(usage)
        },
        close() {
          shares.delete(share)
          wake()
        },
      }
    },
  }
}
