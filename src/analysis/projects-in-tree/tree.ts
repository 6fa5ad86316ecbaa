/** A repository's files, as far as they may matter here. */
export interface Tree {
  /** Of all files that some layout wants. */
  readonly paths: ReadonlySet<string>
  /** The texts of files, also of such as are not among `paths`; what is not there or no text is left out. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** One project in a tree. */
export interface TreeProject {
  /** An ecosystem's id. */
  readonly ecosystem: string
  /** Its manifest. */
  readonly path: string
  /** Files that are part of it and no projects by themselves: its lockfile, the members of its workspace. */
  readonly covers: readonly string[]
  /** Files that say which versions it means and cannot be read here. */
  readonly unreadLocks?: readonly string[]
}

/** A file that is read with a project. */
export interface FileBeside {
  readonly path: string
  /** As the project's folder sees it. */
  readonly seen: string
}

/** How the projects of some package managers lie in a tree. */
export interface Layout {
  /** Ids of its ecosystems. */
  readonly ecosystems: readonly string[]
  /** Whether a file may matter: be a manifest, or be read with one. */
  isWanted(path: string): boolean
  /** Every project of the tree, in any order. */
  find(tree: Tree): Promise<TreeProject[]>
  /** What somebody may name as a manifest though it would not be found; an ecosystem's id. */
  nameManifest?(path: string): string | undefined
  /** What is read with a project, besides its manifest. */
  filesBeside(project: TreeProject, tree: Tree): Promise<FileBeside[]>
}

/** More files than this are not read with one manifest. */
export const MAX_FILES_BESIDE = 500
