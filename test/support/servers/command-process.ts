import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { type CommandResult, type CommandRun, runCommand } from './command-line.ts'
import type { CommandOrder } from './command-turns.ts'
import { program, programEnvironment } from './program.ts'

/** Runs commands as `runCommand` does; ends with its block. */
export interface CommandProcess extends AsyncDisposable {
  run(args: readonly string[], run?: Pick<CommandRun, 'environment' | 'input' | 'folder'>): Promise<CommandResult>
}

/**
 * A process that runs commands one after another: most of the time of a command is its start. The first of each command
 * runs in a process of its own.
 */
export function commandProcess(): CommandProcess {
  const begun = new Set<string>()
  let child: ChildProcess | undefined
  let previous: Promise<unknown> = Promise.resolve()
  const start = () =>
    fork('test/support/servers/command-turns.ts', [resolve(program.main)], {
      env: { ...programEnvironment },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })

  async function order(order: CommandOrder): Promise<CommandResult> {
    child ??= start()
    const ended = new AbortController()
    const answered = once(child, 'message', ended)
    const exited = once(child, 'exit', ended).then(([code]) => {
      throw new Error(`gatehouse ${order.args.join(' ')} ended the process of several commands with ${code}`)
    })
    child.send(order)
    try {
      const [result] = await Promise.race([answered, exited])
      return result as CommandResult
    } finally {
      exited.catch(() => {})
      ended.abort()
    }
  }

  return {
    run(args, { environment = {}, input = '', folder = process.cwd() } = {}) {
      if (!begun.has(args[0]!)) {
        begun.add(args[0]!)
        return runCommand(args, { environment, input, folder })
      }
      const surroundings = { ...programEnvironment, ...environment }
      const result = previous.then(() => order({ args, environment: surroundings, input, folder }))
      previous = result.catch(() => {})
      return result
    },
    async [Symbol.asyncDispose]() {
      if (child === undefined || child.exitCode !== null) return
      const exit = once(child, 'exit')
      child.disconnect()
      await exit
    },
  }
}
