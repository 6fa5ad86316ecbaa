import { parseSpecifiers, type Specifier } from '#analysis/versions/pep440-specifiers.ts'
import { evaluateMarker, type Marker, type MarkerEnvironment, parseMarker } from './marker.ts'
import { toProjectName } from './project-name.ts'
import { isAtEnd, type Scanner, skipBlanks, startScanner, take } from './scanner.ts'

/** A dependency specifier (PEP 508). */
export interface Requirement {
  /** Normalized name. */
  readonly project: string
  /** Sorted, normalized names. */
  readonly extras: readonly string[]
  /** The written text, without brackets. */
  readonly range: string
  readonly specifiers: readonly Specifier[]
  /** A direct reference. */
  readonly url: string | undefined
  readonly marker: Marker | undefined
}

const longest = 20_000
const identifier = /[a-zA-Z0-9](?:[a-zA-Z0-9._-]*[a-zA-Z0-9_])?/y
const sign = { at: /@/y, open: /\[/y, close: /\]/y, comma: /,/y, opening: /\(/y, closing: /\)/y, semicolon: /;/y }
const address = /[^ \t]+/y
const versions = /[^;()]*/y
const identity = /===\s*\S*\s*/y

/** Parses a requirement; undefined for text that the `packaging` library (26) refuses. */
export function parseRequirement(text: string): Requirement | undefined {
  if (text.length > longest) return undefined
  const scanner = startScanner(text)
  skipBlanks(scanner)
  const name = take(scanner, identifier)
  if (name === undefined) return undefined
  skipBlanks(scanner)
  const extras = readExtras(scanner)
  if (extras === undefined) return undefined
  skipBlanks(scanner)
  const constraint = take(scanner, sign.at) === undefined ? readRange(scanner) : readUrl(scanner)
  if (constraint === undefined) return undefined
  const marker = readMarkerPart(scanner)
  if (marker === false) return undefined
  return { project: toProjectName(name), extras, ...constraint, marker }
}

function readExtras(scanner: Scanner): string[] | undefined {
  if (take(scanner, sign.open) === undefined) return []
  const extras = new Set<string>()
  skipBlanks(scanner)
  for (let name = take(scanner, identifier); name !== undefined; name = take(scanner, identifier)) {
    extras.add(toProjectName(name))
    skipBlanks(scanner)
    if (take(scanner, sign.comma) === undefined) break
    skipBlanks(scanner)
    identifier.lastIndex = scanner.at
    if (!identifier.test(scanner.text)) return undefined
  }
  skipBlanks(scanner)
  return take(scanner, sign.close) === undefined ? undefined : [...extras].sort()
}

function readRange(scanner: Scanner): Pick<Requirement, 'range' | 'specifiers' | 'url'> | undefined {
  const isBracketed = take(scanner, sign.opening) !== undefined
  const range = take(scanner, versions)!.trim()
  if (isBracketed && take(scanner, sign.closing) === undefined) return undefined
  if (!isJoinedByCommas(range)) return undefined
  const parts = range.split(',')
  const plain = parts.map((part) => part.trim()).filter((part) => part !== '')
  const specifiers = parseSpecifiers(range)
  return specifiers === undefined ? undefined : { range: plain.join(','), specifiers, url: undefined }
}

/**
 * Returns true if single commas separate the specifiers, with an optional final one; `===` extends to the next space,
 * commas included.
 */
function isJoinedByCommas(range: string): boolean {
  let withoutIdentities = ''
  let start = 0
  for (let at = range.indexOf('==='); at !== -1; at = range.indexOf('===', start)) {
    const scanner = { text: range, at }
    take(scanner, identity)
    if (!isAtEnd(scanner) && range[scanner.at] !== ',') return false
    withoutIdentities += `${range.slice(start, at)}===`
    start = scanner.at
  }
  const parts = `${withoutIdentities}${range.slice(start)}`.split(',')
  return range === '' || parts.every((part, at) => part.trim() !== '' || (at > 0 && at === parts.length - 1))
}

function readUrl(scanner: Scanner): Pick<Requirement, 'range' | 'specifiers' | 'url'> | undefined {
  skipBlanks(scanner)
  const url = take(scanner, address)
  return url === undefined ? undefined : { range: '', specifiers: [], url }
}

/** Reads a marker; false if the rest is none. */
function readMarkerPart(scanner: Scanner): Marker | undefined | false {
  skipBlanks(scanner)
  if (isAtEnd(scanner)) return undefined
  if (take(scanner, sign.semicolon) === undefined) return false
  return parseMarker(scanner.text.slice(scanner.at)) ?? false
}

/** Returns true if the requirement applies without extras or with one of the given ones; undecidable ones apply. */
export function applies(
  { marker }: Pick<Requirement, 'marker'>,
  environment: MarkerEnvironment,
  extras: readonly string[],
): boolean {
  if (marker === undefined) return true
  const contexts = extras.length === 0 ? [''] : extras
  return contexts.some((extra) => evaluateMarker(marker, environment, extra) !== false)
}
