import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { OsvRecord } from '#analysis/advisories/osv.ts'
import { registries } from '#analysis/advisories/package-names.ts'
import { toRecord } from '#analysis/advisories/parse-record.ts'
import { publishFile } from '#foundation/publish-file.ts'
import { partialPath, SNAPSHOT_SUFFIX, type WrittenSnapshot, writeSnapshotFile } from './snapshot-file.ts'

const folder = new URL('./starter-set/', import.meta.url)

/** Reads the bundled records of well-known vulnerabilities, for servers without a network. */
function readStarterSet(): OsvRecord[] {
  const files = readdirSync(folder).filter((name) => registries.some((registry) => name === `${registry}.json`))
  return files.flatMap((name) => (JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as unknown[]).map(toRecord))
}

interface CompiledFile {
  /** Digest and suffix. */
  readonly name: string
  readonly bytes: Buffer
}

/** Cached snapshot of this process, because tests start many servers in one process. */
let compiled: CompiledFile | undefined

/**
 * Writes the starter set as a snapshot. A built package contains it compiled, which saves a sixth of the startup time.
 */
export async function writeStarterSnapshot(dir: string): Promise<Pick<WrittenSnapshot, 'digest' | 'path'>> {
  const file = readBuilt() ?? compiled
  if (file === undefined) {
    const written = await compileStarterSet(dir)
    compiled = { name: basename(written.path), bytes: readFileSync(written.path) }
    return written
  }
  const [partial, path] = [partialPath(dir), join(dir, file.name)]
  writeFileSync(partial, file.bytes, { mode: 0o600, flush: true })
  publishFile(partial, path)
  return { digest: basename(file.name, SNAPSHOT_SUFFIX), path }
}

function readBuilt(): CompiledFile | undefined {
  // Not `globSync`, which takes 40 ms the first time: a tenth of a start.
  const name = readdirSync(folder).find((name) => name.endsWith(SNAPSHOT_SUFFIX))
  return name === undefined ? undefined : { name, bytes: readFileSync(new URL(name, folder)) }
}

/**
 * Compiles the starter set into a snapshot. Its build time is the modification of its newest record, so that equal
 * records give an equal snapshot in every process, with a true age.
 */
export function compileStarterSet(dir: string): Promise<WrittenSnapshot> {
  const records = readStarterSet()
  const builtAt = Math.max(...records.map(({ modified }) => Date.parse(modified)))
  return writeSnapshotFile(dir, { builtAt, source: 'starter set', isStarterSet: true }, (compilation) => {
    for (const record of records) compilation.add(record)
    return []
  })
}
