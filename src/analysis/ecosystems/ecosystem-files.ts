import type { FileKind } from '../discovery/file-kinds/file-kind.ts'
import type { Layout } from '../discovery/projects-in-tree/tree.ts'

/** The files of an ecosystem, as data for discovery, identification, documentation and fixes. */
export interface EcosystemFiles {
  /** An ecosystem's id. */
  readonly ecosystem: string
  /** Its own kinds of files, most specific first. */
  readonly kinds: readonly FileKind[]
  /** Ids of kinds that are allowed as the target. */
  readonly target: readonly string[]
  /** Ids of kinds that are allowed as additional files. */
  readonly additional: readonly string[]
  /** Texts of the target and its additional files, for the documentation. */
  readonly example: readonly string[]
  /** The commands that write its lockfiles again, by the file's name. */
  readonly renewal?: Readonly<Record<string, Renewal>>
  /** The way in which its projects occur in a tree. */
  readonly layout: Layout
}

export interface Renewal {
  /** The command that brings the lockfile up to date: `cargo update`. */
  readonly all: string
  /** Returns the command that renews only these packages. */
  only?(names: readonly string[]): string
}
