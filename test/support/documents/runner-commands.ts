import { stripVTControlCharacters } from 'node:util'

/** Returns the lines that runners execute: actions/runner (ActionCommand.cs), azure-pipelines-agent, TeamCity. */
export function runnerCommandsIn(output: string): string[] {
  const lines = stripVTControlCharacters(output).split(/[\n\r\u2028\u2029]/)
  return lines.filter((line) => line.trimStart().startsWith('::') || /##\w*\[/.test(line))
}
