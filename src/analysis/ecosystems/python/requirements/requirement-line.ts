import { isUrl } from '#analysis/documents/file-paths.ts'
import { shorten } from '#analysis/documents/json-document.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import { isArchiveName, parseFileName, parseWheel } from '../packaging/file-name.ts'
import { type Marker, parseMarker } from '../packaging/marker.ts'
import { parseRequirement, type Requirement } from '../packaging/requirement.ts'

const unreadable = { kind: 'unreadable' } as const

/** The package that a line requires. */
export type ParsedRequirement =
  | { readonly kind: 'from-registry'; readonly requirement: Requirement }
  | {
      readonly kind: 'from-elsewhere'
      /** Undefined if the line does not contain it. */
      readonly requirement: Requirement | undefined
      /** The source, without credentials. */
      readonly source: string
      /** From the file name or the line's own specifier; a tag or a branch gives none. */
      readonly version: string | undefined
      readonly marker: Marker | undefined
    }
  | { readonly kind: 'unreadable' }

/** Parses a requirement as pip does: an address, a path, or a name in the syntax of PEP 508. */
export function parseRequirementLine(text: string, kind: 'plain' | 'editable'): ParsedRequirement {
  const parsed = kind === 'editable' || isUrl(text) ? undefined : parseNamed(text)
  if (parsed !== undefined) return parsed
  const direct = parseRequirement(text)
  if (direct?.url !== undefined) return fromUrl(direct)
  const { address, marker } = splitMarker(text, kind)
  if (marker === undefined) return unreadable
  if (isUrl(address)) return fromAddress(address, marker.value)
  if (!looksLikePath(address) && !isArchiveName(address))
    return kind === 'editable' ? fromPath(address, marker.value) : unreadable
  return fromPath(address, marker.value)
}

function parseNamed(text: string): ParsedRequirement | undefined {
  const [before = ''] = text.split(';', 1)
  if (!before.includes('@') && (looksLikePath(before) || isArchiveName(before.trim()))) return undefined
  const requirement = parseRequirement(text)
  if (requirement === undefined) return undefined
  return requirement.url === undefined ? { kind: 'from-registry', requirement } : fromUrl(requirement)
}

/** Parses `name @ address`. */
function fromUrl(requirement: Requirement): ParsedRequirement {
  const url = requirement.url!
  const version = parseFileName(fileNameOf(url), requirement.project)?.version
  return { kind: 'from-elsewhere', requirement, source: toSource(url), version, marker: requirement.marker }
}

/** Parses an address; `#egg=name==1.0` names its content, and pip refuses it if that is wrong. */
function fromAddress(address: string, marker: Marker | undefined): ParsedRequirement {
  const [, egg] = /[#&]egg=([^&]*)/.exec(address) ?? []
  const eggRequirement = egg === undefined ? undefined : parseRequirement(decode(egg))
  const name = fileNameOf(address)
  const wheel = /\.whl$/i.test(name) ? parseWheel(name) : undefined
  const requirement = eggRequirement ?? (wheel === undefined ? undefined : parseRequirement(wheel.project))
  const demanded =
    eggRequirement?.specifiers.length === 1 ? /^==\s*([^*\s]+)$/.exec(eggRequirement.range)?.[1] : undefined
  const version = demanded ?? wheel?.version ?? (eggRequirement && parseFileName(name, eggRequirement.project)?.version)
  return { kind: 'from-elsewhere', requirement, source: toSource(address), version, marker }
}

function fromPath(path: string, marker: Marker | undefined): ParsedRequirement {
  const name = fileNameOf(path)
  const wheel = /\.whl$/i.test(name) ? parseWheel(name) : undefined
  const requirement = wheel === undefined ? undefined : parseRequirement(wheel.project)
  return { kind: 'from-elsewhere', requirement, source: toSource(path), version: wheel?.version, marker }
}

/** Splits off a marker, which follows an address after a semicolon and a blank; undefined if it is invalid. */
function splitMarker(
  text: string,
  kind: 'plain' | 'editable',
): { address: string; marker: { value: Marker | undefined } | undefined } {
  const separator = isUrl(text) ? '; ' : ';'
  const at = kind === 'editable' ? -1 : text.indexOf(separator)
  if (at === -1) return { address: text.trim(), marker: { value: undefined } }
  const written = text.slice(at + separator.length).trim()
  const marker = written === '' ? undefined : parseMarker(written)
  const isRefused = written !== '' && marker === undefined
  return { address: text.slice(0, at).trim(), marker: isRefused ? undefined : { value: marker } }
}

function looksLikePath(text: string): boolean {
  return text.includes('/') || text.includes('\\') || text.startsWith('.')
}

function fileNameOf(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1)
  return decode(path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1))
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function toSource(text: string): string {
  return shorten(withoutCredentials(text))
}
