const CONTEXT = 3
/** Lines within which a change is looked for in the other text; longer ones are shown as whole blocks. */
const MAX_BLOCK = 500

/** One line of both texts, of the old one (`-`) or of the new one (`+`). */
interface Line {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

/** Writes the difference of two texts like `diff -u`. */
export function toUnifiedDiff(path: string, before: string, after: string): string {
  const lines = align(toLines(before), toLines(after))
  const hunks: { start: number; end: number }[] = []
  for (const [at, { sign }] of lines.entries()) {
    if (sign === ' ') continue
    const last = hunks.at(-1)
    if (last !== undefined && at - CONTEXT <= last.end) last.end = Math.min(lines.length, at + 1 + CONTEXT)
    else hunks.push({ start: Math.max(0, at - CONTEXT), end: Math.min(lines.length, at + 1 + CONTEXT) })
  }
  const body = hunks.map(({ start, end }) => {
    const own = lines.slice(start, end)
    const range = (other: '-' | '+') => {
      const count = own.filter(({ sign }) => sign !== other).length
      const from = lines.slice(0, start).filter(({ sign }) => sign !== other).length
      return `${count === 0 ? from : from + 1},${count}`
    }
    return `@@ -${range('+')} +${range('-')} @@\n${own.map(({ sign, text }) => written(sign, text)).join('')}`
  })
  return `--- a/${path}\n+++ b/${path}\n${body.join('')}`
}

/** Finds equal lines in order: after a difference, the nearest line that both texts have. */
function align(old: readonly string[], changed: readonly string[]): Line[] {
  const lines: Line[] = []
  let [at, next] = [0, 0]
  while (at < old.length || next < changed.length) {
    if (at < old.length && old[at] === changed[next]) {
      lines.push({ sign: ' ', text: old[at++]! })
      next++
      continue
    }
    const [removed, added] = nearestMeeting(old.slice(at, at + MAX_BLOCK), changed.slice(next, next + MAX_BLOCK))
    for (const text of old.slice(at, at + removed)) lines.push({ sign: '-', text })
    for (const text of changed.slice(next, next + added)) lines.push({ sign: '+', text })
    at += removed
    next += added
  }
  return lines
}

function nearestMeeting(old: readonly string[], changed: readonly string[]): [number, number] {
  for (let sum = 1; sum < old.length + changed.length; sum++) {
    for (let removed = 0; removed <= sum; removed++) {
      const line = old[removed]
      if (line !== undefined && line === changed[sum - removed]) return [removed, sum - removed]
    }
  }
  return [old.length, changed.length]
}

/** Keeps line ends, which may differ and be missing at the end. */
function toLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function written(sign: string, line: string): string {
  return line.endsWith('\n') ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`
}
