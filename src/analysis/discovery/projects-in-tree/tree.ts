/** The relevant files of a repository. */
export interface Tree {
  /** Paths of all files that a layout requests. */
  readonly paths: ReadonlySet<string>
  /** Reads texts of files, also outside of `paths`; omits missing and binary ones. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** One project in a tree. */
export interface TreeProject {
  /** An ecosystem's id. */
  readonly ecosystem: string
  /** Path of the manifest. */
  readonly path: string
  /** Files that belong to it and are no projects of their own: its lockfile, workspace members. */
  readonly covers: readonly string[]
  /** Folder of the workspace whose lock and settings hold; only for a member that is tested alone. */
  readonly workspace?: string
  /** Files that pin its versions but cannot be read here. */
  readonly unreadLocks?: readonly string[]
  /** Jars that the build takes from a folder automatically, with unknown contents. */
  readonly unreadJars?: readonly string[]
}

/** A file read together with a project. */
export interface FileBeside {
  readonly path: string
  /** Relative to the project's folder. */
  readonly seen: string
}

/** The way in which projects of some package managers occur in a tree. */
export interface Layout {
  /** Its ecosystem ids. */
  readonly ecosystems: readonly string[]
  /** Returns true if a file may be a manifest or be read with one. */
  isWanted(path: string): boolean
  /** True if projects read such files in the folders above and beside them too. */
  readonly readsAround?: true
  /** Finds every project of the tree, in any order. */
  find(tree: Tree): Promise<TreeProject[]>
  /** Returns the ecosystem id of a path that can be named explicitly although it would not be found. */
  nameManifest?(path: string): string | undefined
  /** Returns the files read with a project besides its manifest. */
  filesBeside(project: TreeProject, tree: Tree): Promise<FileBeside[]>
}

/** Limit of files read with one manifest. */
export const MAX_FILES_BESIDE = 500
