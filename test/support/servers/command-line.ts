import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { program, programEnvironment } from './program.ts'

export interface CommandResult {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

export interface CommandRun {
  readonly environment?: Readonly<Record<string, string>>
  /** Standard input. */
  readonly input?: string
  /** The folder it runs in. */
  readonly folder?: string
  /** Interrupts the command, as Ctrl+C does. */
  readonly interrupt?: AbortSignal
  /** Receives the text that has been written to standard error so far. */
  onErrors?(errors: string): void
}

/** Runs `gatehouse` as a process of its own, with nothing of this process's environment. */
export async function runCommand(
  args: readonly string[],
  { environment = {}, input = '', folder, interrupt, onErrors }: CommandRun = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [resolve(program.executable), ...args], {
    cwd: folder,
    env: { ...programEnvironment, ...environment },
  })
  let [output, errors] = ['', '']
  interrupt?.addEventListener('abort', () => child.kill('SIGINT'))
  child.stdin.end(input)
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => {
    errors += chunk
    onErrors?.(errors)
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, output, errors }
}
