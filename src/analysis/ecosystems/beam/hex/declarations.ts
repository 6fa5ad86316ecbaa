import type { DependencyKind } from '#analysis/dependency-graph.ts'
import type { WrittenRange } from '../../declaration.ts'
import { itemsOf, pairValue, parseTerm, skipBlanks, type Term, TermFault, textOf } from '../terms.ts'
import { lineAt } from './beam-lock.ts'

/** A dependency of a mix.exs or rebar.config. */
export interface BeamDependency {
  /** The application, which is the key in the lock. */
  readonly app: string
  /** The package in the registry. */
  readonly name: string
  /** Empty for any version. */
  readonly range: string
  readonly kind: DependencyKind
  readonly line: number
  readonly written?: WrittenRange
  /** Its source, if it is not a registry. */
  readonly source?: 'git' | 'path' | 'umbrella'
  /** True if its range has precedence over those of packages. */
  readonly isOverride: boolean
}

export interface BeamManifest {
  readonly name: string
  readonly version: string
  readonly dependencies: readonly BeamDependency[]
  /** False if running the file may change the dependencies. */
  readonly isStatic: boolean
}

const APP = /\bapp:\s*:(\w+)/
const VERSION = /\bversion:\s*"([^"#]+)"/
const DEPS = /\bdeps:\s*(?:(\[)|(\w+)(?:\(\))?)/

/** Reads the literal dependencies of a mix.exs ("Options" of `mix help deps`). */
export function parseMixExs(text: string): BeamManifest {
  const code = blankComments(text)
  const [, inline, functionName] = DEPS.exec(code) ?? []
  const about = { name: APP.exec(code)?.[1] ?? '', version: VERSION.exec(code)?.[1] ?? '' }
  if (inline === undefined && functionName === undefined)
    return { ...about, dependencies: [], isStatic: !/\bdeps\b/.test(code) }
  const bodies =
    inline !== undefined
      ? [code.search(DEPS) + code.slice(code.search(DEPS)).indexOf('[')]
      : bodiesOf(code, functionName!)
  const lists = bodies.map((start) => readList(code, start))
  const items = lists.flatMap(({ items }) => items)
  const dependencies = items.flatMap((item) => toMixDependency(item, text) ?? [])
  const isStatic = lists.length === 1 && lists[0]!.isWhole && dependencies.length === items.length
  return { ...about, dependencies, isStatic }
}

/** Replaces comments by spaces of the same length. */
function blankComments(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|#[^\n]*/g, (match) =>
    match.startsWith('#') ? ' '.repeat(match.length) : match,
  )
}

/** Returns the offsets behind the heads of a function. */
function bodiesOf(code: string, name: string): number[] {
  const heads = code.matchAll(new RegExp(String.raw`\bdefp?\s+${name}\b\s*(?:\([^)\n]*\))?\s*(?:do\b|,\s*do:)`, 'g'))
  return [...heads].map(({ index, 0: head }) => index + head.length)
}

/** Reads the list that is the whole body of a function; else every tuple of the body that looks like a dependency. */
function readList(code: string, start: number): { readonly items: readonly Term[]; readonly isWhole: boolean } {
  const at = skipBlanks(code, start, 'elixir')
  const list = code[at] === '[' ? tryTerm(code, at) : undefined
  if (list?.kind === 'list') {
    const isWhole = /^(?:\s*(?:end\b|,|\]|defp?\b)|\s*$)/.test(code.slice(list.end, list.end + 200))
    return { items: list.items, isWhole }
  }
  const rest = code.slice(at)
  const end = rest.search(/\n[ \t]*defp?\s/)
  const items: Term[] = []
  const pattern = /\{\s*:\w+\s*,/g
  for (let match = pattern.exec(rest); match !== null && (end < 0 || match.index < end); match = pattern.exec(rest)) {
    const term = tryTerm(code, at + match.index)
    if (term === undefined) continue
    items.push(term)
    pattern.lastIndex = term.end - at
  }
  return { items, isWhole: false }
}

