import { compareNaturals, compareText, endOfDigits, isDigit, type Natural, toNatural } from './naturals.ts'

export interface PythonVersion {
  readonly epoch: Natural
  /** The written numbers, with trailing zeros. */
  readonly release: readonly Natural[]
  readonly pre: { readonly rank: PreRank; readonly number: Natural } | undefined
  readonly post: Natural | undefined
  readonly dev: Natural | undefined
  readonly local: readonly string[] | undefined
}

/** a, b, rc. */
export type PreRank = 1 | 2 | 3

const DEV_ONLY = 0
const NO_PRE = 4
const PRE_WORDS: readonly (readonly [string, PreRank])[] = [
  ['alpha', 1],
  ['a', 1],
  ['beta', 2],
  ['b', 2],
  ['preview', 3],
  ['pre', 3],
  ['c', 3],
  ['rc', 3],
]
const POST_WORDS = [
  ['post', 1],
  ['rev', 1],
  ['r', 1],
] as const
const DEV_WORDS = [['dev', 1]] as const

/** Parses a version by PEP 440's appendix B, ignoring surrounding space. */
export function parsePythonVersion(text: string): PythonVersion | undefined {
  return parseBareVersion(trimPythonSpace(text))
}

/** The same without surrounding space. */
export function parseBareVersion(spelling: string): PythonVersion | undefined {
  if (!isAscii(spelling)) return undefined
  const text = spelling.toLowerCase()
  const reader = { text, at: 0 }
  if (peek(reader) === 'v') reader.at++
  const numbers = readNumbers(reader)
  if (numbers === undefined) return undefined
  // Most versions have numbers only.
  if (reader.at === text.length)
    return { ...numbers, pre: undefined, post: undefined, dev: undefined, local: undefined }
  const pre = readLabel(reader, PRE_WORDS)
  const post = readDashedPost(reader) ?? readLabel(reader, POST_WORDS)?.number
  const dev = readLabel(reader, DEV_WORDS)?.number
  const local = peek(reader) === '+' ? readLocal(reader) : undefined
  return reader.at === text.length ? { ...numbers, pre, post, dev, local } : undefined
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false
  return true
}

export function trimPythonSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isPythonSpace(text.charCodeAt(start))) start++
  while (end > start && isPythonSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

/** Matches Python's `str.isspace`, which differs slightly from JavaScript's `\s`. */
export function isPythonSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x1f)
  if (code < 0x85) return false
  return code === 0x85 || (code !== 0xfeff && /\s/.test(String.fromCharCode(code)))
}

interface Reader {
  readonly text: string
  at: number
}

function peek({ text, at }: Reader): string {
  return text.charAt(at)
}

function readDigits(reader: Reader): string {
  const start = reader.at
  reader.at = endOfDigits(reader.text, start)
  return reader.text.slice(start, reader.at)
}

function readNumbers(reader: Reader): Pick<PythonVersion, 'epoch' | 'release'> | undefined {
  let first = readDigits(reader)
  if (first === '') return undefined
  let epoch = '0'
  if (peek(reader) === '!') {
    reader.at++
    epoch = toNatural(first)
    first = readDigits(reader)
    if (first === '') return undefined
  }
  const release = [toNatural(first)]
  while (peek(reader) === '.' && isDigit(reader.text.charCodeAt(reader.at + 1))) {
    reader.at++
    release.push(toNatural(readDigits(reader)))
  }
  return { epoch, release }
}

/**
 * Reads an optional separator, a word, an optional separator, an optional number, each greedily without backtracking.
 */
function readLabel<Rank>(reader: Reader, words: readonly (readonly [string, Rank])[]) {
  const start = isSeparator(peek(reader)) ? reader.at + 1 : reader.at
  const match = words.find(([word]) => reader.text.startsWith(word, start))
  if (match === undefined) return undefined
  reader.at = start + match[0].length
  if (isSeparator(peek(reader))) reader.at++
  return { rank: match[1], number: toNatural(readDigits(reader)) }
}

function readDashedPost(reader: Reader): Natural | undefined {
  if (peek(reader) !== '-' || !isDigit(reader.text.charCodeAt(reader.at + 1))) return undefined
  reader.at++
  return toNatural(readDigits(reader))
}

/** Reads a local part; stops at the first invalid character. */
function readLocal(reader: Reader): string[] {
  const parts: string[] = []
  let at = reader.at + 1
  for (;;) {
    let end = at
    while (isLocalCharacter(reader.text.charCodeAt(end))) end++
    if (end === at) return parts
    const part = reader.text.slice(at, end)
    parts.push(isNumeric(part) ? toNatural(part) : part)
    reader.at = end
    if (!isSeparator(peek(reader))) return parts
    at = end + 1
  }
}

function isSeparator(character: string): boolean {
  return character === '.' || character === '-' || character === '_'
}

function isLocalCharacter(code: number): boolean {
  return isDigit(code) || (code >= 0x61 && code <= 0x7a)
}

function isNumeric(text: string): boolean {
  return endOfDigits(text, 0) === text.length
}

/** Returns true for versions before their release, including development versions of post-releases. */
export function isPrerelease(version: PythonVersion): boolean {
  return version.pre !== undefined || version.dev !== undefined
}

export function orderVersions(a: PythonVersion, b: PythonVersion): number {
  return orderPublic(a, b) || orderLocals(a.local, b.local)
}

/** Compares without the local part. */
export function orderPublic(a: PythonVersion, b: PythonVersion): number {
  return (
    compareNaturals(a.epoch, b.epoch) ||
    orderReleases(a.release, b.release) ||
    toPreRank(a) - toPreRank(b) ||
    compareNaturals(a.pre?.number ?? '0', b.pre?.number ?? '0') ||
    orderOptional(a.post, b.post, -1) ||
    orderOptional(a.dev, b.dev, 1)
  )
}

export function orderReleases(a: readonly Natural[], b: readonly Natural[]): number {
  const length = Math.max(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const difference = compareNaturals(a[i] ?? '0', b[i] ?? '0')
    if (difference !== 0) return difference
  }
  return 0
}

/** Ranks the pre-release part: `1.0.dev1` is before every alpha; a release after every candidate. */
export function toPreRank({ pre, post, dev }: PythonVersion): number {
  if (pre !== undefined) return pre.rank
  return post === undefined && dev !== undefined ? DEV_ONLY : NO_PRE
}

/** Compares optional numbers. `absent` is -1 if a missing number comes first, 1 if it comes last. */
function orderOptional(a: Natural | undefined, b: Natural | undefined, absent: -1 | 1): number {
  if (a !== undefined && b !== undefined) return compareNaturals(a, b)
  if (a === b) return 0
  return a === undefined ? absent : -absent
}

function orderLocals(a: readonly string[] | undefined, b: readonly string[] | undefined): number {
  if (a === undefined || b === undefined) return (a === undefined ? 0 : 1) - (b === undefined ? 0 : 1)
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = orderLocalParts(a[i]!, b[i]!)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function orderLocalParts(a: string, b: string): number {
  const isNumber = isNumeric(a)
  if (isNumber !== isNumeric(b)) return isNumber ? 1 : -1
  return isNumber ? compareNaturals(a, b) : compareText(a, b)
}
