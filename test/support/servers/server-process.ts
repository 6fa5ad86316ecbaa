import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from './free-port.ts'
import { program as product, programEnvironment, sourceEnvironment } from './program.ts'

/** Ends with its block, should it still run. */
export interface ServerProcess extends AsyncDisposable {
  readonly baseUrl: string
  readonly child: ChildProcess
  /** Milliseconds from the start of the process to its being ready. */
  readonly startedInMs: number
  /** Returns the output, which includes secrets of a first start. */
  printed(): string
  /** Returns the log. */
  logged(): string
  /** Ends the process and waits for its end. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/**
 * Starts the real executable, or another program that says the same, on a free port and waits until it says that it is
 * ready. Rejects when it ends before.
 */
export async function startServer(
  environment: Record<string, string>,
  program: readonly string[] = [product.main, 'serve'],
): Promise<ServerProcess> {
  const startedAt = performance.now()
  // With several processes on one database, each needs a given port.
  const port = environment['DATABASE_URL'] === undefined ? 0 : await freePort()
  const child = spawn(process.execPath, program, {
    env: {
      // An earlier version refuses settings that it does not have.
      ...(program[0] === product.main ? programEnvironment : sourceEnvironment),
      GATEHOUSE_PORT: String(port),
      GATEHOUSE_LOG_LEVEL: 'info',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  let logged = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    logged += text
  })
  const baseUrl = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const match = /health check\s+(\S+)\/healthz/.exec(printed)
      if (match) resolve(match[1]!)
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${printed}${logged}`)))
  })
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const exit = once(child, 'exit') as Promise<[number | null]>
    child.kill(signal)
    return (await exit)[0]
  }
  return {
    baseUrl,
    child,
    startedInMs: performance.now() - startedAt,
    printed: () => printed,
    logged: () => logged,
    end,
    async [Symbol.asyncDispose]() {
      await end('SIGTERM')
    },
  }
}
