import { withoutCommands } from './output/runner-commands.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g

/** Replaces control characters, so that texts of others cannot control the terminal or a CI runner. */
export function printable(text: string): string {
  return withoutCommands(text.replace(CONTROLS, ' '))
}
