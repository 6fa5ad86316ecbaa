/** Not Python's names for them, but those that browsers know, all with ASCII as their first half. */
const asciiBelow =
  /^(?:utf-?8|(?:us-?)?ascii|latin-?1|l1|cp?125\d|windows-125\d|iso-?8859-?\d{1,2}|koi8-[ru]|mac-?roman)$/

/**
 * pip decodes a file as its first two lines say (`# -*- coding: …`, PEP 263), and only then splits it into lines. Returns the
 * encoding where that may give other lines than the text as it is here; undefined where it cannot.
 */
export function unreadEncoding(content: string): { name: string; line: number } | undefined {
  // A byte order mark counts more than what lines say.
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

/** The byte 85 ends a line in most encodings of one byte; in windows-1252, as which Latin 1 may have been decoded, it is `…`. */
function mayEndLines(content: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: only what is not ASCII matters
  const others = content.match(/[^\x00-\x7f]+/g) ?? []
  return others.some((text) => text.includes('\u2026') || Buffer.from(text).includes(0x85))
}
