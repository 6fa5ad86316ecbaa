import type { Database } from '#foundation/db/open-database.ts'
import { helpImport, type ImportServices } from './run-import.ts'
import type { ImportRow } from './store.ts'
import { PROCESS_ID } from './take-manifests.ts'
import { findImportToShare } from './workers-store.ts'

const POLL_MS = 500
/** Limit of remembered imports that this process could not help with; beyond it, the oldest is tried again. */
const MAX_GIVEN_UP = 100

export interface Sharing {
  /** Stops helping and waits until all repositories are closed. */
  close(): Promise<void>
}

/**
 * Helps other processes to test the manifests of their imports, until closed. Does nothing on SQLite. Helping does not
 * count as an import job, so a large import does not delay the imports of other organizations.
 */
export function startSharing(services: ImportServices & { readonly database: Database }): Sharing {
  const { database, db, config, now, log } = services
  const stopping = new AbortController()
  const active = new Set<Promise<void>>()
  const givenUp = new Set<string>()
  const most = Math.ceil(config.importsPerProcess / 2)
  let timer: NodeJS.Timeout | undefined
  let looking = Promise.resolve()

  async function look(): Promise<void> {
    try {
      if (active.size >= most) return
      const row = await findImportToShare(db, { processId: PROCESS_ID, except: [...givenUp], now: now() })
      if (row !== undefined && !stopping.signal.aborted) await begin(row)
    } catch (err) {
      log.error({ err }, 'polling for imports to help with failed')
    } finally {
      if (!stopping.signal.aborted) timer = setTimeout(again, POLL_MS)
    }
  }

  /** Resolves when other polls can see that this process helps, or when the help is over. */
  function begin(row: ImportRow): Promise<void> {
    const registered = Promise.withResolvers<void>()
    const help = helpImport(services, row, { signal: stopping.signal, onBegin: registered.resolve })
      .catch((err) => {
        if (stopping.signal.aborted) return
        giveUp(row.id)
        log.warn({ err, import: row.id }, 'this process cannot help with an import; others continue it')
      })
      .finally(() => {
        active.delete(help)
        registered.resolve()
      })
    active.add(help)
    return registered.promise
  }

  function giveUp(importId: string): void {
    if (givenUp.size === MAX_GIVEN_UP) givenUp.delete([...givenUp][0]!)
    givenUp.add(importId)
  }

  function again(): void {
    looking = look()
  }

  if (database.engine === 'postgres') again()
  return {
    async close() {
      stopping.abort()
      clearTimeout(timer)
      await looking
      await Promise.all(active)
    },
  }
}
