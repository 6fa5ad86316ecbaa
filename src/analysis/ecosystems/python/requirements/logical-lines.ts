/** A line of a requirements file after joining continuation lines. */
export interface LogicalLine {
  /** First line, counted from 1. */
  readonly line: number
  /** Without comment and surrounding space; may be empty. */
  readonly text: string
  /** Text after the `#`, if any. */
  readonly comment: string | undefined
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: where Python ends lines
const lineEnd = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/
const commentStart = /^\s*#/

/**
 * Splits, joins and strips lines as pip's req_file.py does: a comment ends a continuation and is never continued
 * itself.
 */
export function toLogicalLines(content: string): LogicalLine[] {
  const lines: LogicalLine[] = []
  let open: { line: number; parts: string[] } | undefined
  for (const [index, written] of content
    .replace(/^\uFEFF/, '')
    .split(lineEnd)
    .entries()) {
    const isComment = commentStart.test(written)
    if (written.endsWith('\\') && !isComment) {
      open ??= { line: index + 1, parts: [] }
      open.parts.push(withoutBackslashes(written))
      continue
    }
    const { line, parts } = open ?? { line: index + 1, parts: [] }
    // The blank makes it a comment even after other text.
    lines.push(toLine(line, [...parts, isComment ? ` ${written}` : written].join('')))
    open = undefined
  }
  if (open !== undefined) lines.push(toLine(open.line, open.parts.join('')))
  return lines
}

/** Returns the offsets at which pip's lines begin. */
export function startsOfLines(content: string): number[] {
  const start = content.startsWith('\uFEFF') ? 1 : 0
  const ends = content.slice(start).matchAll(new RegExp(lineEnd, 'g'))
  return [start, ...Array.from(ends, (end) => start + end.index + end[0].length)]
}

function withoutBackslashes(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text[start] === '\\') start++
  while (end > start && text[end - 1] === '\\') end--
  return text.slice(start, end)
}

function toLine(line: number, text: string): LogicalLine {
  const hash = findComment(text)
  if (hash === undefined) return { line, text: text.trim(), comment: undefined }
  return { line, text: text.slice(0, hash).trim(), comment: text.slice(hash + 1).trim() }
}

/** Returns the start of a comment: `#` at the start or after space; elsewhere it belongs to an address. */
function findComment(text: string): number | undefined {
  for (let at = text.indexOf('#'); at !== -1; at = text.indexOf('#', at + 1)) {
    if (at === 0 || /\s/.test(text[at - 1]!)) return at
  }
  return undefined
}

/** Returns names in `${NAME}`, which pip would replace from its environment. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(/\$\{([A-Z0-9_]+)\}/g)].map(([, name]) => name!)
}
