import type { Environment } from './connection.ts'

interface Screen {
  readonly isTTY?: boolean
}

/** Returns true if text may have colors: on a terminal that shows them, unless the user or NO_COLOR forbids it. */
export function isColored(
  { isTTY }: Screen,
  { color, environment }: { color: boolean; environment: Environment },
): boolean {
  return isTTY === true && color && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb'
}

/** Returns true if a line may be written over and over: on a terminal that can, and not in the log of a CI system. */
export function isAnimated({ isTTY }: Screen, environment: Environment): boolean {
  return isTTY === true && environment['TERM'] !== 'dumb' && !environment['CI']
}
