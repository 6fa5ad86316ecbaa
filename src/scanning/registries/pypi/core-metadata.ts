import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { toProjectName } from '#analysis/ecosystems/python/packaging/project-name.ts'
import type { PyPiMetadata } from '#analysis/registries/pypi.ts'

/** The headers of a METADATA or PKG-INFO file, and whether its dependencies are the same for every build. */
export interface CoreMetadata extends PyPiMetadata {
  readonly requiresDist: readonly string[]
  readonly isStatic: boolean
}

const MAX_CHARACTERS = 8_000_000
const MAX_LICENSE_CHARACTERS = 200

/** Parses the headers of core metadata (PEP 566, version 2.2 by PEP 643). Ignores the text after the headers. */
export function parseCoreMetadata(text: string, what: string): CoreMetadata {
  const headers = readHeaders(text.slice(0, MAX_CHARACTERS))
  const all = (name: string) => headers.flatMap(([header, value]) => (header === name ? [value] : []))
  const [version] = all('metadata-version')
  if (version === undefined) throw new RegistryUnreachable(`the metadata of ${what} is none`)
  const [requiresPython] = all('requires-python')
  const dynamic = all('dynamic').map((name) => name.toLowerCase())
  const license = licenseOf(all('license-expression')[0], all('license')[0], all('classifier'))
  return {
    requiresDist: all('requires-dist'),
    provides: [...new Set(all('provides-extra').map(toProjectName))],
    isStatic: isAtLeast22(version) && !dynamic.includes('requires-dist'),
    ...(requiresPython === undefined ? {} : { requiresPython }),
    ...(license === undefined ? {} : { license }),
  }
}

/** Splits the headers; a line that begins with a blank continues the previous one. */
function readHeaders(text: string): (readonly [name: string, value: string])[] {
  const headers: [string, string][] = []
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    if (line === '') break
    const last = headers.at(-1)
    const colon = line.indexOf(':')
    if (/^[ \t]/.test(line)) {
      if (last !== undefined && last[1].length < 10_000) last[1] += ` ${line.trim()}`
    } else if (colon > 0) headers.push([line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()])
  }
  return headers
}

function isAtLeast22(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 2 || (major === 2 && minor >= 2)
}

/**
 * Returns the license expression, else the license name unless it is a whole license text, else the classifiers'
 * license.
 */
export function licenseOf(
  expression: string | undefined,
  word: string | undefined,
  classifiers: readonly string[],
): string | undefined {
  if (expression !== undefined && expression !== '') return expression.slice(0, MAX_LICENSE_CHARACTERS)
  const isShort = word !== undefined && word.length <= MAX_LICENSE_CHARACTERS && !word.includes('\n')
  if (isShort && word !== '' && word.toUpperCase() !== 'UNKNOWN') return word
  const licenses = classifiers
    .filter((classifier) => classifier.startsWith('License ::'))
    .map((classifier) => classifier.split(' :: ').at(-1)!)
  return licenses.length === 0 ? undefined : licenses.join(', ').slice(0, MAX_LICENSE_CHARACTERS)
}
