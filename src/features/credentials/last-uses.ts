import type { Db } from '#foundation/db/database.ts'
import { saveLastUses } from './store.ts'

const FLUSH_EVERY_MS = 15_000

/** When credentials and app sessions were last used: noted in memory, written together a few times a minute and when the server stops. */
export interface LastUses {
  note(credentialId: string, at: number): void
  noteSession(sessionId: string, at: number): void
  flush(): Promise<void>
  close(): Promise<void>
}

export function createLastUses(db: Db, onError: (error: unknown) => void): LastUses {
  let noted = new Map<string, number>()
  let sessions = new Map<string, number>()
  const flush = async () => {
    const uses = { credentials: noted, sessions }
    noted = new Map()
    sessions = new Map()
    if (uses.credentials.size + uses.sessions.size > 0) await saveLastUses(db, uses)
  }
  const timer = setInterval(() => flush().catch(onError), FLUSH_EVERY_MS)
  timer.unref()
  return {
    note: (credentialId, at) => noted.set(credentialId, at),
    noteSession: (sessionId, at) => sessions.set(sessionId, at),
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
