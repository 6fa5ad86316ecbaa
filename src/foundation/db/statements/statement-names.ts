import { createHash } from 'node:crypto'

const MAX_NAMED_STATEMENTS = 500

/** Names of prepared statements, shared by the connections of a pool. */
export interface StatementNames {
  /** Undefined for statements beyond the first few hundred: lists of values make new texts without end. */
  nameOf(text: string): string | undefined
  /** Gives all statements other names, unless that happened since the text got this one. */
  replace(text: string, name: string): void
}

export function createStatementNames(): StatementNames {
  const names = new Map<string, string>()
  let generation = 0
  return {
    nameOf(text) {
      const known = names.get(text)
      if (known !== undefined) return known
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
 * Returns true if PostgreSQL refused a prepared statement because its columns are others than when it was prepared: a newer
 * version added one to a table. It refuses it on that connection until its end.
 */
export function isOutdatedStatement(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}
