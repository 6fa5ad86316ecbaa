import { compareSnapshots } from '#analysis/advisories/compare-snapshots.ts'
import { changedListings } from '#analysis/advisories/exploit-signals.ts'
import { unpackIndex } from '#analysis/advisories/index-layout.ts'
import type { KnownIssue } from '#analysis/findings/known-issue.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import { listReadySnapshots } from '#features/advisory-sync/store.ts'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { takeLock } from '#foundation/db/transaction-lock.ts'
import type { Services } from '#foundation/services.ts'
import { createSlices } from '#foundation/slices.ts'
import type { AdvisoryHolder } from '#scanning/advisories/advisory-holder.ts'
import type { OpenAdvisories } from '#scanning/advisories/open-advisories.ts'
import type { SharedSnapshot } from '#scanning/advisories/snapshot-file.ts'
import { findMatched, listKnownIssues, saveMatched } from '../storage/known-issues-store.ts'
import { findPackagesByNumber, findPackagesNamed, listPackages, type PackageRow } from '../storage/packages-store.ts'
import { refreshEpss } from './epss-store.ts'
import { compareIssues, matchPackage } from './match-package.ts'
import { applyChanges, hasUnmatched, listAffectedPackages, takeUnmatched } from './matching-store.ts'

export interface Matched {
  readonly digest: string
  /** Number of packages that were matched with the advisories. */
  readonly packages: number
  /** Number of those whose issues changed. */
  readonly changed: number
}

/** Keeps the stored issues of packages consistent with the advisories in use. */
export interface AdvisoryMatcher {
  /** Returns undefined if there was nothing to do. May be repeated after an interruption at any point. */
  run(signal?: AbortSignal): Promise<Matched | undefined>
  close(): void
}

/** Packages read per step, and packages written per transaction. */
const BATCH = 500
const BATCH_WRITTEN = 40
/** With more names than this, all packages are scanned instead. */
const MOST_NAMES = 5_000
const NAMES_AT_ONCE = 100
/** Milliseconds for which the previous snapshot is kept for comparison. */
const KEEP_PREVIOUS_MS = 120_000

type Tools = Pick<Services, 'db' | 'now'>

/**
 * Matches stored packages with new advisories. While it runs, `matched_advisories.next_digest` names its goal. Each
 * transaction takes the lock on known issues exclusively, which writers of packages share: they see its changes, or it
 * sees theirs. Packages added meanwhile with other advisories are listed and processed last.
 */
export function createAdvisoryMatcher({ db, now }: Tools, holder: AdvisoryHolder): AdvisoryMatcher {
  let current = holder.current()
  let previous: SharedSnapshot | undefined
  let forgetting: NodeJS.Timeout | undefined
  const endListening = holder.onChange((next) => {
    previous = current
    current = next
    clearTimeout(forgetting)
    forgetting = setTimeout(() => {
      previous = undefined
    }, KEEP_PREVIOUS_MS)
    forgetting.unref()
  })

  async function run(signal?: AbortSignal): Promise<Matched | undefined> {
    const lease = holder.acquire()
    const after = holder.current()
    try {
      const matched = await match(lease.advisories, after, signal)
      const { signalsOf } = lease.advisories
      if (matched !== 'too late') await refreshEpss(db, { digest: after.header.digest, now: now(), signalsOf, signal })
      return matched === 'too late' ? undefined : matched
    } finally {
      lease.release()
    }
  }

  async function match(advisories: OpenAdvisories, after: SharedSnapshot, signal: AbortSignal | undefined) {
    const { digest } = after.header
    const isDone = (matched: Progress) => matched?.digest === digest && matched.next_digest === null
    if (isDone(await findMatched(db)) && !(await hasUnmatched(db))) return undefined
    const rewriting: Rewriting = { db, at: now(), digest, advisories, signal }
    const begun = await begin(rewriting)
    if (begun === 'too late') return begun
    const { matched } = begun
    // After an interrupted switch to other advisories, the progress is unknown.
    const isWayKnown = matched?.next_digest === null || matched?.next_digest === digest
    const isPreviousKnown = isWayKnown && previous?.header.digest === matched?.digest
    const before = isPreviousKnown ? previous : undefined
    const packages = isDone(matched) ? [] : before ? listChanged(db, before, after) : listAll(db, () => true)
    const counts = { packages: 0, changed: 0 }
    for await (const rows of packages) {
      counts.packages += rows.length
      counts.changed += await rewrite(rewriting, rows)
      signal?.throwIfAborted()
    }
    return { digest, packages: counts.packages + (await finish(rewriting)), changed: counts.changed }
  }

  return {
    run,
    close() {
      endListening()
      clearTimeout(forgetting)
    },
  }
}

/** Returns false if other processes already matched newer advisories, which must not be undone. */
async function isNewest(db: Db, digest: string, than: string): Promise<boolean> {
  const order = (await listReadySnapshots(db, 10)).map((readySnapshot) => readySnapshot.digest)
  const [mine, theirs] = [order.indexOf(digest), order.indexOf(than)]
  return theirs < 0 || (mine >= 0 && mine <= theirs)
}

type Progress = Awaited<ReturnType<typeof findMatched>>

interface Rewriting {
  readonly db: Db
  readonly at: number
  readonly digest: string
  readonly advisories: OpenAdvisories
  readonly signal: AbortSignal | undefined
}

/**
 * Records the goal and reads the progress of other processes: data read before the lock may be outdated if the process
 * was suspended.
 */
