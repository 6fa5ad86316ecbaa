import { createHash } from 'node:crypto'

const MAX_NAMED_STATEMENTS = 500

/** Names of prepared statements, shared by the connections of a pool. */
export interface StatementNames {
  /** Undefined for statements beyond the first few hundred: lists of values produce ever new texts. */
  nameOf(text: string): string | undefined
  /** Renames all statements, unless that happened since the text got this name. */
  replace(text: string, name: string): void
}

export function createStatementNames(): StatementNames {
  const names = new Map<string, string>()
  let generation = 0
  return {
    nameOf(text) {
      const cached = names.get(text)
      if (cached !== undefined) return cached
      if (names.size >= MAX_NAMED_STATEMENTS) return undefined
      const name = createHash('sha256').update(`${generation} ${text}`).digest('base64url').slice(0, 32)
      names.set(text, name)
      return name
    },
    replace(text, name) {
      if (names.get(text) !== name) return
      names.clear()
      generation++
    },
  }
}

/**
 * Returns true if PostgreSQL refused a prepared statement because its columns changed since it was prepared: a newer
 * version added one to a table. PostgreSQL then refuses it for the rest of that connection.
 */
export function isOutdatedStatement(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}
