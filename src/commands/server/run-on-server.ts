import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { Command } from 'commander'
import { ApiError, type Client } from '../../client/api/client.ts'
import { ClientFailure } from '../../client/failure.ts'
import type { OpenServer } from '../../client/open-server.ts'
import { toPrintedJson, withoutCommands } from '../../client/output/runner-commands.ts'
import { printable } from '../../client/printable.ts'
import { openProgress, type Progress } from '../../client/progress.ts'
import { findOrgId } from '../../client/resources/find-org.ts'
import { type Column, toTable } from '../../client/table.ts'
import { isColored } from '../../client/terminal.ts'
import { createPalette, type Palette, pad } from '../../client/terminal-text.ts'
import { toFailure } from '../../client/to-failure.ts'
import { withInterrupt } from '../interrupt.ts'
import { type ConnectOptions, connect, withConnectOptions } from './connect.ts'

export interface ServerOptions extends ConnectOptions {
  readonly json?: true
  readonly color: boolean
}

export interface ListOptions extends ServerOptions {
  readonly limit: number
}

/** Makes a command that talks to a server, with the options that all of them have. */
export function serverCommand(name: string, examples: readonly string[], exitCodes = EXIT_CODES): Command {
  const command = new Command(name)
    .option('--json', 'print JSON: the resources of the interface')
    .option('--no-color', 'print without colors')
    .addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}\n`).join('')}\n${exitCodes}`)
  return withConnectOptions(command)
}

/** Creates a command with subcommands; without a subcommand it lists. */
export function groupCommand(name: string, list: Command, others: readonly Command[]): Command {
  const group = new Command(name).addCommand(list, { isDefault: true })
  for (const command of others) group.addCommand(command)
  const examples = ['', ...others.map((command) => command.name())].map((word) => `gatehouse ${name} ${word}`.trim())
  const lines = examples.map((example, at) => `  ${example}${at === 0 ? '' : ' --help'}\n`).join('')
  return group.addHelpText('after', `\nExamples:\n${lines}\n${EXIT_CODES}`)
}

const SEE_ALSO = 'See also "gatehouse help" and /docs/command-line.'
const EXIT_CODES = `Exit codes: 0 done, 2 failure, 130 interrupted. ${SEE_ALSO}`
/** The exit codes of commands that wait for an import. */
export const IMPORT_EXIT_CODES = `Exit codes: 0 done, 2 failure or failed manifests, 3 no manifests, 130 interrupted. ${SEE_ALSO}`
const DEFAULT_LIMIT = 1000

export function withLimit(command: Command): Command {
  return command.option('--limit <count>', 'maximum number of rows; 0 for all', parseCount, DEFAULT_LIMIT)
}

function parseCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new ClientFailure(`--limit ${text}: pass a number, 0 for all.`)
}

/** The server, the options and the terminal of a command. */
export interface ServerSession {
  readonly server: OpenServer
  readonly client: Client
  readonly signal: AbortSignal
  readonly output: Output
  readonly progress: Progress
  /** Returns the id of the chosen organization. */
  orgId(): Promise<string>
}

/** Prints results to standard output: as text or as JSON. */
export interface Output {
  readonly isJson: boolean
  readonly palette: Palette
  /** Prints a value as JSON, or the rows as a table. */
  table(value: unknown, columns: readonly Column[], rows: readonly (readonly string[])[], empty: string): void
  /** Prints a value as JSON, or labeled lines; undefined ones are omitted. */
  record(value: unknown, fields: Readonly<Record<string, string | undefined>>): void
  /** Prints a value as JSON, or a sentence. */
  sentence(value: unknown, text: string): void
}

/** Runs a command on the chosen server. Turns refusals into sentences that say what to do. */
export async function runOnServer(
  options: ServerOptions,
  work: (session: ServerSession) => Promise<number | undefined> | Promise<void>,
): Promise<void> {
  process.exitCode = await withInterrupt(async (signal) => {
    const server = connect(options)
    const progress = openProgress(process.stderr, process.env)
    let cached: Promise<string> | undefined
    const orgId = () => (cached ??= findOrgId(server, signal))
    try {
      const session = { server, client: server.client, signal, progress, orgId, output: openOutput(options) }
      return (await work(session)) ?? 0
    } catch (error) {
      signal.throwIfAborted()
      throw error instanceof ApiError ? toFailure(error, server.url) : error
    } finally {
      progress.clear()
    }
  })
}

/** Collects a list up to the limit and notes on standard error if there is more. */
export async function collect<T>(items: AsyncIterable<T>, { limit }: { limit: number }): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) {
    if (limit > 0 && collected.length === limit) {
      console.error(`Only the first ${limit} are shown. Raise --limit, or pass --limit 0 for all.`)
      break
    }
    collected.push(item)
  }
  return collected
}

/** Asks before something is deleted. Without a terminal, `--yes` is required. */
export async function confirm(
  consequence: string,
  { yes, signal }: { yes?: true; signal: AbortSignal },
): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw new ClientFailure(`${consequence} Pass --yes to confirm.`)
  // Without raw mode, so that Ctrl+C still ends the program.
  const questions = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  try {
    const closed = once(questions, 'close').then(() => '')
    const answer = await Promise.race([questions.question(`${consequence} Continue? [y/N] `, { signal }), closed])
    if (!/^y(es)?$/i.test(answer.trim())) throw new ClientFailure('Nothing was changed.')
  } finally {
    questions.close()
  }
}

function openOutput({ json, color }: ServerOptions): Output {
  const isTerminal = process.stdout.isTTY === true
  const palette = createPalette(isColored(process.stdout, { color, environment: process.env }))
  const isJson = json === true
  const print = (value: unknown, text: () => string) => {
    process.stdout.write(isJson ? `${toPrintedJson(value)}\n` : withoutCommands(text()))
  }
  return {
    isJson,
    palette,
    table: (value, columns, rows, empty) =>
      print(value, () => {
        if (rows.length === 0) return `${empty}\n`
        // Piped output is not shortened, so that other programs can read it.
        return toTable(columns, rows, { width: isTerminal ? process.stdout.columns : undefined, ...palette })
      }),
    record: (value, fields) => print(value, () => toRecord(fields, palette)),
    sentence: (value, text) => print(value, () => `${text}\n`),
  }
}

function toRecord(fields: Readonly<Record<string, string | undefined>>, { faint }: Palette): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  const width = Math.max(...entries.map(([label]) => label.length))
  return entries.map(([label, value]) => `${faint(pad(label, width))}  ${printable(value!)}\n`).join('')
}