async function begin({ db, digest, at }: Rewriting): Promise<{ readonly matched: Progress } | 'too late'> {
  return inTransaction(db, async (tx) => {
    await takeLock(tx, 'known-issues')
    const matched = await findMatched(tx)
    if (matched && !(await isNewest(tx, digest, matched.next_digest ?? matched.digest))) return 'too late'
    await saveMatched(tx, { digest: matched?.digest ?? digest, nextDigest: digest, at })
    return { matched }
  })
}

/** Runs a step, unless another process has moved on to newer advisories. */
async function inTurn<T>({ db, digest }: Rewriting, work: (tx: Db) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    await takeLock(tx, 'known-issues')
    const matched = await findMatched(tx)
    if (matched?.next_digest !== digest) throw new Error('other advisories are being matched')
    return work(tx)
  })
}

/**
 * Lists the packages whose advisories, or whose entries in the catalog of exploited vulnerabilities, differ between the
 * two snapshots.
 */
async function* listChanged(db: Db, before: SharedSnapshot, after: SharedSnapshot): AsyncGenerator<PackageRow[]> {
  const pause = createSlices()
  const names = new Map<Registry, string[]>()
  let count = 0
  for (const changed of compareSnapshots(before.index, after.index)) {
    if (changed) {
      const existing = names.get(changed.registry)
      if (existing) existing.push(changed.name)
      else names.set(changed.registry, [changed.name])
      count++
    }
    await pause()
  }
  if (count > MOST_NAMES) {
    const changedNames = new Map([...names].map(([registry, own]) => [registry as string, new Set(own)]))
    // Alternative names are found only by their own look-up, so packages with any are always included.
    yield* listAll(
      db,
      ({ registry, name, variant }) => variant !== '' || changedNames.get(registry)?.has(name) === true,
    )
  } else {
    for (const [registry, own] of names) {
      for (let at = 0; at < own.length; at += NAMES_AT_ONCE) {
        yield* inBatches(await findPackagesNamed(db, registry, own.slice(at, at + NAMES_AT_ONCE)))
      }
    }
  }
  const exploited = changedListings(unpackIndex(before.index), unpackIndex(after.index))
  if (exploited.size > 0) yield* listAffectedBy(db, exploited)
}

async function* listAll(db: Db, isWanted: (row: PackageRow) => boolean): AsyncGenerator<PackageRow[]> {
  for (let after = 0; ; ) {
    const rows = await listPackages(db, after, BATCH)
    if (rows.length === 0) return
    after = Number(rows.at(-1)!.number)
    yield rows.filter(isWanted)
  }
}

function* inBatches(rows: readonly PackageRow[]): Generator<PackageRow[]> {
  for (let at = 0; at < rows.length; at += BATCH) yield rows.slice(at, at + BATCH)
}

async function* listAffectedBy(db: Db, cves: ReadonlySet<string>): AsyncGenerator<PackageRow[]> {
  for (let after = 0; ; ) {
    const numbers = await listAffectedPackages(db, after, BATCH)
    if (numbers.length === 0) return
    after = numbers.at(-1)!
    const rows = await listKnownIssues(db, numbers)
    const hit = rows.filter(({ facts }) => (JSON.parse(facts) as KnownIssue['facts']).cve.some((cve) => cves.has(cve)))
    yield await findPackagesByNumber(db, [...new Set(hit.map(({ package_number }) => Number(package_number)))])
  }
}

/** Matches packages and stores changes of their issues; returns the number of changed packages. */
async function rewrite(rewriting: Rewriting, rows: readonly PackageRow[]): Promise<number> {
  const pause = createSlices()
  const stored = await readIssues(rewriting.db, rows)
  const changed = new Map<number, readonly KnownIssue[]>()
  for (const row of rows) {
    const number = Number(row.number)
    const issues = matchPackage(rewriting.advisories, row)
    if (compareIssues(number, issues, stored.get(number) ?? [])) changed.set(number, issues)
    await pause()
  }
  const numbers = [...changed.keys()]
  for (let at = 0; at < numbers.length; at += BATCH_WRITTEN) {
    const part = numbers.slice(at, at + BATCH_WRITTEN)
    await inTurn(rewriting, (tx) => writeChanges(tx, part, { issues: changed, at: rewriting.at }))
    rewriting.signal?.throwIfAborted()
  }
  return numbers.length
}

async function readIssues(db: Db, rows: readonly { readonly number: number }[]) {
  const issueRows = await listKnownIssues(
    db,
    rows.map(({ number }) => Number(number)),
  )
  return Map.groupBy(issueRows, ({ package_number }) => Number(package_number))
}

async function writeChanges(
  tx: Db,
  numbers: readonly number[],
  { issues, at }: { issues: ReadonlyMap<number, readonly KnownIssue[]>; at: number },
): Promise<void> {
  const stored = await readIssues(
    tx,
    numbers.map((number) => ({ number })),
  )
  const changes = numbers.flatMap((number) => {
    const change = compareIssues(number, issues.get(number)!, stored.get(number) ?? [])
    return change ? [change] : []
  })
  await applyChanges(tx, changes, at)
}

/** Processes the packages that were added meanwhile; returns their number. */
async function finish(rewriting: Rewriting): Promise<number> {
  const { advisories, at, digest } = rewriting
  for (let count = 0; ; ) {
    const taken = await inTurn(rewriting, async (tx) => {
      const numbers = await takeUnmatched(tx, BATCH_WRITTEN)
      if (numbers.length === 0) await saveMatched(tx, { digest, nextDigest: null, at })
      const rows = await findPackagesByNumber(tx, numbers)
      const issues = new Map(rows.map((row) => [Number(row.number), matchPackage(advisories, row)]))
      await writeChanges(tx, [...issues.keys()], { issues, at })
      return numbers.length
    })
    if (taken === 0) return count
    count += taken
    rewriting.signal?.throwIfAborted()
  }
}
