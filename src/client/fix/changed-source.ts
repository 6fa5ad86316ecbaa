import type { RepositorySource } from '#foundation/repositories/repository-source.ts'

/** Shows a source as it would be with new texts by path, without writing them. */
export function withChanges(source: RepositorySource, texts: ReadonlyMap<string, string>): RepositorySource {
  return {
    ...source,
    async *readFiles(entries, signal) {
      for await (const read of source.readFiles(entries, signal)) {
        const text = texts.get(read.entry.path)
        yield text === undefined || read.content === undefined ? read : { ...read, content: Buffer.from(text) }
      }
    },
  }
}
