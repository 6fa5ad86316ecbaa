import type { Exclusion, SourcePosition } from '../pom.ts'
import type { Call, TokenRange } from './language/expressions.ts'
import type { Variables } from './language/values.ts'

/** The facts about dependencies in build scripts, in order. */
export interface ScriptFacts {
  readonly dependencies: Declared[]
  /** Statements whose effect depends on running the script. */
  readonly unread: Unread[]
  /** `project(':x')` */
  readonly projects: { readonly path: string; readonly place: SourcePosition; readonly isDev: boolean }[]
  /** Base URLs of repositories. */
  readonly repositories: string[]
  /** Plugin ids with their versions, if stated. */
  readonly plugins: Map<string, string | undefined>
  /** Versions that override all requests. */
  readonly forced: Declared[]
  /** Exclusions for all modules. */
  readonly excluded: Exclusion[]
  /** Spring's dependency management: BOMs and single versions. */
  readonly imports: Declared[]
  readonly managed: Declared[]
  /** Calls read as dependencies, as `file:token`. */
  readonly blocks: Set<string>
  /** Deliberately omitted token ranges. */
  readonly leftOut: (Pick<TokenRange, 'from' | 'end'> & Pick<SourcePosition, 'file'>)[]
  /** Configurations that the product's configurations include. */
  readonly extended: string[]
  /** Remaining rounds of loops, and words that all rounds may read. */
  readonly rounds: { left: number; wordsLeft: number }
  /** Applied plugins. */
  readonly used: PluginUse[]
  /** Projects configured by a script: `project(':x') { … }`. */
  readonly configured: Set<string>
  /** Applied scripts. */
  readonly applied: { readonly path: string; readonly place: SourcePosition }[]
}

export interface PluginUse {
  /** Id or class name. */
  readonly id: string
  readonly place: SourcePosition
}

export interface Unread {
  readonly name: string
  readonly range: string
  readonly reason: string
  readonly code: 'not-static' | 'not-from-registry' | 'lockfile-not-read'
  readonly place: SourcePosition
  readonly isDev: boolean
}

export interface ScriptContext {
  readonly file: SourcePosition['file']
  readonly variables: Variables
  readonly facts: ScriptFacts
  /** True inside of `buildscript`: dependencies of the build itself. */
  readonly isBuild: boolean
  /** True for a script above the module's folder: plugins applied to its own project are not the module's. */
  readonly isAbove?: boolean
  /** True within an `if`. */
  readonly isConditional?: true
}

const MAX_ROUNDS = 2_000
const MAX_WORDS_OF_ROUNDS = 200_000

export function createFacts(): ScriptFacts {
  return {
    dependencies: [],
    unread: [],
    projects: [],
    repositories: [],
    plugins: new Map(),
    forced: [],
    excluded: [],
    imports: [],
    managed: [],
    applied: [],
    blocks: new Set(),
    leftOut: [],
    extended: [],
    rounds: { left: MAX_ROUNDS, wordsLeft: MAX_WORDS_OF_ROUNDS },
    configured: new Set(),
    used: [],
  }
}

const RUN_ONLY = 'Known only by running the script'

/** Adds a statement that was not read. */
export function reportUnread(
  { unread }: ScriptFacts,
  statement: Pick<Unread, 'name' | 'place'> & Partial<Unread>,
): void {
  unread.push({ range: '', code: 'not-static', reason: RUN_ONLY, isDev: false, ...statement })
}

/** Marks the names of a call as dependencies that were read. */
export function markRead({ tokens }: Call, { file, facts }: Pick<ScriptContext, 'file' | 'facts'>) {
  for (let at = tokens.from; at < tokens.namesEnd; at++) facts.blocks.add(`${file}:${at}`)
}

/** Gradle's rich version: the requested version and its strictness. */
export interface RichVersion {
  readonly requires?: string
  readonly strictly?: string
  readonly prefers?: string
  readonly rejects: readonly string[]
}

/** A module required by a build script. */
export interface Declared {
  readonly group: string
  readonly artifact: string
  readonly version: RichVersion
  /** A constraint only applies if something else requires the module; platforms add constraints. */
  readonly kind: 'dependency' | 'constraint' | 'platform' | 'enforced-platform'
  readonly isDev: boolean
  /** The configuration of the declaration, if the script names one. */
  readonly configuration?: string
  /** True within an `if` or one of two alternatives. */
  readonly isConditional?: true
  /** True for dependencies of the build itself. */
  readonly isBuild: boolean
  readonly isTransitive: boolean
  /** Requested capabilities (`group:name`) instead of the module's own. */
  readonly capabilities: readonly string[]
  readonly exclusions: readonly Exclusion[]
  readonly place: SourcePosition
}

/** Defaults of a product declaration with only a module and a version. */
export const plainDeclaration = {
  kind: 'dependency',
  isDev: false,
  isBuild: false,
  isTransitive: true,
  capabilities: [],
  exclusions: [],
} as const satisfies Partial<Declared>
