import { Unreadable } from './unreadable.ts'

/** Ten times the longest known file. */
const MAX_LINES = 500_000

/** Splits a file into lines without a byte order mark; refuses files with too many. */
export function linesOf(text: string, file: 'target' | number): string[] {
  const lines = (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text).split('\n', MAX_LINES + 1)
  if (lines.length <= MAX_LINES) return lines
  throw new Unreadable(`The file has more than ${MAX_LINES} lines, the limit`, { file })
}
