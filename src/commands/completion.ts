// cspell:ignore fpath
import { Argument, Command } from 'commander'
import { type CompletionPlace, completionScripts, type Shell, shells } from './completion/completion-scripts.ts'
import type { Listed } from './completion/listed-command.ts'

const examples = `
Examples:
  gatehouse completion bash > ~/.local/share/bash-completion/completions/gatehouse
  gatehouse completion zsh > "\${fpath[1]}/_gatehouse"
  gatehouse completion fish > ~/.config/fish/completions/gatehouse.fish

Exit codes: 0 done, 2 failure
`

export function completionCommand(commands: readonly Listed[]): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'the shell that reads the script').choices(shells))
    .addHelpText('after', examples)
    .action(async (shell: Shell) => {
      const program = new Command('gatehouse')
      for (const { summary, load } of commands) program.addCommand((await load()).description(summary))
      process.stdout.write(completionScripts[shell](placesOf(program)))
    })
}

/** Lists the words that may follow the program and each of its commands. */
function placesOf(command: Command, path: readonly string[] = []): CompletionPlace[] {
  const subcommands = command.commands.map((command) => ({ word: command.name(), description: command.description() }))
  const values = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((word) => ({ word, description })),
  )
  // A group without one of its commands lists, with the options of "list".
  const list = command.commands.find((command) => command.name() === 'list')
  const options = new Map([command, ...(list ? [list] : [])].flatMap(optionsOf).map((option) => [option.word, option]))
  const own = { path, words: [...subcommands, ...values], options: [...options.values()] }
  return [own, ...command.commands.flatMap((command) => placesOf(command, [...path, command.name()]))]
}

function optionsOf(command: Command): readonly CompletionPlace['options'][number][] {
  const options = command.options.flatMap(({ long, description, required, optional, argChoices = [] }) =>
    long ? [{ word: long, description, values: required || optional ? argChoices : undefined }] : [],
  )
  return [...options, { word: '--help', description: 'show the help', values: undefined }]
}