function tryTerm(code: string, at: number): Term | undefined {
  try {
    return parseTerm(code, at, 'elixir')
  } catch (error) {
    if (!(error instanceof TermFault)) throw error
    return undefined
  }
}

function toMixDependency(item: Term, text: string): BeamDependency | undefined {
  const [first, second, third] = itemsOf(item)
  const app = first?.kind === 'atom' && item.kind === 'tuple' ? first.text : undefined
  if (app === undefined || second === undefined) return undefined
  const options = second.kind === 'list' ? second : third
  const [git, path] = [pairValue(options, 'git') ?? pairValue(options, 'github'), pairValue(options, 'path')]
  const isUmbrella = textOf(pairValue(options, 'in_umbrella')) === 'true'
  const source = isUmbrella ? 'umbrella' : path ? 'path' : git ? 'git' : undefined
  const range = second.kind === 'text' ? second : undefined
  return {
    app,
    name: textOf(pairValue(options, 'hex')) ?? app,
    range: range?.text ?? '',
    kind: kindOf(options),
    line: lineAt(text, item.start),
    isOverride: textOf(pairValue(options, 'override')) === 'true' || (options !== undefined && options.kind !== 'list'),
    ...(range && { written: { text: range.text, start: range.start + 1, end: range.end - 1 } }),
    ...(source && { source }),
  }
}

/** Returns `dev` if the environments of a dependency are known and lack the product's. */
function kindOf(options: Term | undefined): DependencyKind {
  const only = pairValue(options, 'only')
  const all = only?.kind === 'list' ? only.items : only === undefined ? [] : [only]
  if (all.length > 0 && all.every((one) => one.kind === 'atom' && one.text !== 'prod')) return 'dev'
  return textOf(pairValue(options, 'optional')) === 'true' ? 'optional' : 'prod'
}

/** Reads the dependencies of a rebar.config: those of profiles are for development, and not locked. */
export function parseRebarConfig(text: string): BeamManifest {
  const terms: Term[] = []
  let isStatic = true
  try {
    for (let at = skipBlanks(text, 0, 'erlang'); at < text.length; ) {
      const term = parseTerm(text, at, 'erlang')
      terms.push(term)
      at = skipBlanks(text, skipBlanks(text, term.end, 'erlang') + 1, 'erlang')
    }
  } catch (error) {
    if (!(error instanceof TermFault)) throw error
    isStatic = false
  }
  const file: Term = { kind: 'list', items: terms, start: 0, end: text.length }
  const read = (list: Term | undefined, kind: DependencyKind) =>
    itemsOf(list).flatMap((item) => toRebarDependency(item, kind, text) ?? [])
  const profiles = itemsOf(pairValue(file, 'profiles')).map((profile) => itemsOf(profile)[1])
  const own = read(pairValue(file, 'deps'), 'prod')
  const names = new Set(own.map(({ app }) => app))
  const others = profiles.flatMap((profile) => read(pairValue(profile, 'deps'), 'dev'))
  return { name: '', version: '', dependencies: [...own, ...others.filter(({ app }) => !names.has(app))], isStatic }
}

/** `name`, `{name, "1.0.0"}`, `{name, {git, "…"}}`, `{name, "1.0.0", {pkg, other}}` or `{name, {pkg, other}}`. */
function toRebarDependency(item: Term, kind: DependencyKind, text: string): BeamDependency | undefined {
  const [first, ...rest] = item.kind === 'tuple' ? item.items : [item]
  const app = textOf(first)
  if (app === undefined) return undefined
  const range = rest.find((term) => term.kind === 'text')
  const source = rest.find((term) => term.kind === 'tuple')
  const isPackage = source === undefined || textOf(itemsOf(source)[0]) === 'pkg'
  return {
    app,
    name: (isPackage && textOf(itemsOf(source)[1])) || app,
    range: (isPackage && textOf(range)) || '',
    kind,
    line: lineAt(text, item.start),
    isOverride: false,
    ...(!isPackage && { source: 'git' as const }),
  }
}
