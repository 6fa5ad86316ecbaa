import { tooLarge } from './refusals.ts'
import type { FileRead, RepositoryBounds, RepositoryEntry, RepositorySource } from './repository-source.ts'

/** Files in memory as a repository, by path. The paths must be clean (`isCleanPath`). */
export function openGivenFiles(
  files: ReadonlyMap<string, Buffer>,
  bounds: Pick<RepositoryBounds, 'fileBytes'>,
): RepositorySource {
  const entries = [...files].map(
    ([path, { length }]): RepositoryEntry => ({ path, kind: 'file', id: path, sizeBytes: length }),
  )
  return {
    revision: null,
    reference: null,
    list: async (isWanted) => ({
      entries: entries.filter(({ path, kind }) => isWanted(path, kind)),
      fileCount: entries.length,
    }),
    async *readFiles(wanted): AsyncGenerator<FileRead> {
      for (const entry of wanted) {
        const content = files.get(entry.path)!
        if (content.length > bounds.fileBytes) yield { entry, problem: tooLarge(bounds) }
        else yield { entry, content }
      }
    },
    close: async () => {},
  }
}
