import { reasonOf, tooLarge } from './refusals.ts'
import type { FileRead, RepositoryBounds, RepositoryEntry, RepositorySource } from './repository-source.ts'

/** A file in memory, or a link, whose target does not matter. Its path must be clean (`isCleanPath`). */
export interface GivenFile {
  readonly path: string
  readonly content: Uint8Array | 'link'
}

/** Opens files in memory as a repository. No two have the same path. */
export function openGivenFiles(
  files: readonly GivenFile[],
  bounds: Pick<RepositoryBounds, 'fileBytes'>,
): RepositorySource {
  const contents = new Map<string, Buffer>()
  const entries = files.map(({ path, content }): RepositoryEntry => {
    if (content === 'link') return { path, kind: 'link', id: path, sizeBytes: undefined }
    contents.set(path, Buffer.from(content.buffer, content.byteOffset, content.byteLength))
    return { path, kind: 'file', id: path, sizeBytes: content.length }
  })
  return {
    revision: null,
    reference: null,
    list: async (isWanted) => ({
      entries: entries.filter(({ path, kind }) => isWanted(path, kind)),
      fileCount: entries.length,
    }),
    async *readFiles(entries): AsyncGenerator<FileRead> {
      for (const entry of entries) {
        const content = contents.get(entry.path)
        if (content === undefined) yield { entry, problem: reasonOf('link') }
        else if (content.length > bounds.fileBytes) yield { entry, problem: tooLarge(bounds) }
        else yield { entry, content }
      }
    },
    close: async () => {},
  }
}
