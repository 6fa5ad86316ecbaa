/** A file in an archive, with its name split at slashes. `read` decodes it on demand. */
export interface ArchivedFile {
  readonly parts: readonly string[]
  read(): string
}
