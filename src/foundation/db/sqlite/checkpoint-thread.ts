import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { CheckpointReply } from './checkpoints.ts'

/** Copies the log of a database into its file on request; stops at pages still being read. */
const { path } = workerData as { path: string }
const database = new DatabaseSync(path, { timeout: 0 })
const checkpoint = database.prepare('pragma wal_checkpoint(passive)')

parentPort!.on('message', (message: 'checkpoint' | 'close') => {
  if (message === 'close') {
    database.close()
    parentPort!.close()
    return
  }
  parentPort!.postMessage(run())
})

function run(): CheckpointReply {
  try {
    const { log, checkpointed } = checkpoint.get() as { log: number; checkpointed: number }
    return { pages: log, isComplete: log === checkpointed }
  } catch (error) {
    return { pages: 0, isComplete: false, error: (error as Error).message }
  }
}
