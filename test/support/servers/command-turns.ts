import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'

/** A command for a process that runs several. */
export interface CommandOrder {
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Standard input. */
  readonly input: string
  readonly folder: string
}

/**
 * Runs the command that its parent sends, and answers with what it wrote and its exit code; the parent then sends the
 * next one. A separate program, which loads the modules of Gatehouse once. Gets the module that a start of Gatehouse
 * begins with.
 */
const [main] = process.argv.slice(2) as [string]
let count = 0

process.on('message', (order: CommandOrder) => void carryOut(order))
process.on('disconnect', () => process.exit(0))

async function carryOut({ args, environment, input, folder }: CommandOrder): Promise<void> {
  const written = { output: '', errors: '' }
  const restore = [
    capture('stdout', (text) => (written.output += text)),
    capture('stderr', (text) => (written.errors += text)),
  ]
  for (const name of Object.keys(process.env)) delete process.env[name]
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) process.env[name] = value
  process.argv = [process.execPath, main, ...args]
  process.exitCode = undefined
  process.chdir(folder)
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from(input === '' ? [] : [input]) })
  const mask = process.umask()
  // Another name makes another module, which begins again; those that it loads are kept.
  await import(`${pathToFileURL(main).href}?${count++}`)
  process.umask(mask)
  for (const undo of restore) undo()
  process.send!({ code: process.exitCode ?? 0, ...written })
}

/** Captures the output of a stream until the returned function is called. */
function capture(name: 'stdout' | 'stderr', take: (text: string) => void): () => void {
  const stream = process[name]
  const write = stream.write
  stream.write = ((chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
    take(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())
    const done = rest.find((argument) => typeof argument === 'function')
    if (done) process.nextTick(done)
    return true
  }) as typeof write
  return () => {
    stream.write = write
    stream.removeAllListeners('error')
  }
}
