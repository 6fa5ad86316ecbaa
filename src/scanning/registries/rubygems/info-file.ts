import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { GemDependency, GemVersion } from '#analysis/registries/rubygems.ts'

const MAX_LINES = 100_000
const MAX_LINE_CHARACTERS = 100_000
const MAX_VERSION_CHARACTERS = 256

/**
 * Parses a gem's file of the compact index (the `compact_index` gem): after a line of hyphens, one line for each
 * version and platform, `1.2.3-java a:>= 1&< 3,b:>= 0|checksum:…,ruby:>= 2.7`. Skips lines without a version, but never
 * loses a dependency. Ignores checksums and the required RubyGems version.
 */
export function parseInfoFile(document: Buffer, name: string): GemVersion[] {
  const text = document.toString('utf8')
  if (!/^(?:created_at:.*\n)?---\r?(?:\n|$)/.test(text.slice(0, 200))) {
    throw new RegistryUnreachable(`the registry's answer for ${name} is no file of the compact index`)
  }
  const lines = text.split('\n', MAX_LINES + 2)
  if (lines.length > MAX_LINES) throw new RegistryUnreachable(`the registry lists too many versions of ${name}`)
  return lines.slice(lines.findIndex((line) => line.startsWith('---')) + 1).flatMap(toVersion)
}

function toVersion(line: string): GemVersion[] {
  if (line.length > MAX_LINE_CHARACTERS) return []
  const [before = '', after = ''] = splitOnce(line.trimEnd(), '|')
  const [number, requirements] = splitOnce(before, ' ')
  const [version, platform = 'ruby'] = splitOnce(number, '-')
  if (!/^[0-9A-Za-z.]+$/.test(version) || version.length > MAX_VERSION_CHARACTERS) return []
  const rubyVersion = requirementsOf(
    after
      .split(',')
      .find((requirement) => requirement.startsWith('ruby:'))
      ?.slice('ruby:'.length),
  )
  return [
    {
      version,
      platform,
      dependencies: (requirements ?? '').split(',').flatMap(toDependency),
      ...(rubyVersion === undefined ? {} : { rubyVersion }),
    },
  ]
}

function toDependency(text: string): GemDependency[] {
  const [name, requirements] = splitOnce(text, ':')
  return name === '' ? [] : [{ name, requirement: requirementsOf(requirements) ?? '>= 0' }]
}

/** Converts `>= 1&< 3` to `>= 1, < 3`. */
function requirementsOf(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text.split('&').join(', ')
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)]
}
