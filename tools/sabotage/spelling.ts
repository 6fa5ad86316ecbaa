/** Path in the project's folder → text. */
export type ProjectFiles = Readonly<Record<string, string>>

/** The vulnerable release that a spelling hides. */
export interface Hidden {
  readonly name: string
  readonly version: string
  /** True when the tool's files may name the release by a commit, under which it is then reported. */
  readonly isAnyVersion?: true
  /** Other names under which it may be reported, such as those of the same repository. */
  readonly otherNames?: readonly string[]
}

/** One way to declare a dependency that a tool's documentation allows. */
export interface Spelling {
  /** Unique within its ecosystem. */
  readonly name: string
  /** The page or section of the tool's documentation. */
  readonly source: string
  /** Declares the hidden release in a copy of the project; undefined when the project has no place for this spelling. */
  plant(files: ProjectFiles, hidden: Hidden): ProjectFiles | undefined
  /** Answer of the tool itself: it installs the hidden release, installs something else or nothing, or refuses the project. */
  readonly tool: 'installs' | 'ignores' | 'refuses'
  /**
   * False where the documentation gave the answer: the release that `ask` runs does not know the spelling, or it needs a
   * host or an archive that a test does not have.
   */
  readonly isAsked?: false
  /** True for dependencies that are tested only with `includeDev`. */
  readonly isDev?: true
}

/** An ecosystem whose spellings are tried. */
export interface Sabotage {
  readonly ecosystem: string
  readonly hidden: Hidden
  /** The file that makes a folder a project. */
  readonly target: string
  /** The project that the tests use: the smallest that the tool accepts. */
  readonly base: ProjectFiles
  /** Returns false for files that only the tool reads; the server is sent all others. */
  sends?(path: string): boolean
  readonly spellings: readonly Spelling[]
  /**
   * Lets the real tool resolve the files in an empty folder. Returns `installs`, `ignores` or `refuses`. Throws when the
   * tool is not installed.
   */
  ask?(folder: string, hidden: Hidden): Promise<Spelling['tool']>
}
