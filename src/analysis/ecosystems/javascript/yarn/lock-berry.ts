import { Unreadable } from '#analysis/documents/unreadable.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import { archiveNamedBy, isVersion } from '../archive-address.ts'
import type { Dependency } from '../dependency.ts'
import type { LockEntry } from '../entry-lock.ts'
import { judgeAddress, judgeNamed, noSource, type Stated, unreadableVersion } from '../lock-doubts.ts'
import { ruledRange, withNpm } from '../resolutions.ts'
import { LOCAL_PATH, parseSpec, splitAtVersion } from '../spec.ts'
import { type Block, blockAt, readBlocks, type TopBlock, textAt } from './lock-text.ts'
import { decoded, splitDescriptor, type YarnLock } from './yarn-lock.ts'

/** Lookup tables of the lock. */
interface Index {
  readonly byDescriptor: ReadonlyMap<string, LockEntry>
  readonly byName: ReadonlyMap<string, readonly LockEntry[]>
  /** `name@reference`, against which relative paths in descriptors are resolved. */
  readonly locators: ReadonlyMap<LockEntry, string>
}

const metadata = '__metadata'

import { noSettings, withExtensions } from './yarn-settings.ts'

/** Versions of one package that are searched if a range leads to none directly. */
const MAX_OF_ONE_NAME = 50

/**
 * Reads a yarn.lock of Yarn 2 and later, all versions so far (4 to 10): entries by descriptors, each with its locator
 * (Yarn's `Project.generateLockfile`). Workspaces are entries too, their dev dependencies among the others. Virtual
 * packages are not written; they follow from the peers that dependents bring. Ranges of catalogs and additions by
 * `packageExtensions` are in .yarnrc.yml only.
 */
export function readLockBerry(text: string, file: 'target' | number, settings = noSettings): YarnLock {
  const blocks = readBlocks(text, 'berry', file)
  const about = blocks.find(({ keys }) => keys[0] === metadata)
  const byDescriptor = new Map<string, LockEntry>()
  const byName = new Map<string, LockEntry[]>()
  const locators = new Map<LockEntry, string>()
  const entries = blocks
    .filter((block) => block !== about)
    .map((block) => {
      const resolution = textAt(block.members, 'resolution') ?? block.keys[0]!
      const entry = withExtensions(toEntry(block, resolution, file), settings)
      locators.set(entry, resolution)
      for (const descriptor of block.keys[0]!.split(',').map((descriptor) => descriptor.trim())) {
        byDescriptor.set(descriptor, entry)
        const unbound = withoutBinding(descriptor)
        if (!byDescriptor.has(unbound)) byDescriptor.set(unbound, entry)
        const { name } = splitDescriptor(descriptor, { file, line: block.line })
        const same = byName.get(name)
        if (same === undefined) byName.set(name, [entry])
        else if (same.at(-1) !== entry) same.push(entry)
      }
      return entry
    })
  const index: Index = { byDescriptor, byName, locators }
  return {
    file,
    fileName: 'yarn.lock',
    tool: 'yarn',
    label: `yarn.lock (version ${(about && textAt(about.members, 'version')) ?? 'unknown'})`,
    entries,
    hasWorkspaces: true,
    passesOverUnfit: false,
    find(from, request, resolutions) {
      const locator = from === undefined ? undefined : locators.get(from)
      const dependency = { ...request, range: withNpm(request.range) }
      const reference = locator === undefined ? undefined : splitDescriptor(locator, { file, line: 1 }).range
      const ruled = ruledRange(resolutions, { parent: from?.name, reference, dependency })
      const range = ruled ?? request.range
      return { entries: entriesFor(index, { name: request.name, range, locator }), range: withoutNpm(range) }
    },
  }
}

interface Lookup {
  readonly name: string
  readonly range: string
  /** Locator of the dependent. */
  readonly locator: string | undefined
}

function entriesFor(index: Index, { name, range: written, locator }: Lookup): LockEntry[] {
  // Keys are separated by commas with spaces around, so a range that ends in spaces is found without them.
  const range = written.trim()
  const bound = locator === undefined ? '' : `::locator=${encodeURIComponent(locator.toWellFormed())}`
  for (const text of [range, withNpm(range), `${range}${bound}`]) {
    const entry = index.byDescriptor.get(`${name}@${text}`)
    if (entry !== undefined) return [entry]
  }
  const sameName = index.byName.get(name) ?? []
  if (sameName.length > MAX_OF_ONE_NAME) return []
  if (range.startsWith('catalog:')) return sameName.filter(({ workspace }) => workspace === undefined)
  // A patched package may be spelled in several ways.
  const patched = sameName.filter((entry) => index.locators.get(entry)?.startsWith(`${name}@patch:`))
  return range.startsWith('patch:') && patched.length === 1 ? patched : []
}

