import { Command } from 'commander'
import { version } from '#foundation/product.ts'
import { ClientFailure, exitCodes } from '../client/failure.ts'
import { commands } from './command-list.ts'
import { nearestWord } from './nearest-word.ts'
import { reportFailure } from './report-failure.ts'

const examples = `
Examples:
  gatehouse test --local          test the current folder on this machine
  gatehouse login --url https://gatehouse.example
  gatehouse monitor               store the projects of the current folder on the server
  gatehouse serve                 run the server
  gatehouse help test             explain a command
`

export async function runProgram(argv: readonly string[]): Promise<void> {
  const isJson = isJsonWanted(argv)
  process.stdout.on('error', reportLostOutput)
  process.stderr.on('error', failAtExit)
  try {
    const program = exitWithError(await createProgram(argv.slice(2)), isJson)
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = await reportFailure(error, { isJson })
  }
}

function isJsonWanted(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json')
}

function reportLostOutput(error: NodeJS.ErrnoException): void {
  const { code, message } = error
  if (code === 'EPIPE') return
  process.stderr.write(`The output cannot be written (${code ?? message}). Free some space, or write elsewhere.\n`)
  failAtExit(error)
}

/**
 * Keeps the exit code of a command whose reader, such as `head`, closes the pipe early. An error of standard error is
 * not reported there, since each message would cause the next error.
 */
function failAtExit({ code }: NodeJS.ErrnoException): void {
  if (code !== 'EPIPE') process.off('exit', setFailure).once('exit', setFailure)
}

function setFailure(): void {
  process.exitCode = exitCodes.failure
}

/** Loads only the command that is called; the others are only listed. */
async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('gatehouse')
    .description('Self-hosted access control and package testing for a software supply chain')
    .version(version)
    .addHelpText('after', examples)
  const at = args.findIndex((word) => !word.startsWith('-') && word !== 'help')
  const called = args[at]
  const names = commands.map(({ name }) => name)
  if (called !== undefined && !names.includes(called)) throw unknownCommand([], called, names)
  for (const { name, summary, load } of commands) {
    const command = name === called ? await load() : new Command(name)
    program.addCommand(command.description(summary))
  }
  for (const command of program.commands) {
    if (command.name() === called) requireKnownCommands(command, args.slice(at + 1))
  }
  return program
}

/** Refuses an unknown command before commander would show the help for `--help`. */
function requireKnownCommands(command: Command, words: readonly string[]): void {
  const [word] = words
  // Words after an option may be its value.
  if (command.commands.length === 0 || word === undefined || word.startsWith('-')) return
  const next = command.commands.find((command) => command.name() === word || command.aliases().includes(word))
  const path = []
  for (let at: Command | null = command; at?.parent; at = at.parent) path.unshift(at.name())
  if (next !== undefined) requireKnownCommands(next, words.slice(1))
  else if (word !== 'help')
    throw unknownCommand(
      path,
      word,
      command.commands.map((command) => command.name()),
    )
}

function unknownCommand(path: readonly string[], word: string, names: readonly string[]): ClientFailure {
  const near = nearestWord(word, names)
  const advice =
    near === undefined ? `Known: ${names.join(', ')}.` : `Did you mean "${['gatehouse', ...path, near].join(' ')}"?`
  return new ClientFailure(`Unknown command "${['gatehouse', ...path, word].join(' ')}". ${advice}`)
}

function exitWithError(command: Command, isJson: boolean): Command {
  command.exitOverride()
  command.showHelpAfterError(`Run "${nameOf(command)} --help" for the options.`)
  if (isJson) command.configureOutput({ writeErr: () => {} })
  for (const subcommand of command.commands) exitWithError(subcommand, isJson)
  return command
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`
}
