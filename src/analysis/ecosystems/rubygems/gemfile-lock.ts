import { shorten } from '#analysis/documents/json-document.ts'
import { linesOf } from '#analysis/documents/text-lines.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { splitPlatform } from '#analysis/versions/rubygems.ts'

export type SourceKind = 'GEM' | 'GIT' | 'PATH' | 'PLUGIN SOURCE'

/** A source of gems: one block of the lock. */
export interface LockSource {
  readonly kind: SourceKind
  readonly remotes: readonly string[]
}

export interface LockedDependency {
  readonly name: string
  /** Comma-separated requirements, which must all hold; `>= 0` if the lock has none. */
  readonly requirement: string
}

export interface LockedGem {
  readonly name: string
  readonly version: string
  /** Undefined if platform-independent. */
  readonly platform: string | undefined
  readonly source: LockSource
  readonly dependencies: readonly LockedDependency[]
}

export interface GemfileLock {
  readonly gems: readonly LockedGem[]
  /** The Gemfile's own dependencies. */
  readonly direct: readonly LockedDependency[]
  /** Locked platforms: `ruby`, `java`, `x86_64-linux`. */
  readonly platforms: readonly string[]
  readonly bundledWith: string | undefined
  /** Sections that are not known. */
  readonly unknownSections: readonly string[]
}

/** A lock line: `name (1.2.3-platform)`, `name (>= 1, < 2)!`. */
interface Entry {
  readonly name: string
  readonly inBrackets: string | undefined
}

const sourceKinds: readonly string[] = ['GEM', 'GIT', 'PATH', 'PLUGIN SOURCE'] satisfies SourceKind[]
const passedOver = ['RUBY VERSION', 'CHECKSUMS']
export const anything = '>= 0'

/**
 * Parses a Gemfile.lock as Bundler's LockfileParser does: sections at the margin, sources with their dependencies
 * indented by two, gems by four, a gem's dependencies by six. All locked platforms count. Ignores checksums and the
 * Ruby version. Refuses unknown lines, which Bundler skips.
 */
export function parseGemfileLock(text: string, file: 'target' | number): GemfileLock {
  const gems: (LockedGem & { dependencies: LockedDependency[] })[] = []
  const direct: LockedDependency[] = []
  const platforms: string[] = []
  const unknownSections: string[] = []
  let section = ''
  let source: { kind: SourceKind; remotes: string[] } | undefined
  let bundledWith: string | undefined
  let hasDirect = false
  let number = 0
  for (const written of linesOf(text, file)) {
    number++
    const line = written.trimEnd()
    if (line === '') continue
    if (/^(?:<{7}|={7}|>{7}|\|{7})/.test(line)) throw fault('unresolved merge conflict')
    const content = line.trimStart()
    const indent = line.length - content.length
    if (indent === 0) {
      section = line
      source = sourceKinds.includes(section) ? { kind: section as SourceKind, remotes: [] } : undefined
      const isKnown =
        source !== undefined || ['DEPENDENCIES', 'PLATFORMS', 'BUNDLED WITH', ...passedOver].includes(section)
      if (!isKnown) unknownSections.push(section)
      hasDirect ||= section === 'DEPENDENCIES'
    } else if (source !== undefined) readOfSource(content, indent, source)
    else if (section === 'DEPENDENCIES') {
      if (indent !== 2) throw fault('wrong indentation')
      direct.push(toDependency(entryOf(content)))
    } else if (section === 'PLATFORMS') platforms.push(content)
    else if (section === 'BUNDLED WITH') bundledWith = content
    else if (section === '') throw fault(`unexpected "${shorten(content)}"`)
  }
  if (!hasDirect && gems.length > 0) {
    throw new Unreadable('The Gemfile.lock has no DEPENDENCIES; it may be truncated', { file, line: number })
  }
  return { gems, direct, platforms, bundledWith, unknownSections }

  function readOfSource(content: string, indent: number, into: { kind: SourceKind; remotes: string[] }): void {
    if (indent === 2) {
      if (content.startsWith('remote: ')) into.remotes.push(content.slice('remote: '.length))
      else if (!/^[a-z_]+:/.test(content)) throw fault(`unexpected "${shorten(content)}"`)
    } else if (indent === 4) {
      const { name, inBrackets } = entryOf(content)
      if (inBrackets === undefined) throw fault(`"${shorten(name)}" has no version`)
      const { version, platform } = splitPlatform(inBrackets)
      if (version === '' || version.length > 256) throw fault(`"${shorten(name)}" has no version`)
      gems.push({ name, version, platform, source: into, dependencies: [] })
    } else if (indent === 6) {
      const gem = gems.at(-1)
      if (gem === undefined || gem.source !== into) throw fault('a dependency without a gem')
      gem.dependencies.push(toDependency(entryOf(content)))
    } else throw fault('wrong indentation')
  }

  function entryOf(content: string): Entry {
    const plain = content.endsWith('!') ? content.slice(0, -1) : content
    const open = plain.indexOf(' (')
    if (open === -1 && !plain.includes(' ')) return { name: plain, inBrackets: undefined }
    if (open <= 0 || !plain.endsWith(')')) throw fault(`unexpected "${shorten(content)}"`)
    return { name: plain.slice(0, open), inBrackets: plain.slice(open + 2, -1) }
  }

  function fault(what: string): Unreadable {
    return new Unreadable(`Invalid Gemfile.lock: ${what} at line ${number}`, { file, line: number })
  }
}

function toDependency({ name, inBrackets }: Entry): LockedDependency {
  return { name, requirement: inBrackets ?? anything }
}
