import type { Db } from '#foundation/db/database.ts'
import { saveLastUses } from './store.ts'

const FLUSH_EVERY_MS = 15_000

interface BrowserUse {
  readonly at: number
  readonly address: string
}

/**
 * The last uses of credentials and sessions: kept in memory, and stored together several times a minute and when the
 * server stops.
 */
export interface LastUses {
  note(credentialId: string, at: number): void
  noteSession(sessionId: string, at: number): void
  noteBrowserSession(sessionId: string, use: BrowserUse): void
  flush(): Promise<void>
  close(): Promise<void>
}

export function createLastUses(db: Db, onError: (error: unknown) => void): LastUses {
  let noted = new Map<string, number>()
  let sessions = new Map<string, number>()
  let browsers = new Map<string, BrowserUse>()
  const flush = async () => {
    const uses = { credentials: noted, sessions, browsers }
    noted = new Map()
    sessions = new Map()
    browsers = new Map()
    if (uses.credentials.size + uses.sessions.size + uses.browsers.size > 0) await saveLastUses(db, uses)
  }
  const timer = setInterval(() => flush().catch(onError), FLUSH_EVERY_MS)
  timer.unref()
  return {
    note: (credentialId, at) => noted.set(credentialId, at),
    noteSession: (sessionId, at) => sessions.set(sessionId, at),
    noteBrowserSession: (sessionId, use) => browsers.set(sessionId, use),
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
