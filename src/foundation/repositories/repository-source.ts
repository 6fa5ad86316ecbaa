/**
 * What a path names. Only files can be read: a link is never followed, a submodule never fetched, and a name that is no
 * clean path (not UTF-8, control characters, `..`) is shown, not used.
 */
export type EntryKind = 'file' | 'link' | 'submodule' | 'odd-name'

export interface RepositoryEntry {
  /** From the root, parts joined by `/`. Of an odd name: printable, with what is not as `\xNN`. */
  readonly path: string
  readonly kind: EntryKind
  /** Names the content within its source: what is equal in git has the same one. */
  readonly id: string
  /** Undefined when it is not known before it is read. */
  readonly sizeBytes: number | undefined
}

/** Of an odd name it is shown what can be printed. */
export type IsWanted = (path: string, kind: EntryKind) => boolean

export interface RepositoryListing {
  /** Those that were wanted, in the order of the source. */
  readonly entries: readonly RepositoryEntry[]
  /** All that are there. */
  readonly fileCount: number
}

/** A file's content, or in a sentence why it was not read. */
export type FileRead = { readonly entry: RepositoryEntry } & (
  | { readonly content: Buffer; readonly problem?: undefined }
  | { readonly content?: undefined; readonly problem: string }
)

/**
 * Files of strangers at one moment: a commit, an archive, a folder. Nothing of it is ever checked out or run. Throws
 * `Problem`s: `repository-unreachable` may pass by itself, the others do not.
 */
export interface RepositorySource {
  /** What all of it is taken from, and can be opened by again: a commit, or an archive's digest; null for a folder. */
  readonly revision: string | null
  /** The branch, where there are any. */
  readonly reference: string | null
  /** Can be asked more than once. */
  list(isWanted: IsWanted, signal?: AbortSignal): Promise<RepositoryListing>
  /**
   * Fetches and reads in batches, each entry once, as they come. A file that is too large or gone is answered with its
   * problem; only what ends the whole reading throws.
   */
  readFiles(entries: readonly RepositoryEntry[], signal?: AbortSignal): AsyncIterable<FileRead>
  /** Removes what it kept on disk. */
  close(): Promise<void>
}

/** What reading a source may cost. */
export interface RepositoryBounds {
  /** Of one file that is read. */
  readonly fileBytes: number
  /** Of all files that are read. */
  readonly readBytes: number
  /** Of all that is kept on disk meanwhile; of an archive, of all that it unpacks to. */
  readonly diskBytes: number
  /** Files that are there. */
  readonly files: number
  /** Files that are wanted. */
  readonly wantedFiles: number
  /** One listing, one batch, the opening: each takes this long at most. */
  readonly seconds: number
}
