import type { Actor } from '#foundation/access/caller.ts'
import type { Db } from '#foundation/db/database.ts'
import { Problem } from '#foundation/problem.ts'
import { finishImport } from './finish-import.ts'
import { findImport } from './store.ts'

/**
 * Ends an import now; who works on it notices before its next manifest is written down. Repeating it does no harm, but
 * what has come to its own end cannot be canceled.
 */
export async function cancelImport(tx: Db, id: string, { actor, at }: { actor: Actor; at: number }): Promise<void> {
  if (await finishImport(tx, id, { state: 'aborted', message: null, actor, at })) return
  const row = await findImport(tx, id)
  if (row?.state === 'aborted') return
  throw new Problem('conflict', 'The import has already ended')
}
