import type { Unresolved } from '#analysis/dependency-graph.ts'
import type { SentFile } from './scala/tokens.ts'

/** A position in the sent files. */
export interface SourcePosition {
  readonly file: SentFile
  readonly line: number
}

/** The value of an expression in a build definition. */
export type Value =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'boolean'; readonly isTrue: boolean }
  /** Also options, with one item or none. */
  | { readonly kind: 'list'; readonly items: readonly Value[]; readonly isOption?: true }
  | { readonly kind: 'tuple'; readonly items: readonly Value[] }
  /** `pending` is an unknown method with its arguments so far. */
  | {
      readonly kind: 'function'
      readonly pending?: string
      call(args: readonly Value[], keywordArgs?: ReadonlyMap<string, Value>): Value
    }
  /** The first part of a module: `"group" %% "name"`. */
  | { readonly kind: 'artifact'; readonly group: string; readonly name: string; readonly cross: Cross }
  | { readonly kind: 'module'; readonly module: Module }
  | { readonly kind: 'rule'; readonly rule: Rule }
  | { readonly kind: 'cross'; readonly cross: Cross }
  | { readonly kind: 'configuration'; readonly name: string }
  | { readonly kind: 'axis'; readonly project: string }
  | { readonly kind: 'resolver'; readonly url: string | undefined }
  | { readonly kind: 'key'; readonly key: Key }
  /** Several settings form a list. */
  | { readonly kind: 'setting'; readonly setting: Setting }
  /** A value that depends on the project: `Def.setting { … }`. */
  | { readonly kind: 'initialize'; run(): Value }
  | { readonly kind: 'project'; readonly project: Project }
  | { readonly kind: 'reference'; readonly project: string; readonly configurations: string | undefined }
  | {
      readonly kind: 'object'
      readonly names: ReadonlySet<string>
      find(name: string): Value | undefined
      /** Returns an extension method of a class in this object. */
      extension(name: string): ((value: Value) => Value) | undefined
    }
  /** An undefined name: of sbt, a plugin or a library. */
  | { readonly kind: 'external'; readonly name: string; readonly place: SourcePosition }
  | { readonly kind: 'unknown'; readonly reason: string; readonly place: SourcePosition }

/** A call argument with its name. */
export interface Given {
  readonly name: string | undefined
  readonly value: Value
}

/** The suffix of a module's name. */
export type Cross =
  | { readonly kind: 'none' | 'binary' | 'full' | 'for3Use2' | 'for2Use3' }
  | { readonly kind: 'platform' }

/** sbt's ModuleID. */
export interface Module {
  readonly group: string
  readonly name: string
  readonly cross: Cross
  /** True if the name also has the platform's suffix (`%%%`). */
  readonly isOfPlatform: boolean
  /** Undefined if unknown; `reason` explains it. */
  readonly version: string | undefined
  readonly reason?: string
  /** The written text, e.g. `test,provided` or `compile->compile;test->test`. */
  readonly configurations: string | undefined
  readonly exclusions: readonly Rule[]
  readonly isTransitive: boolean
  readonly isForced: boolean
  readonly isPlugin: boolean
  readonly isFromUrl: boolean
  readonly place: SourcePosition
}

/** A pattern of excluded modules; `*` for any. */
export interface Rule {
  readonly group: string
  readonly name: string
  readonly cross: Cross
}

/** A setting's name with its scope. */
export interface Key {
  readonly name: string
  /** `ThisBuild`, `Global` or a project's id; undefined for the current project. */
  readonly project: string | undefined
  /** Configurations and tasks, outermost first. */
  readonly axes: readonly string[]
}

export interface Setting {
  readonly key: Key
  readonly operator: string
  /** Evaluates within a project. */
  read(): Value
  readonly place: SourcePosition
}

