import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { registries } from '../../src/analysis/advisories/package-names.ts'
import { parseRecord } from '../../src/analysis/advisories/parse-record.ts'
import { openArchive } from '../../src/scanning/advisories/archive.ts'
import { type WrittenSnapshot, writeSnapshotFile } from '../../src/scanning/advisories/snapshot-file.ts'
import { corpusFolder } from '../corpus/folder.ts'
import { syntheticAdvisories } from './synthetic-advisories.ts'

const realExport = join(corpusFolder, 'osv')

/** A snapshot of the real records, where the corpus has them, filled up with synthetic ones to `total`. */
export async function writeBenchSnapshot(dir: string, total: number): Promise<WrittenSnapshot> {
  const origin = { builtAt: 1_700_000_000_000, source: 'bench', isStarterSet: false }
  return writeSnapshotFile(dir, origin, async (compilation) => {
    let added = 0
    if (existsSync(realExport)) {
      for (const registry of registries) {
        const archive = await openArchive(join(realExport, registry, 'all.zip'))
        for (const entry of archive.entries((id) => !compilation.has(id))) {
          if ('text' in entry && compilation.add(parseRecord(entry.text)) === 'added') added++
        }
        archive.close()
      }
    }
    const count = Math.max(0, total - added)
    for (const record of syntheticAdvisories({ count, seed: 1, packages: 60_000 })) compilation.add(record)
    return []
  })
}
