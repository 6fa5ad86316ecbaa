const CONTEXT = 3

/** Writes the difference of two texts with equal numbers of lines, as edits within lines leave them, like `diff -u`. */
export function toUnifiedDiff(path: string, before: string, after: string): string {
  const [old, changed] = [toLines(before), toLines(after)]
  const differing = old.flatMap((line, at) => (line === changed[at] ? [] : [at]))
  const hunks: { from: number; end: number }[] = []
  for (const at of differing) {
    const last = hunks.at(-1)
    if (last !== undefined && at - CONTEXT <= last.end) last.end = Math.min(old.length, at + 1 + CONTEXT)
    else hunks.push({ from: Math.max(0, at - CONTEXT), end: Math.min(old.length, at + 1 + CONTEXT) })
  }
  const body = hunks.map(({ from, end }) => {
    const range = `${from + 1},${end - from}`
    return `@@ -${range} +${range} @@\n${writeLines(old, changed, { from, end })}`
  })
  return `--- a/${path}\n+++ b/${path}\n${body.join('')}`
}

/** Keeps line ends, which may differ and be missing at the end. */
function toLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function writeLines(old: readonly string[], changed: readonly string[], { from, end }: { from: number; end: number }) {
  let text = ''
  for (let at = from; at < end; ) {
    let next = at
    while (next < end && old[next] !== changed[next]) next++
    for (const line of old.slice(at, next)) text += written('-', line)
    for (const line of changed.slice(at, next)) text += written('+', line)
    if (next < end) text += written(' ', old[next]!)
    at = next + 1
  }
  return text
}

function written(sign: string, line: string): string {
  return line.endsWith('\n') ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`
}
