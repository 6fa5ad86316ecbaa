import { inspect } from 'node:util'
import { CommanderError } from 'commander'
import { ClientFailure, exitCodes } from '../client/failure.ts'
import { toPrintedJson, withoutCommands } from '../client/output/runner-commands.ts'

/**
 * Prints a failure to standard error and returns the exit code: a sentence if a user can fix it, otherwise the stack.
 * With `--json` it is one line of JSON.
 */
export async function reportFailure(error: unknown, { isJson }: { isJson: boolean }): Promise<number> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    // Commander has printed it as text. Its only codes are those of help and of wrong usage.
    if (isJson) printJson({ message: error.message.replace(/^error: /, ''), exitCode: exitCodes.failure })
    return exitCodes.failure
  }
  const failure = await describe(error)
  const exitCode = failure?.exitCode ?? exitCodes.failure
  if (isJson) printJson({ message: failure?.message ?? String(error), exitCode, ...(await refusalOf(error)) })
  else console.error(withoutCommands(failure === undefined ? inspect(error) : await fitted(failure.message)))
  return exitCode
}

/** Wraps a sentence at words on a terminal; elsewhere keeps it on one line. */
async function fitted(message: string): Promise<string> {
  if (!process.stderr.isTTY) return message
  const { wrap } = await import('../client/terminal-text.ts')
  return message
    .split('\n')
    .flatMap((line) => wrap(line, Math.max(40, process.stderr.columns)))
    .join('\n')
}

function printJson(error: object): void {
  console.error(toPrintedJson({ error }, 0))
}

/** Returns undefined for internal errors. */
async function describe(error: unknown): Promise<{ message: string; exitCode: number } | undefined> {
  if (error instanceof ClientFailure) return error
  const { describeFailure } = await import('./failures.ts')
  const failure = describeFailure(error)
  return failure && { message: failure.sentence, exitCode: failure.exitCode }
}

/** Returns the details with which a server refused a request. */
async function refusalOf(error: unknown): Promise<object> {
  const cause = error instanceof ClientFailure ? error.cause : undefined
  if (cause === undefined) return {}
  const { ApiError } = await import('../client/api/client.ts')
  if (!(cause instanceof ApiError)) return {}
  const { status, code, faults, requestId } = cause
  return { status, code, faults, requestId }
}
