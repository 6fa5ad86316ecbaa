import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Pages in the log from which on they are copied into the file: 16 MiB. */
const DUE_PAGES = 4096

/** Pages in the log from which on writers wait until all of them are copied: 64 MiB. */
const MOST_PAGES = 16_384

export interface CheckpointReply {
  /** Pages that the log holds, whether they were copied or not. */
  readonly pages: number
  /** True when everything in the log is in the file too: the next writer begins the log anew. */
  readonly isComplete: boolean
  readonly error?: string
}

/** Blocks writes until the returned function is called. */
type PauseWrites = () => Promise<() => void>

export interface Checkpoints {
  /** Begins a checkpoint when one is due. Call after commits, with the number of pages that the log holds. */
  startIfDue(pages: number): void
  close(): Promise<void>
}

/**
 * Runs checkpoints in a separate thread: they copy thousands of pages and wait for the disk twice. Writers continue
 * meanwhile, and the first one after a checkpoint with which everything is copied begins the log anew. Under load there is
 * none: when the log is long, writers wait for a second pass, which copies only the last pages. The thread starts with the
 * first checkpoint, so that an idle server has none.
 */
export function createCheckpoints(path: string, pauseWrites: PauseWrites): Checkpoints {
  let thread: Worker | undefined
  let running: Promise<void> | undefined
  /** Pages in the log after the last commit. */
  let latest = 0
  /** Pages in the log when the last checkpoint began; earlier ones are copied or still being read. */
  let seen = 0

  async function copy(): Promise<CheckpointReply> {
    thread ??= startThread(path)
    const lost = new AbortController()
    const exit = () => lost.abort()
    thread.once('exit', exit)
    // Writers may wait for it, with nothing else that keeps the process alive.
    thread.ref()
    try {
      thread.postMessage('checkpoint')
      const [reply] = (await once(thread, 'message', { signal: lost.signal })) as [CheckpointReply]
      return reply
    } catch (cause) {
      thread = undefined
      return { pages: 0, isComplete: false, error: (cause as Error).message }
    } finally {
      thread?.off('exit', exit)
      thread?.unref()
    }
  }

  async function run(pages: number): Promise<void> {
    let reply = await copy()
    if (reply.isComplete && latest > reply.pages && latest >= MOST_PAGES) {
      const resume = await pauseWrites()
      reply = await copy().finally(resume)
    }
    // A failed checkpoint is tried again when as much has come again.
    seen = reply.error === undefined ? reply.pages : pages
  }

  return {
    startIfDue(pages) {
      // It began anew.
      if (pages < latest) seen = 0
      latest = pages
      if (running || pages - seen < DUE_PAGES) return
      running = run(pages).finally(() => {
        running = undefined
      })
    },
    async close() {
      await running
      if (!thread) return
      const ended = once(thread, 'exit')
      thread.ref()
      thread.postMessage('close')
      await ended
    },
  }
}

function startThread(path: string): Worker {
  const thread = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), { workerData: { path } })
  // SQLite itself makes a checkpoint where none was made for long.
  thread.on('error', () => {})
  thread.unref()
  return thread
}
