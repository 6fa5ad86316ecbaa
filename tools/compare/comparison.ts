/** What one project was found to hold by us and by a reference. */
export interface Compared {
  readonly project: string
  readonly files: number
  /** Packages we found. */
  readonly packages: number
  /** Lines that were compared: packages, and edges where the reference tells them. */
  readonly lines: number
  readonly onlyOurs: readonly string[]
  readonly onlyTheirs: readonly string[]
  /** What is said of the project when it could not be compared, or not in full. */
  readonly note?: string
}

/** One ecosystem held against one reference. */
export interface Comparison {
  readonly ecosystem: string
  /** What is compared: `locked`, `resolved`, `text`. */
  readonly what: string
  readonly reference: string
  /** Why it cannot be made here; undefined when it can. */
  missing(): string | undefined
  run(): Promise<readonly Compared[]>
}

export interface CompareSettings {
  /** Folder of real projects, one folder for each ecosystem. */
  readonly manifests: string
  /** A folder in which `node_modules/yarn-lock-<version>` are Yarns for that version of the lock. */
  readonly yarns: string | undefined
  readonly python: string
  readonly osvScanner: string | undefined
  /** Where Java finds Coursier and `Resolve` of tools/coursier-references. */
  readonly coursier: string | undefined
  /** Whether registries may be asked, as the real tools do. */
  readonly mayAskRegistries: boolean
  /** Networks that those may be in, when they are not public. */
  readonly allow: readonly string[]
  /** How many projects npm is to install at most. */
  readonly installs: number
}

export function toCompared(
  project: string,
  files: number,
  sides: { readonly packages: number; readonly ours: ReadonlySet<string>; readonly theirs: ReadonlySet<string> },
): Compared {
  const { packages, ours, theirs } = sides
  return {
    project,
    files,
    packages,
    lines: ours.union(theirs).size,
    onlyOurs: [...ours.difference(theirs)].sort(),
    onlyTheirs: [...theirs.difference(ours)].sort(),
  }
}
