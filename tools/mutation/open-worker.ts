import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Answer, Loaded, Request, Setup, Trial, Verdict } from './messages.ts'

const LOAD_MS = 300_000
/** Time beyond a trial's own limit in which a process that can still answer does. */
const GRACE_MS = 5000

/** A process with the tests of an area. */
export interface Worker {
  readonly loaded: Loaded
  /** Returns undefined if the process hangs or dies; it is of no use afterward. */
  ask(trial: Trial): Promise<Verdict | undefined>
  /** False after a trial that left tests running. */
  isUsable(): boolean
  close(): Promise<void>
}

/** Starts a process that loads test files. Returns undefined if it hangs or dies while it loads them. */
export async function openWorker(setup: Setup, scratch: string): Promise<Worker | undefined> {
  const child = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { TEST_VOLUME: '5', ...process.env, TMPDIR: scratch, NODE_COMPILE_CACHE: `${scratch}/compiled` },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ended = new Promise<undefined>((resolve) => child.once('exit', () => resolve(undefined)))

  async function request(message: Request, limitMs: number): Promise<Answer | undefined> {
    const answer = new Promise<Answer>((resolve) => child.once('message', (value) => resolve(value as Answer)))
    const { promise: late, resolve } = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => resolve(undefined), limitMs)
    if (child.connected) child.send(message, () => {})
    const first = await Promise.race([answer, ended, late])
    clearTimeout(timer)
    child.removeAllListeners('message')
    if (first === undefined) child.kill('SIGKILL')
    return first
  }

  const answer = await request({ setup }, LOAD_MS)
  if (answer === undefined || !('loaded' in answer)) return undefined
  let isUsable = true
  return {
    loaded: answer.loaded,
    async ask(trial) {
      const answer = await request({ trial }, trial.timeoutMs + GRACE_MS)
      const verdict = answer && 'verdict' in answer ? answer.verdict : undefined
      isUsable = verdict !== undefined && verdict.result !== 'timed out'
      return verdict
    },
    isUsable: () => isUsable,
    async close() {
      const timer = setTimeout(() => child.kill('SIGKILL'), isUsable ? 10_000 : 0)
      if (child.connected) child.disconnect()
      await ended
      clearTimeout(timer)
    },
  }
}
