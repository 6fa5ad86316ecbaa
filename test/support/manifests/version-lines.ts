import type { VersionScheme } from '#analysis/versions/version-scheme.ts'

/** Lines `A < B`, `A = B` or `A > B`; empty ones and those that begin with `#` are for people. */
export function judgeLines(scheme: VersionScheme, text: string): { judged: number; mismatches: string[] } {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  return { judged: lines.length, mismatches: lines.filter((line) => !holds(scheme, line)) }
}

/** Read both ways round. */
function holds(scheme: VersionScheme, line: string): boolean {
  const [, a, sign, b] = /^(\S+) ([<=>]) (\S+)$/.exec(line) ?? []
  if (a === undefined || sign === undefined || b === undefined) return false
  const order = { '<': -1, '=': 0, '>': 1 }[sign]
  return Math.sign(scheme.compare(a, b)) === order && Math.sign(scheme.compare(b, a)) + order === 0
}

/** Checks rows of a range with accepted and rejected versions, each joined by spaces. Returns the violations. */
export function judgeRanges(scheme: VersionScheme, rows: readonly (readonly [string, string, string])[]): string[] {
  return rows.flatMap(([range, accepted, refused]) => [
    ...(scheme.isRange(range) ? [] : [`${range} is not a range`]),
    ...toWords(accepted)
      .filter((version) => !scheme.satisfies(version, range))
      .map((version) => `${version} not in ${range}`),
    ...toWords(refused)
      .filter((version) => scheme.satisfies(version, range))
      .map((version) => `${version} in ${range}`),
  ])
}

function toWords(text: string): string[] {
  return text.split(' ').filter((word) => word !== '')
}