function toEntry(block: TopBlock, resolution: string, file: 'target' | number): LockEntry {
  const { members, line } = block
  const { name, range: reference } = splitDescriptor(resolution, { file, line })
  const version = textAt(members, 'version')
  if (version !== undefined && version.length > 256)
    throw new Unreadable(`Version longer than 256 characters at line ${line}`, { file, line })
  const workspace = reference.startsWith('workspace:') ? reference.slice('workspace:'.length) : undefined
  const source = workspace === undefined ? sourceOf(name, reference) : undefined
  const stated = {
    name: source?.name ?? name,
    version: version === localVersion ? undefined : version,
    tool: 'yarn',
  } as const
  const installed = source === undefined ? { name, version, doubt: undefined } : judge(stated, source)
  const isKnown = installed.version !== undefined && isVersion(installed.version)
  return {
    ...installed,
    version: isKnown || source?.isForeign !== true ? installed.version : undefined,
    elsewhere: source?.isForeign === true ? source.words : undefined,
    source: isKnown ? undefined : withoutCredentials(withoutBinding(reference)),
    integrity: undefined,
    workspace,
    dependencies: toDependencies(members),
    peers: [...blockAt(members, 'peerDependencies')].flatMap(([peer, range]) =>
      typeof range === 'string' ? [{ name: peer, range: withoutNpm(range) }] : [],
    ),
  }
}

const localVersion = '0.0.0-use.local'

interface Source {
  readonly isForeign: boolean
  readonly name: string
  /** The source, for the sentence "comes from …". */
  readonly words: string
  /** The target of the reference: a version, or the address of an archive. */
  readonly target: string | undefined
}

/** Parses a locator's reference. A patched package counts as its original. */
function sourceOf(name: string, reference: string): Source {
  if (reference.startsWith('npm:')) return ofRegistry(name, reference)
  if (reference.startsWith('patch:')) {
    const patched = decoded(reference.slice('patch:'.length).split('#')[0]!)
    const at = patched.indexOf('@', 1)
    if (at === -1) return { isForeign: false, name, words: '', target: undefined }
    const inner = patched.slice(at + 1)
    const isOfRegistry = !/^[a-z+]+:/i.test(inner) || inner.startsWith('npm:')
    return isOfRegistry
      ? ofRegistry(patched.slice(0, at), inner)
      : { isForeign: true, name, words: wordsFor(name, inner), target: inner }
  }
  if (isVersion(reference)) return { isForeign: false, name, words: '', target: reference }
  return { isForeign: true, name, words: wordsFor(name, reference), target: reference }
}

/** Marks an archive at an unusual place, possibly of any package. */
const archiveUrl = '::__archiveUrl='

function ofRegistry(name: string, reference: string): Source {
  const plain = reference.replace(/^npm:/, '')
  const at = plain.indexOf(archiveUrl)
  const alias = splitAtVersion(withoutBinding(plain))
  const real = alias.rest === '' ? { name, rest: alias.name } : alias
  const target = at === -1 ? real.rest : decoded(plain.slice(at + archiveUrl.length).split('&')[0]!)
  return { isForeign: false, name: real.name, words: '', target }
}

/** Judges an entry: Yarn installs the locator's target; `version` is only informative. */
function judge(stated: Stated, { isForeign, target }: Source): Pick<LockEntry, 'name' | 'version' | 'doubt'> {
  const { name, version } = stated
  const plain = { name, version, doubt: isForeign ? undefined : unreadableVersion(stated) }
  if (target === undefined) return plain
  if (/^https?:/i.test(target)) {
    if (isForeign && archiveNamedBy(target, name) === undefined) return plain
    return judgeAddress(stated, target)
  }
  if (isForeign) return plain
  if (!isVersion(target)) return { ...plain, doubt: noSource(target, 'yarn') }
  return judgeNamed(stated, { name, version: target })
}

function wordsFor(name: string, reference: string): string {
  if (/^(?:link|portal|file|exec):/.test(reference)) return LOCAL_PATH
  return parseSpec(name, reference).elsewhere ?? 'a source that is not known'
}

function toDependencies(members: Block): Dependency[] {
  const meta = blockAt(members, 'dependenciesMeta')
  const isOptional = (name: string) => textAt(blockAt(meta, name), 'optional') === 'true'
  const optional = blockAt(members, 'optionalDependencies')
  return [...blockAt(members, 'dependencies'), ...optional].flatMap(([name, range]) => {
    if (typeof range !== 'string') return []
    const mayBeAbsent = isOptional(name) || optional.has(name)
    return [{ name, range, kind: mayBeAbsent ? ('optional' as const) : ('prod' as const), mayBeAbsent }]
  })
}

/** Removes the binding from a descriptor's range, which names the folder of its relative path. */
function withoutBinding(text: string): string {
  const at = text.indexOf('::')
  return at === -1 ? text : text.slice(0, at)
}

/** Returns the range as in a package.json. */
function withoutNpm(range: string): string {
  const plain = range.startsWith('npm:') ? range.slice(4) : range
  return plain === range || /^@?[^@\s]+@/.test(plain) ? range : plain
}
