export interface GemDependency {
  readonly name: string
  /** Requirements, all of which must hold, comma separated: `>= 1.0, < 3`. */
  readonly requirement: string
}

/** One published version of a gem for one platform (`ruby` when it runs on any). */
export interface GemVersion {
  readonly version: string
  readonly platform: string
  /** Those that running it needs. */
  readonly dependencies: readonly GemDependency[]
  /** Requirement on the interpreter. */
  readonly rubyVersion?: string
}

/** The compact index (`/info/NAME`; the `compact_index` gem documents its lines). */
export interface RubyGemsReader {
  /** Every version, oldest publication first; undefined when the registry does not know the gem. */
  gem(name: string): Promise<readonly GemVersion[] | undefined>
}
