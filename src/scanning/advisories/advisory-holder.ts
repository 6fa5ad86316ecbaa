import type { Epss } from '#analysis/advisories/exploit-signals.ts'
import type { SnapshotHeader } from '#analysis/advisories/snapshot.ts'
import type { OpenAdvisories } from './open-advisories.ts'
import type { SharedSnapshot } from './snapshot-file.ts'

/** A snapshot that stays open until the lease is released, even if another one replaces it. */
export interface Lease {
  readonly advisories: OpenAdvisories
  release(): void
}

export interface AdvisoryFacts extends SnapshotHeader {
  readonly records: number
  /** Epoch milliseconds of the last sync that found nothing newer in the source. */
  readonly checkedAt: number
  readonly ageSeconds: number
}

/** The advisories in use by this process: the newest complete snapshot in the database. */
export interface AdvisoryHolder {
  /** Returns the snapshot to pass to threads. */
  current(): SharedSnapshot
  acquire(): Lease
  facts(): AdvisoryFacts
  /** Looks up the EPSS of a vulnerability with these CVEs. */
  epssOf(cves: readonly string[]): Epss
  /** Registers a listener, called after each change of snapshot. Returns a function that removes it. */
  onChange(listener: (snapshot: SharedSnapshot) => void): () => void
  /** Checks the database now. Returns true if the snapshot changed. */
  refresh(): Promise<boolean>
  close(): Promise<void>
}
