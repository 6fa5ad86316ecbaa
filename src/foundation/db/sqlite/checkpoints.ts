import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Pages in the log at which a checkpoint copies them into the file: 16 MiB. */
const DUE_PAGES = 4096

/** Pages in the log at which writers wait until all of them are copied: 64 MiB. */
const MOST_PAGES = 16_384

export interface CheckpointReply {
  /** Pages in the log, copied or not. */
  readonly pages: number
  /** True if the file contains everything in the log, so that the next writer restarts it. */
  readonly isComplete: boolean
  readonly error?: string
}

/** Blocks writes until the returned function is called. */
type PauseWrites = () => Promise<() => void>

export interface Checkpoints {
  /** Starts a checkpoint if one is due. Call it after commits, with the number of pages in the log. */
  startIfDue(pages: number): void
  close(): Promise<void>
}

/**
 * Runs checkpoints in a separate thread: they copy thousands of pages and wait for the disk twice. Writers continue
 * meanwhile, and the first one after a complete checkpoint restarts the log. Under load none is complete: when the log
 * is long, writers wait for a second pass, which copies only the last pages. The thread starts with the first
 * checkpoint, so that an idle server has none.
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
    // Writers may wait for the thread while nothing else keeps the process alive.
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
    // After a failure, try again once the log has grown by the same amount.
    seen = reply.error === undefined ? reply.pages : pages
  }

  return {
    startIfDue(pages) {
      // The log was restarted.
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
  // Without this thread SQLite itself checkpoints, when the log is long.
  thread.on('error', () => {})
  thread.unref()
  return thread
}
