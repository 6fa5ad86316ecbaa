import { sizeOfFolder } from '../repositories/workspaces.ts'
import type { GitRelay } from './git-relay.ts'
import { memoryOfProcesses } from './process-memory.ts'
import type { RunningProgram } from './run-program.ts'

const MEASURED_EVERY_MS = 250

/** Limits for running git. */
export interface GitBounds {
  readonly diskBytes: number
  /** Bytes of one git with its children. */
  readonly memoryBytes: number
  /** Bytes of all running gits together. */
  readonly memoryOfAllBytes: number
  /** From one repository's server, over all connections. */
  readonly receivedBytes: number
  /** Bytes that all open repositories may take on disk. */
  readonly diskOfAllBytes: number
  /** Bytes that all open repositories may have received. */
  readonly receivedOfAllBytes: number
  /** Seconds for which a server may send without stored progress. */
  readonly idleSeconds: number
}

/** The running gits, which share a memory limit. */
export interface GitWatch {
  /** Ends the program at the first exceeded limit. Returns a function that stops watching. */
  start(running: RunningProgram, watched: Watched): () => void
}

interface Watched {
  readonly bounds: GitBounds
  /** The folder it fills; undefined for a program that writes nothing. */
  readonly folder: string | undefined
  readonly relay: GitRelay | undefined
  /** Called with the size of the folder at each check. */
  readonly onSize?: (bytes: number) => void
}

export function createGitWatch(): GitWatch {
  const memory = new Map<RunningProgram, number>()

  async function measureMemory(running: RunningProgram, bounds: GitBounds): Promise<void> {
    const bytes = (await memoryOfProcesses(running.pid ?? 0)) ?? 0
    if (!memory.has(running)) return
    memory.set(running, bytes)
    if (bytes > bounds.memoryBytes) return running.stop('memory')
    const all = [...memory.values()].reduce((sum, bytes) => sum + bytes, 0)
    if (all <= bounds.memoryOfAllBytes) return
    const [largest] = [...memory].reduce((one, other) => (other[1] > one[1] ? other : one))
    memory.set(largest, 0)
    largest.stop('memory-of-all')
  }

  return {
    start(running, { bounds, folder, relay, onSize }) {
      memory.set(running, 0)
      let isMeasuring = false
      let size = 0
      let grownAt = performance.now()
      const measure = async () => {
        await measureMemory(running, bounds)
        if (relay && relay.receivedBytes > bounds.receivedBytes) running.stop('received')
        if (folder === undefined) return
        const before = size
        size = await sizeOfFolder(folder)
        onSize?.(size)
        if (size > before) grownAt = performance.now()
        if (size > bounds.diskBytes) running.stop('stopped')
        else if (relay && relay.receivedAt - grownAt > bounds.idleSeconds * 1000) running.stop('idle')
      }
      const timer = setInterval(() => {
        if (isMeasuring) return
        isMeasuring = true
        measure().finally(() => {
          isMeasuring = false
        })
      }, MEASURED_EVERY_MS)
      return () => {
        clearInterval(timer)
        memory.delete(running)
      }
    },
  }
}
