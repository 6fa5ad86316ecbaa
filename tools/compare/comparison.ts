/** The findings of one project, ours and the reference's. */
export interface Compared {
  readonly project: string
  readonly files: number
  /** Packages we found. */
  readonly packages: number
  /** Number of compared lines: packages, and edges if the reference reports them. */
  readonly lines: number
  readonly onlyOurs: readonly string[]
  readonly onlyTheirs: readonly string[]
  /** The reason for a missing or partial comparison. */
  readonly note?: string
}

/** The comparison of one ecosystem with one reference tool. */
export interface Comparison {
  readonly ecosystem: string
  /** The compared subject: `locked`, `resolved`, `text`. */
  readonly what: string
  readonly reference: string
  /** Returns the reason for skipping it; undefined if it can run. */
  missing(): string | undefined
  run(): Promise<readonly Compared[]>
}

export interface CompareSettings {
  /** Folder of real projects, one folder for each ecosystem. */
  readonly manifests: string
  /** A folder in which `node_modules/yarn-lock-<version>` are Yarns for that version of the lock. */
  readonly yarns: string | undefined
  /** A folder in which `node_modules/pnpm-lock-<version>` are pnpms for that version of the lock. */
  readonly pnpms: string | undefined
  /** The program of Bun. */
  readonly bun: string | undefined
  /** Folders with Poetry, uv, Pipenv and their `python`; the first whose Python the project accepts is used. */
  readonly pythonTools: readonly string[]
  readonly python: string
  readonly osvScanner: string | undefined
  /** A folder with programs that write bills of materials: cdxgen, syft, cyclonedx-npm, cyclonedx-py. */
  readonly billTools: string | undefined
  /** Maximum number of projects of each ecosystem of which each program writes bills. */
  readonly bills: number
  /** Java class path of Coursier and `Resolve` of tools/coursier-references. */
  readonly coursier: string | undefined
  /** True if registries may be queried, as the real tools do. */
  readonly mayAskRegistries: boolean
  /** Networks that those may be in, when they are not public. */
  readonly allow: readonly string[]
  /** Maximum number of projects that npm installs. */
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
