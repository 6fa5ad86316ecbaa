import { Command } from 'commander'
import { checkedAtOf, type ExploitSource } from '#analysis/advisories/exploit-signals.ts'
import { registries as everyRegistry } from '#analysis/advisories/package-names.ts'
import { listReadySnapshots, type StoredSnapshot } from '#features/advisory-sync/store.ts'
import { runAdvisoriesSync, type SyncResult } from '#features/advisory-sync/sync.ts'
import { toSyncSettings } from '#features/advisory-sync/sync-settings.ts'
import { migrate } from '#foundation/db/migrate.ts'
import { OutgoingRefused } from '#foundation/outgoing/outgoing-errors.ts'
import { SyncFailed } from '#scanning/advisories/sync-failed.ts'
import type { SyncProgress } from '#scanning/advisories/sync-order.ts'
import { chooseRegistries } from '#scanning/advisories/sync-to-file.ts'
import { ClientFailure } from '../client/failure.ts'
import { isAnimated } from '../client/terminal.ts'
import { plural } from '../client/terminal-text.ts'
import { withInterrupt } from './interrupt.ts'
import { localEnvironment } from './local-environment.ts'
import { append } from './repeatable.ts'
import { openServerStorage, openStorage } from './storage.ts'

interface SyncOptions {
  readonly local?: true
  readonly from?: string
  readonly ecosystem?: readonly string[]
  readonly acceptRemovals?: true
  readonly json?: true
}

export function advisoriesCommand(): Command {
  const command = new Command('advisories')
  command
    .command('sync')
    .description('Fetch new advisories from GATEHOUSE_ADVISORIES_URL; running servers use them within seconds')
    .option('--from <url>', 'URL or folder in the layout of the public OSV export, instead of GATEHOUSE_ADVISORIES_URL')
    .option('--local', 'fill the cache folder of "gatehouse test --local" instead of the database')
    .option('--ecosystem <name>', 'sync only this ecosystem (repeatable); the others stay as they are', append)
    .option('--accept-removals', 'accept a source that lists far fewer records than before')
    .option('--json', 'print the result as JSON, without progress')
    .action(sync)
  command
    .command('status')
    .description('Show the stored advisories and their age')
    .option('--local', 'show those of "gatehouse test --local"')
    .option('--json', 'print JSON')
    .action(status)
  return command
}

async function sync(options: SyncOptions): Promise<void> {
  process.exitCode = await withInterrupt((signal) => syncUntil(signal, options))
}

async function syncUntil(signal: AbortSignal, options: SyncOptions): Promise<number> {
  const { local, from, ecosystem, acceptRemovals, json } = options
  const registries = toRegistries(ecosystem ?? [])
  const storage = openStorage(local ? localEnvironment(process.env) : process.env, 'beside')
  const { config, database } = storage
  const display = json ? undefined : openDisplay(process.stderr)
  try {
    await migrate(database)
    const result = await runAdvisoriesSync(
      { db: database.db, now: Date.now },
      {
        ...toSyncSettings(config, from),
        registries,
        acceptRemovals: acceptRemovals === true,
        signal,
        ...(display && { onProgress: display.show }),
      },
    )
    display?.clear()
    console.log(json ? JSON.stringify(result, undefined, 2) : describe(result))
    return 0
  } catch (error) {
    display?.clear()
    signal.throwIfAborted()
    if (!(error instanceof SyncFailed || error instanceof OutgoingRefused)) throw error
    if (json) console.log(JSON.stringify({ outcome: 'failed', reason: error.message }, undefined, 2))
    else console.error(`The advisories were not changed: ${withRemedy(error.message)}`)
    return 1
  } finally {
    await storage.close()
  }
}

function toRegistries(names: readonly string[]): ReturnType<typeof chooseRegistries> {
  try {
    return chooseRegistries(names)
  } catch (error) {
    throw error instanceof SyncFailed ? new ClientFailure(`--ecosystem: ${error.message}.`, { cause: error }) : error
  }
}

/** The source is out of reach, or not in the layout, unless the reason already says what to do. */
function withRemedy(reason: string): string {
  if (reason.includes('--accept-removals')) return reason
  return `${reason}. Check the network, GATEHOUSE_ADVISORIES_URL and GATEHOUSE_OUTGOING_PROXY, or name a copy of the export with --from.`
}

function describe(result: SyncResult): string {
  const failures = result.exploitSources.filter(({ failure }) => failure !== undefined).map(describeSource)
  if (result.outcome === 'unchanged') return ['The advisories are up to date.', ...failures].join('\n')
  const { records, fetched, carried, removed, rejected, rejectedCount, missing, unreadableBounds, sizeBytes } = result
  const counts = Object.entries(result.registries).map(
    ([registry, totals]) => `  ${registry.padEnd(9)} ${totals.records} records about ${totals.packages} packages`,
  )
  const absent = everyRegistry.filter((registry) => result.registries[registry] === undefined)
  return [
    `New advisories: ${records} records (${fetched} fetched, ${carried} kept, ${removed} removed), ${megabytes(sizeBytes)}`,
    ...counts,
    ...(absent.length > 0 ? [`  The source has none for ${absent.join(', ')}.`] : []),
    ...result.exploitSources.map(describeSource),
    ...(rejectedCount > 0 ? [`${rejectedCount} records could not be read:`] : []),
    ...rejected.slice(0, 10).map(({ id, reason }) => `  ${id}: ${reason}`),
    ...(missing.length > 0 ? [`${missing.length} announced records were not delivered: ${firstOf(missing)}`] : []),
    ...(unreadableBounds.count > 0
      ? [`${unreadableBounds.count} range limits are not valid versions, so these ranges count as unbounded:`]
      : []),
    ...unreadableBounds.examples.slice(0, 10).map((bound) => `  ${bound}`),
  ].join('\n')
}

