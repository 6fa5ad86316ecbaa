import { Unreadable } from './ecosystem.ts'

/** Ten times the longest that people have. */
const mostLines = 500_000

/** The lines of a file, without a byte order mark; refused where there are more than any project has. */
export function linesOf(text: string, file: 'target' | number): string[] {
  const lines = (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text).split('\n', mostLines + 1)
  if (lines.length <= mostLines) return lines
  throw new Unreadable(`The file has more than ${mostLines} lines, the most that are read`, { file })
}
