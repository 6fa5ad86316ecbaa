import { parentPort, workerData } from 'node:worker_threads'
import { OutgoingFailed, OutgoingRefused } from '#foundation/outgoing/outgoing-errors.ts'
import type { FileSync } from '#scanning/advisories/build-snapshot.ts'
import { SyncFailed } from '#scanning/advisories/sync-failed.ts'
import type { SyncOrder, SyncProgress } from '#scanning/advisories/sync-order.ts'
import { syncToFile } from '#scanning/advisories/sync-to-file.ts'

export type FromSyncThread =
  | { readonly type: 'progress'; readonly progress: SyncProgress }
  | { readonly type: 'done'; readonly result: FileSync }
  /** A failure that the operator can fix; other errors end the thread. */
  | { readonly type: 'failed'; readonly reason: string }

function tell(message: FromSyncThread): void {
  parentPort!.postMessage(message)
}

try {
  const result = await syncToFile(workerData as SyncOrder, {
    onProgress: (progress) => tell({ type: 'progress', progress }),
  })
  tell({ type: 'done', result })
} catch (error) {
  const isExpected = error instanceof SyncFailed || error instanceof OutgoingFailed || error instanceof OutgoingRefused
  if (!isExpected) throw error
  tell({ type: 'failed', reason: error.message })
}