export interface Project {
  /** Undefined until a definition names it. */
  readonly id: string | undefined
  /** The last part of its folder. */
  readonly folder: string | undefined
  /** Settings, and unknown values in place of settings. */
  readonly settings: readonly Value[]
  readonly dependsOn: readonly { readonly project: string; readonly configurations: string | undefined }[]
  readonly plugins: readonly string[]
  /** Place of the last enabled plugins. */
  readonly place?: SourcePosition
  readonly platform: Platform
  /** For `crossProject`: its projects, with the settings of each. */
  readonly parts: readonly Platform[]
  readonly ofParts: readonly { readonly platform: Platform; readonly settings: readonly Value[] }[]
}

export type Platform = 'jvm' | 'js' | 'native'

export const nothing: Value = { kind: 'tuple', items: [] }

export function toText(text: string): Value {
  return { kind: 'text', text }
}

const MAX_TEXT = 100_000

/** Joins texts; undefined if the result is too long, since values can double with each definition. */
export function joinTexts(texts: readonly string[], separator = ''): Value | undefined {
  const length = texts.reduce((sum, text) => sum + text.length + separator.length, 0)
  return length > MAX_TEXT ? undefined : toText(texts.join(separator))
}

export function toBoolean(isTrue: boolean): Value {
  return { kind: 'boolean', isTrue }
}

export function toList(items: readonly Value[]): Value {
  return { kind: 'list', items }
}

export function toOption(item: Value | undefined): Value {
  return { kind: 'list', items: item === undefined ? [] : [item], isOption: true }
}

export function toUnknown(reason: string, place: SourcePosition): Value {
  return { kind: 'unknown', reason, place }
}

/** Returns the items of nested lists. */
export function flat(value: Value): readonly Value[] {
  return value.kind === 'list' ? value.items.flatMap(flat) : [value]
}

export function isNothing(value: Value): boolean {
  return value.kind === 'tuple' && value.items.length === 0
}

export function isUnknown(value: Value): value is Extract<Value, { kind: 'unknown' | 'external' }> {
  return value.kind === 'unknown' || value.kind === 'external'
}

/** Explains an unknown value in half a sentence. */
export function whyUnknown(value: Value): string {
  if (value.kind === 'unknown') return value.reason
  if (value.kind === 'external') return `${value.name} is not defined in what was sent`
  if (value.kind === 'function' && value.pending !== undefined) return `${value.pending} is not supported`
  if (value.kind === 'key') return `${value.key.name} is not defined in what was sent`
  return `a ${value.kind} stands where something else is expected`
}

/** Converts a value that only running the build could decide. */
export function toUnresolved(value: Value, name: string): Unresolved {
  const place = isUnknown(value) ? value.place : undefined
  const file = place?.file === 'target' || place === undefined ? {} : { file: `additional file ${place.file + 1}` }
  return {
    name,
    range: '*',
    code: 'not-static',
    reason: `Only running the build would tell: ${whyUnknown(value)}`,
    requiredBy: 'build.sbt',
    ...(place === undefined ? {} : { line: place.line }),
    ...file,
  }
}

/** Compares values as `==` does; undefined if undecidable. */
export function areEqual(a: Value, b: Value): boolean | undefined {
  if (isUnknown(a) || isUnknown(b)) return undefined
  if (a.kind === 'text' && b.kind === 'text') return a.text === b.text
  if (a.kind === 'number' && b.kind === 'number') return a.number === b.number
  if (a.kind === 'boolean' && b.kind === 'boolean') return a.isTrue === b.isTrue
  if ((a.kind === 'list' && b.kind === 'list') || (a.kind === 'tuple' && b.kind === 'tuple')) {
    if (a.items.length !== b.items.length) return false
    const matches = a.items.map((item, index) => areEqual(item, b.items[index]!))
    return matches.includes(false) ? false : matches.includes(undefined) ? undefined : true
  }
  // A module whose version is unknown equals no other.
  const contentOf = ({ module }: Extract<Value, { kind: 'module' }>) =>
    JSON.stringify({ ...module, place: module.version === undefined ? module.place : undefined })
  if (a.kind === 'module' && b.kind === 'module') return contentOf(a) === contentOf(b)
  return a.kind === b.kind ? undefined : false
}