const KINDS = { kev: 'Exploited', epss: 'EPSS' } as const

function describeSource({ label, kind, entries, released, failure }: ExploitSource): string {
  const content = kind
    ? `${KINDS[kind]}: ${entries} CVEs from ${label}${released === '' ? '' : `, released ${released}`}`
    : `Exploit data: none from ${label}`
  return failure === undefined ? `  ${content}` : `  ${content}; kept, since the source failed: ${failure}`
}

function firstOf(ids: readonly string[]): string {
  return ids.length > 5 ? `${ids.slice(0, 5).join(', ')}, …` : ids.join(', ')
}

async function status({ local, json }: { local?: true; json?: true }): Promise<void> {
  const storage = local ? openStorage(localEnvironment(process.env), 'beside') : openServerStorage(process.env)
  try {
    await migrate(storage.database)
    const [newest] = await listReadySnapshots(storage.database.db, 1)
    console.log(json ? JSON.stringify(toStatus(newest), undefined, 2) : statusText(newest))
  } finally {
    await storage.close()
  }
}

function toStatus(newest: StoredSnapshot | undefined) {
  if (!newest) return { snapshot: null }
  const { builtAt, checkedAt, exploitSources, ...rest } = newest
  const times = { builtAt: new Date(builtAt).toISOString(), checkedAt: new Date(checkedAt).toISOString() }
  const sources = exploitSources.map(({ fetchedAt, ...source }) => {
    const checked = checkedAtOf({ ...source, fetchedAt }, checkedAt)
    const age = checked !== undefined && { checkedAt: new Date(checked).toISOString(), ageSeconds: ageSeconds(checked) }
    return { ...source, ...age }
  })
  return { snapshot: { ...rest, ...times, ageSeconds: ageSeconds(checkedAt), exploitSources: sources } }
}

function statusText(newest: StoredSnapshot | undefined): string {
  if (!newest) return 'There are no advisories yet: the first start of the server brings its starter set.'
  return [
    `${newest.records} records, ${megabytes(newest.sizeBytes)}`,
    `  from       ${newest.source}`,
    `  built      ${new Date(newest.builtAt).toISOString()}`,
    `  checked    ${new Date(newest.checkedAt).toISOString()} (${ageText(newest.checkedAt)} ago)`,
    ...toExploitStatus(newest),
    `  snapshot   ${newest.digest}`,
    ...(newest.isStarterSet ? ['This is only the starter set; "gatehouse advisories sync" brings the rest.'] : []),
  ].join('\n')
}

/** Returns a line per source of exploit data, and one for each kind without a source. */
function toExploitStatus({ exploitSources, checkedAt }: StoredSnapshot): string[] {
  const lines = exploitSources.map((source) => {
    const checked = checkedAtOf(source, checkedAt)
    const age = checked === undefined ? 'never read' : `checked ${ageText(checked)} ago`
    return { kind: source.kind, text: `${describeSource(source).trim()} (${age})` }
  })
  const missing = (['kev', 'epss'] as const).filter((kind) => lines.every((line) => line.kind !== kind))
  return [...lines.map(({ text }) => text), ...missing.map((kind) => `${KINDS[kind]}: not synced`)].map(
    (text) => `  exploits   ${text}`,
  )
}

/** Hours up to two days, then days. */
function ageText(checkedAt: number): string {
  const hours = Math.round(ageSeconds(checkedAt) / 3600)
  return hours < 48 ? plural(hours, 'hour') : plural(Math.floor(hours / 24), 'day')
}

function ageSeconds(checkedAt: number): number {
  return Math.max(0, Math.round((Date.now() - checkedAt) / 1000))
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

const PHASES: Readonly<Record<SyncProgress['phase'], string>> = {
  exploits: 'Fetching exploit data',
  listing: 'Listing changes',
  fetching: 'Fetching',
  reading: 'Reading',
  carrying: 'Copying unchanged records',
  compiling: 'Compiling',
  storing: 'Storing',
}

const BAR_CELLS = 24
const REDRAW_MS = 100

/** Shows a progress bar on a terminal; elsewhere prints a line per phase. */
function openDisplay(stream: NodeJS.WriteStream) {
  const isLive = isAnimated(stream, process.env)
  let shownTitle = ''
  let drawnAt = 0

  function show(progress: SyncProgress): void {
    const title = [PHASES[progress.phase], progress.registry].filter(Boolean).join(': ')
    if (isLive) {
      const isLast = progress.done === progress.total
      if (title === shownTitle && !isLast && Date.now() - drawnAt < REDRAW_MS) return
      drawnAt = Date.now()
      stream.write(`\r\x1b[K${title} ${toBar(progress)}`)
    } else if (title !== shownTitle) {
      stream.write(`${title}\n`)
    }
    shownTitle = title
  }

  return { show, clear: () => isLive && stream.write('\r\x1b[K') }
}

function toBar({ done, total, unit }: SyncProgress): string {
  const amount = (count: number) => (unit === 'bytes' ? megabytes(count) : `${count}`)
  if (total === undefined || total === 0) return done === 0 ? '…' : amount(done)
  const filled = Math.min(BAR_CELLS, Math.round((done / total) * BAR_CELLS))
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_CELLS - filled)} ${amount(done)} of ${amount(total)}`
}
