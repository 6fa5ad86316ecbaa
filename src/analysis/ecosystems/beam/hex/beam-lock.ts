import { shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import type { LockedPackage, Requirement } from '../../locked/locked-project.ts'
import { itemsOf, pairValue, parseTerm, skipBlanks, type Term, TermFault, textOf } from '../terms.ts'

/** The packages of a lockfile, by application. */
export type BeamLock = ReadonlyMap<string, LockedPackage>

/** Parses a mix.lock: a map from applications to tuples. */
export function parseMixLock(text: string, file: 'target' | number): BeamLock {
  const map = parseWhole(text, file, 'elixir')
  if (map.kind !== 'map') throw new Unreadable('A mix.lock must be a map', { file, line: 1 })
  const entries = map.entries.map(([key, value]) => {
    const name = textOf(key)
    const locked = name === undefined ? undefined : toMixPackage(name, itemsOf(value))
    if (locked === undefined) throw invalid(name, { text, file, at: key.start })
    return [name!, locked] as const
  })
  return withoutRepeats(entries, file)
}

/** Parses a rebar.lock: a list of tuples, or one beside the version of the format. */
export function parseRebarLock(text: string, file: 'target' | number): BeamLock {
  const term = parseWhole(text, file, 'erlang')
  const [version, listed] = term.kind === 'tuple' ? term.items : []
  const list = term.kind === 'list' ? term : listed
  const format = textOf(version)
  if (list?.kind !== 'list' || (format !== undefined && !/^1\./.test(format))) {
    throw new Unreadable('A rebar.lock must be a list of packages, or a tuple with the version 1.x', { file, line: 1 })
  }
  const entries = list.items.map((item) => {
    const [name, source] = itemsOf(item)
    const key = textOf(name)
    const locked = key === undefined ? undefined : toRebarPackage(key, itemsOf(source))
    if (locked === undefined) throw invalid(key, { text, file, at: item.start })
    return [key!, locked] as const
  })
  return withoutRepeats(entries, file)
}

/** `{:hex, :name, "1.0.0", "…", [:mix], [{:other, "~> 1.0", [hex: :other, optional: false]}], "hexpm", "…"}`. */
function toMixPackage(key: string, items: readonly Term[]): LockedPackage | undefined {
  const [kind, first, second, , , requires, repository] = items
  const source = textOf(kind)
  const [name, version] = [textOf(first), textOf(second)]
  if (source === 'git' && name !== undefined && version !== undefined) return toGit(key, name, version)
  if (source !== 'hex' || name === undefined || version === undefined) return undefined
  const repo = textOf(repository) ?? 'hexpm'
  return {
    name,
    version,
    requires: itemsOf(requires).flatMap(toRequirement),
    ...(repo !== 'hexpm' && { elsewhere: `the Hex repository ${shorten(repo)}` }),
  }
}

function toRequirement(item: Term): Requirement[] {
  const [app, range, options] = itemsOf(item)
  const key = textOf(app)
  if (key === undefined) return []
  const isOptional = textOf(pairValue(options, 'optional')) === 'true'
  const name = textOf(pairValue(options, 'hex')) ?? key
  return [{ key, name, range: range?.kind === 'text' ? range.text : '', kind: isOptional ? 'optional' : 'prod' }]
}

/** `{pkg, <<"name">>, <<"1.0.0">>}` or `{git, "https://…", {ref, "…"}}`. */
function toRebarPackage(key: string, [kind, first, second]: readonly Term[]): LockedPackage | undefined {
  const [source, name] = [textOf(kind), textOf(first)]
  if (source === undefined || name === undefined) return undefined
  if (source !== 'pkg') return toGit(key, name, textOf(itemsOf(second)[1]) ?? '')
  const version = textOf(second)
  return version === undefined ? undefined : { name, version, requires: [] }
}

function toGit(name: string, url: string, ref: string): LockedPackage {
  return {
    name,
    version: ref,
    requires: [],
    elsewhere: `the git repository ${withoutCredentials(shorten(url))}`,
    ...(/^[0-9a-f]{40}$/.test(ref) && { commit: ref }),
  }
}

/** Parses the first term, behind which only checksums may follow. */
function parseWhole(text: string, file: 'target' | number, language: 'elixir' | 'erlang'): Term {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0
  try {
    const term = parseTerm(text, start, language)
    const end = skipBlanks(text, term.end, language)
    if (language === 'elixir' ? end < text.length : text[end] !== '.') throw new TermFault(end)
    return term
  } catch (error) {
    if (!(error instanceof TermFault)) throw error
    throw new Unreadable('Invalid term', { file, line: lineAt(text, error.at), cause: error })
  }
}

function withoutRepeats(entries: readonly (readonly [string, LockedPackage])[], file: 'target' | number): BeamLock {
  const lock = new Map(entries)
  if (lock.size === entries.length) return lock
  throw new Unreadable('The lockfile has two entries for one package', { file })
}

interface Fault {
  readonly text: string
  readonly file: 'target' | number
  readonly at: number
}

function invalid(name: string | undefined, { text, file, at }: Fault): Unreadable {
  return new Unreadable(`Unknown entry of ${shorten(name ?? 'a package')} in the lockfile`, {
    file,
    line: lineAt(text, at),
  })
}

export function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}
