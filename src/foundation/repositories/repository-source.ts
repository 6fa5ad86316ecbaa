/**
 * The kind of an entry. Only files can be read: links are never followed, submodules never fetched, and odd names (not
 * UTF-8, control characters, `..`) are shown but not used. A closed folder, whose path ends with a slash, cannot be listed.
 */
export type EntryKind = 'file' | 'link' | 'submodule' | 'odd-name' | 'closed-folder'

export interface RepositoryEntry {
  /** Path from the root, joined by `/`. Unprintable bytes of an odd name as `\xNN`. */
  readonly path: string
  readonly kind: EntryKind
  /** Identifies the content within its source: equal content in git has equal ids. */
  readonly id: string
  /** Undefined if unknown before reading. */
  readonly sizeBytes: number | undefined
}

/** Selects entries; odd names are given in printable form. */
export type IsWanted = (path: string, kind: EntryKind) => boolean

export interface RepositoryListing {
  /** The wanted entries, in source order. */
  readonly entries: readonly RepositoryEntry[]
  readonly fileCount: number
}

/** A file's content, or the reason for which it was not read. */
export type FileRead = { readonly entry: RepositoryEntry } & (
  | { readonly content: Buffer; readonly problem?: undefined }
  | { readonly content?: undefined; readonly problem: string }
)

/**
 * Third-party files at one point in time: a commit, an archive, a folder. Nothing is checked out or run. Throws
 * `Problem`s: `repository-unreachable` may be temporary, the others are permanent.
 */
export interface RepositorySource {
  /**
   * The revision of all files, with which the source can be opened again: a commit, or an archive's digest; null for a
   * folder.
   */
  readonly revision: string | null
  /** The branch, if the source has branches. */
  readonly reference: string | null
  /** Lists wanted entries. Can be called repeatedly. */
  list(isWanted: IsWanted, signal?: AbortSignal): Promise<RepositoryListing>
  /**
   * Fetches and reads entries once each, in batches. A missing or oversized file yields its problem; only errors of the
   * whole source throw.
   */
  readFiles(entries: readonly RepositoryEntry[], signal?: AbortSignal): AsyncIterable<FileRead>
  /** Removes its data from disk. */
  close(): Promise<void>
}

/** Limits for reading a source. */
export interface RepositoryBounds {
  /** Bytes of one file. */
  readonly fileBytes: number
  /** Bytes of all read files. */
  readonly readBytes: number
  /** Bytes on disk meanwhile; for an archive its unpacked size. */
  readonly diskBytes: number
  readonly files: number
  /** Number of files to test. */
  readonly testedFiles: number
  /** Seconds for each listing, batch and opening. */
  readonly seconds: number
}
