/** Encoding names known to browsers, not Python's; all have ASCII as their first half. */
const asciiBelow =
  /^(?:utf-?8|(?:us-?)?ascii|latin-?1|l1|cp?125\d|windows-125\d|iso-?8859-?\d{1,2}|koi8-[ru]|mac-?roman)$/

/**
 * Returns the declared encoding if decoding with it may give other lines than the present text; else undefined. pip
 * decodes a file as its first two lines declare (`# -*- coding: …`, PEP 263), and then splits it into lines.
 */
export function unreadEncoding(content: string): { name: string; line: number } | undefined {
  // A byte order mark takes precedence over lines.
  if (content.startsWith('\uFEFF')) return undefined
  const lines = content.slice(0, 2_000).split('\n').slice(0, 2)
  const at = lines.findIndex((line) => line.startsWith('#') && /coding[:=]\s*[-\w.]/.test(line))
  if (at === -1) return undefined
  const name = /coding[:=]\s*([-\w.]+)/.exec(lines[at]!)![1]!
  const plain = name.toLowerCase().replaceAll('_', '-')
  if (/^utf-?8(?:-sig)?$/.test(plain)) return undefined
  if (asciiBelow.test(plain) && !mayEndLines(content)) return undefined
  return { name, line: at + 1 }
}

/**
 * Returns true if byte 85 occurs, which ends a line in most single-byte encodings; in windows-1252, often used to
 * decode Latin 1, it is `…`.
 */
function mayEndLines(content: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches everything but ASCII
  const others = content.match(/[^\x00-\x7f]+/g) ?? []
  return others.some((text) => text.includes('\u2026') || Buffer.from(text).includes(0x85))
}
