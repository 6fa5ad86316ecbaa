export interface GemDependency {
  readonly name: string
  /** Comma-separated requirements, which must all hold: `>= 1.0, < 3`. */
  readonly requirement: string
}

/** A published gem version for one platform (`ruby` if independent). */
export interface GemVersion {
  readonly version: string
  readonly platform: string
  /** Runtime dependencies. */
  readonly dependencies: readonly GemDependency[]
  /** Required interpreter versions. */
  readonly rubyVersion?: string
}

/** The compact index (`/info/NAME`; the `compact_index` gem documents its lines). */
export interface RubyGemsReader {
  /** Returns every version, oldest publication first; undefined if the registry does not know the gem. */
  gem(name: string): Promise<readonly GemVersion[] | undefined>
}
