import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface WholeRun {
  readonly ms: number
  /** Peak resident memory. */
  readonly memoryMb: number
}

const LOOK_EVERY_MS = 5

/** A program from its start to its end. Some scanners end with 1 where they found something. */
export async function runWhole(
  command: string,
  parameters: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<WholeRun> {
  const begun = performance.now()
  const child = spawn(command, parameters, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  let memoryMb = 0
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-2_000)
  })
  const look = setInterval(() => {
    memoryMb = Math.max(memoryMb, peakOf(child.pid!))
  }, LOOK_EVERY_MS)
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  }).finally(() => clearInterval(look))
  if (status !== 0 && status !== 1) throw new Error(`${command} ended with ${status}: ${complaint}`)
  return { ms: performance.now() - begun, memoryMb }
}

/** 0 once it is gone. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
