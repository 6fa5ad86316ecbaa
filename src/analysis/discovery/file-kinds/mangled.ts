import type { Outline } from './outline.ts'

/** Damage to a file in transit, with advice. */
export interface Damage {
  readonly what: string
  readonly todo: string
  /** Counted from 1. */
  readonly line?: number
}

/** The beginning of a bun.lockb. */
export const BUN_BINARY_LOCK = '#!/usr/bin/env bun'
/** Advice for a bun.lockb. */
export const BUN_TEXT_LOCK = 'Write bun.lock with "bun install --save-text-lockfile" and send that.'

/** Finds damage that leaves every kind unreadable: undecoded encodings, LFS pointers, unfinished merges. */
export function findDamage(outline: Outline): Damage | undefined {
  const { text } = outline
  if (text.startsWith(BUN_BINARY_LOCK) && text.includes('\0'))
    return { what: 'it is a bun.lockb, the binary lockfile of Bun, which is not read', todo: BUN_TEXT_LOCK }
  if (text.includes('\0'))
    return {
      what: 'it holds NUL characters, so it is binary or UTF-16',
      todo: 'Send its text as UTF-8.',
      line: lineOf(text, text.indexOf('\0')),
    }
  if (/^\s*version https:\/\/git-lfs\.github\.com\/spec/.test(text))
    return { what: 'it is a Git LFS pointer', todo: 'Fetch the file itself (git lfs pull) and send that.' }
  return findMerge(text) ?? findBase64(text)
}

/** Finds all three conflict markers of git at line starts. */
function findMerge(text: string): Damage | undefined {
  // Files are large, and the pattern is tried at each of their lines.
  if (!text.includes('<<<<<<<')) return undefined
  const start = /^<{7}(?: |\r?$)/m.exec(text)
  if (start === null) return undefined
  const rest = text.slice(start.index)
  if (!/^={7}\r?$/m.test(rest) || !/^>{7}(?: |\r?$)/m.test(rest)) return undefined
  return { what: 'unresolved merge conflict', todo: 'Resolve it first.', line: lineOf(text, start.index) }
}

const LOOKED_AT = 8_000
const MIN_CHARACTERS = 16

/** Finds base64-encoded text in either alphabet, on one line or several. */
function findBase64(text: string): Damage | undefined {
  const first = text.slice(0, LOOKED_AT)
  if (!/^[\w+/=\s-]+$/.test(first)) return undefined
  const packed = first.replace(/\s+/g, '')
  const isPadded = packed.endsWith('=') && text.length <= LOOKED_AT
  if (packed.length < (isPadded ? MIN_CHARACTERS / 2 : MIN_CHARACTERS) || /=[^=]/.test(packed)) return undefined
  const decoded = decode(packed)
  if (decoded === undefined || !/[\s{}<>=:"'#(]/.test(decoded)) return undefined
  const todo = 'Add "encoding": "base64" to the request, and encode each file once.'
  return { what: 'it is written in base64', todo }
}

/** Decodes base64; undefined if the result is not text. */
function decode(packed: string): string | undefined {
  const plain = packed.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  const whole = plain.slice(0, plain.length - (plain.length % 4 === 1 ? 1 : 0))
  try {
    const bytes = Uint8Array.from(atob(whole), (character) => character.charCodeAt(0))
    const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
    if (isWide) return ' '
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of these
    return /[\u0000-\u0008\u000e-\u001f\u007f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
