import { readFileSync } from 'node:fs'
import type { OsvRecord } from '#analysis/advisories/osv.ts'
import { registries } from '#analysis/advisories/package-names.ts'
import { toRecord } from '#analysis/advisories/parse-record.ts'
import { type WrittenSnapshot, writeSnapshotFile } from './snapshot-file.ts'

/** The records that come with the product: the best-known vulnerabilities, for a start without a network. */
function readStarterSet(): OsvRecord[] {
  return registries.flatMap((registry) => {
    const file = new URL(`./starter-set/${registry}.json`, import.meta.url)
    return (JSON.parse(readFileSync(file, 'utf8')) as unknown[]).map(toRecord)
  })
}

/**
 * The starter set as a snapshot. It counts as built when its newest record was modified, so that the same records are
 * the same snapshot in every process, and its age is honest.
 */
export function writeStarterSnapshot(dir: string): Promise<WrittenSnapshot> {
  const records = readStarterSet()
  const builtAt = Math.max(...records.map(({ modified }) => Date.parse(modified)))
  return writeSnapshotFile(dir, { builtAt, source: 'starter set', isStarterSet: true }, (compilation) => {
    for (const record of records) compilation.add(record)
    return []
  })
}
