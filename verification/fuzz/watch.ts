import { Worker } from 'node:worker_threads'
import { createNote, type Fault, type Progress, type Report, readNote, type Task } from './messages.ts'

export interface Watched {
  /** Undefined if the thread did not finish. */
  readonly progress: Progress | undefined
  readonly faults: readonly Fault[]
}

const POLL_MS = 250
export interface Patience {
  /**
   * Limit on the processor time of one input, after which the thread is ended; the thread itself reports more than 1 s.
   */
  readonly hangMs: number
  readonly memoryMb: number
}

const usual: Patience = { hangMs: 5_000, memoryMb: 768 }

/** Runs one thread; one that hangs, runs out of memory or ends early is a fault of the input it had noted. */
export async function watch(task: Omit<Task, 'note'>, { hangMs, memoryMb }: Patience = usual): Promise<Watched> {
  const note = createNote()
  const faults: Fault[] = []
  let progress: Progress | undefined
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: { ...task, note } satisfies Task,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  const give = (kind: Fault['kind'], message: string) => {
    const { number, read } = readNote(note)
    faults.push({ kind, message, key: kind, number, input: read() })
  }
  let last = { number: -1, cpuMs: 0 }
  const timer = setInterval(async () => {
    const { number } = readNote(note)
    const cpuMs = await cpuMsOf(worker)
    // The answers of a busy thread come late, and several at once.
    if (cpuMs === undefined || faults.some(({ kind }) => kind === 'hung')) return
    if (number !== last.number) last = { number, cpuMs }
    else if (cpuMs - last.cpuMs > hangMs && progress === undefined) {
      clearInterval(timer)
      give('hung', `more than ${hangMs} ms of processor time`)
      await worker.terminate()
    }
  }, POLL_MS)
  worker.on('message', (report: Report) => {
    if ('fault' in report) faults.push(report.fault)
    else progress = report.done
  })
  await new Promise<void>((resolve) => {
    worker.once('error', (error: Error & { code?: string }) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') give('out of memory', `more than ${memoryMb} MB`)
      else give('ended', error.stack ?? error.message)
      resolve()
    })
    worker.once('exit', () => resolve())
  })
  clearInterval(timer)
  if (progress === undefined && faults.length === 0) give('ended', 'the thread ended while a result was awaited')
  return { progress, faults }
}

async function cpuMsOf(worker: Worker): Promise<number | undefined> {
  try {
    const { user, system } = await worker.cpuUsage()
    return (user + system) / 1_000
  } catch {
    return undefined
  }
}
