import type { Change } from '#foundation/audit/record.ts'
import { Problem } from '#foundation/problem.ts'
import { finishImport } from './finish-import.ts'
import { findImport } from './store.ts'

/**
 * Cancels an import. Its workers notice before they store the next manifest. Canceling it again has no effect; a
 * finished import cannot be canceled.
 */
export async function cancelImport({ tx, actor, at }: Change, id: string): Promise<void> {
  if (await finishImport(tx, id, { state: 'aborted', message: null, actor, at })) return
  const row = await findImport(tx, id)
  if (row?.state === 'aborted') return
  throw new Problem('conflict', 'The import has already ended')
}
