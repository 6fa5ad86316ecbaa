import type { RepositorySource } from '#foundation/repositories/repository-source.ts'

export interface SourceChanges {
  /** New texts by path. */
  readonly texts: ReadonlyMap<string, string>
  readonly removed: ReadonlySet<string>
}

/** Shows a source as it would be after changes, without making them. */
export function withChanges(source: RepositorySource, { texts, removed }: SourceChanges): RepositorySource {
  return {
    ...source,
    async list(isWanted, signal) {
      return source.list((path, kind) => !removed.has(path) && isWanted(path, kind), signal)
    },
    async *readFiles(entries, signal) {
      for await (const read of source.readFiles(entries, signal)) {
        const text = texts.get(read.entry.path)
        yield text === undefined || read.content === undefined ? read : { ...read, content: Buffer.from(text) }
      }
    },
  }
}
