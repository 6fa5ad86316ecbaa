/** The owner of work: shares are divided between organizations first, then between the credentials of one. */
export interface Party {
  readonly org: string
  readonly credential: string
}

/**
 * A queue that shares time, not turns: the organization that used the least processor time goes first, and within it
 * the credential that did (start-time fair queueing). A party gains no credit for time in which it had no work.
 */
export interface FairQueue<T> {
  readonly size: number
  sizeOf(org: string): number
  add(item: T, party: Party, place: 'first' | 'last'): void
  /** Returns false if the item is not in the queue. */
  remove(item: T, party: Party): boolean
  /**
   * Removes and returns the first item in fair order that `fits`; an item that does not fit holds up its credential's
   * others.
   */
  take(fits: (item: T) => boolean): T | undefined
  /** Records time that the party used, in milliseconds. */
  charge(party: Party, ms: number): void
  items(): T[]
}

interface Line<Child> {
  usedMs: number
  readonly waiting: Child
}

interface Shares<Child> {
  /** The time used by the party that was served last; a returning party starts from it. */
  reachedMs: number
  readonly lines: Map<string, Line<Child>>
}

/** Limit on empty lines that are kept because their parties used more time than others. */
const MAX_IDLE_LINES = 1000

export function createFairQueue<T>(): FairQueue<T> {
  const orgs: Shares<Shares<T[]>> = { reachedMs: 0, lines: new Map() }

  const isOrgIdle = ({ lines }: Shares<T[]>) => [...lines.values()].every(({ waiting }) => waiting.length === 0)
  const isCredentialIdle = (items: T[]) => items.length === 0
  const listItems = ({ lines }: Shares<T[]>) => [...lines.values()].flatMap(({ waiting }) => waiting)

  function orgLine(org: string): Line<Shares<T[]>> {
    return lineOf(orgs, org, { make: () => ({ reachedMs: 0, lines: new Map() }), isIdle: isOrgIdle })
  }

  function credentialLine(shares: Shares<T[]>, credential: string): Line<T[]> {
    return lineOf(shares, credential, { make: () => [], isIdle: isCredentialIdle })
  }

  function takeFrom(shares: Shares<T[]>, fits: (item: T) => boolean): T | undefined {
    for (const line of inFairOrder(shares, isCredentialIdle)) {
      if (!fits(line.waiting[0]!)) continue
      shares.reachedMs = Math.max(shares.reachedMs, line.usedMs)
      return line.waiting.shift()
    }
    return undefined
  }

  return {
    get size() {
      return [...orgs.lines.values()].reduce((sum, { waiting }) => sum + listItems(waiting).length, 0)
    },
    sizeOf(org) {
      const line = orgs.lines.get(org)
      return line === undefined ? 0 : listItems(line.waiting).length
    },
    add(item, { org, credential }, place) {
      const ofOrg = orgLine(org)
      if (isOrgIdle(ofOrg.waiting)) ofOrg.usedMs = Math.max(ofOrg.usedMs, orgs.reachedMs)
      const ofCredential = credentialLine(ofOrg.waiting, credential)
      if (ofCredential.waiting.length === 0)
        ofCredential.usedMs = Math.max(ofCredential.usedMs, ofOrg.waiting.reachedMs)
      if (place === 'first') ofCredential.waiting.unshift(item)
      else ofCredential.waiting.push(item)
    },
    remove(item, { org, credential }) {
      const items = orgs.lines.get(org)?.waiting.lines.get(credential)?.waiting
      const at = items?.indexOf(item) ?? -1
      if (at !== -1) items!.splice(at, 1)
      return at !== -1
    },
    take(fits) {
      for (const line of inFairOrder(orgs, isOrgIdle)) {
        const taken = takeFrom(line.waiting, fits)
        if (taken === undefined) continue
        orgs.reachedMs = Math.max(orgs.reachedMs, line.usedMs)
        return taken
      }
      return undefined
    },
    charge({ org, credential }, ms) {
      const line = orgLine(org)
      line.usedMs += ms
      credentialLine(line.waiting, credential).usedMs += ms
    },
    items: () => [...orgs.lines.values()].flatMap(({ waiting }) => listItems(waiting)),
  }
}

function lineOf<Child>(
  shares: Shares<Child>,
  key: string,
  { make, isIdle }: { make(): Child; isIdle(child: Child): boolean },
): Line<Child> {
  const existing = shares.lines.get(key)
  if (existing !== undefined) return existing
  if (shares.lines.size >= MAX_IDLE_LINES) dropIdle(shares, isIdle)
  const line = { usedMs: shares.reachedMs, waiting: make() }
  shares.lines.set(key, line)
  return line
}

function dropIdle<Child>(shares: Shares<Child>, isIdle: (child: Child) => boolean): void {
  for (const [key, { usedMs, waiting }] of shares.lines) {
    if (usedMs <= shares.reachedMs && isIdle(waiting)) shares.lines.delete(key)
  }
}

function inFairOrder<Child>({ lines }: Shares<Child>, isIdle: (child: Child) => boolean): Line<Child>[] {
  return [...lines.values()].filter(({ waiting }) => !isIdle(waiting)).sort((a, b) => a.usedMs - b.usedMs)
}
