import { shorten } from '../npm/json-document.ts'
import { withoutCredentials } from '../npm/spec.ts'
import { isArchiveName, parseFileName, parseWheel } from './file-name.ts'
import { type Marker, parseMarker } from './marker.ts'
import { parseRequirement, type Requirement } from './requirement.ts'

/** What a line asks for. */
export type AskedThing =
  | { readonly kind: 'from-registry'; readonly requirement: Requirement }
  | {
      readonly kind: 'from-elsewhere'
      /** Undefined when the line does not tell it. */
      readonly requirement: Requirement | undefined
      /** Where from, without credentials. */
      readonly source: string
      /** Told by the file's own name or by what the line demands of it; a tag or a branch tells none. */
      readonly version: string | undefined
      readonly marker: Marker | undefined
    }
  | { readonly kind: 'unreadable' }

const urlSchemes = new Set(['http', 'https', 'file', 'ftp', 'sftp', 'ssh', 'git', 'hg', 'bzr', 'svn'])
const unreadable = { kind: 'unreadable' } as const

/** As pip reads a requirement: an address, a path, or a name with what PEP 508 lets follow it. */
export function parseRequirementLine(text: string, kind: 'plain' | 'editable'): AskedThing {
  const named = kind === 'editable' || isUrl(text) ? undefined : parseNamed(text)
  if (named !== undefined) return named
  const direct = parseRequirement(text)
  if (direct?.url !== undefined) return fromUrl(direct)
  const { address, marker } = splitMarker(text, kind)
  if (marker === undefined) return unreadable
  if (isUrl(address)) return fromAddress(address, marker.value)
  if (!looksLikePath(address) && !isArchiveName(address))
    return kind === 'editable' ? fromPath(address, marker.value) : unreadable
  return fromPath(address, marker.value)
}

function parseNamed(text: string): AskedThing | undefined {
  const [before = ''] = text.split(';', 1)
  if (!before.includes('@') && (looksLikePath(before) || isArchiveName(before.trim()))) return undefined
  const requirement = parseRequirement(text)
  if (requirement === undefined) return undefined
  return requirement.url === undefined ? { kind: 'from-registry', requirement } : fromUrl(requirement)
}

/** `name @ address`. */
function fromUrl(requirement: Requirement): AskedThing {
  const url = requirement.url!
  const version = parseFileName(fileNameOf(url), requirement.project)?.version
  return { kind: 'from-elsewhere', requirement, source: toSource(url), version, marker: requirement.marker }
}

/** An address by itself; `#egg=name==1.0` names what it holds, and pip refuses it if that is not so. */
function fromAddress(address: string, marker: Marker | undefined): AskedThing {
  const [, egg] = /[#&]egg=([^&]*)/.exec(address) ?? []
  const named = egg === undefined ? undefined : parseRequirement(decode(egg))
  const name = fileNameOf(address)
  const wheel = /\.whl$/i.test(name) ? parseWheel(name) : undefined
  const requirement = named ?? (wheel === undefined ? undefined : parseRequirement(wheel.project))
  const demanded = named?.specifiers.length === 1 ? /^==\s*([^*\s]+)$/.exec(named.range)?.[1] : undefined
  const version = demanded ?? wheel?.version ?? (named && parseFileName(name, named.project)?.version)
  return { kind: 'from-elsewhere', requirement, source: toSource(address), version, marker }
}

function fromPath(path: string, marker: Marker | undefined): AskedThing {
  const name = fileNameOf(path)
  const wheel = /\.whl$/i.test(name) ? parseWheel(name) : undefined
  const requirement = wheel === undefined ? undefined : parseRequirement(wheel.project)
  return { kind: 'from-elsewhere', requirement, source: toSource(path), version: wheel?.version, marker }
}

/** After an address a marker stands behind a semicolon and a blank; undefined when it is none. */
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

export function isUrl(text: string): boolean {
  const colon = text.indexOf(':')
  if (colon === -1) return false
  const scheme = text.slice(0, colon).toLowerCase()
  return urlSchemes.has(scheme) || /^(?:git|hg|bzr|svn)\+[a-z]+$/.test(scheme)
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
