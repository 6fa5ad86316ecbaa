import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExploitData } from '#analysis/advisories/exploit-signals.ts'
import type { OsvRecord } from '#analysis/advisories/osv.ts'
import type { ExploitEntry } from '#analysis/advisories/parse-exploit-source.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import { publishSnapshot } from '#features/advisory-sync/publish.ts'
import { openSnapshotFile, writeSnapshotFile } from '#scanning/advisories/snapshot-file.ts'
import type { Parts } from '../../../src/composition/parts.ts'

interface Against {
  /** The first version that is not affected any more. */
  readonly fixed: string
  readonly severity?: 'CRITICAL' | 'HIGH' | 'MODERATE' | 'LOW'
  readonly modified?: string
  readonly aliases?: string[]
  /** A CVSS 4 vector, which beats the word. */
  readonly vector?: string
}

/** A record of a database that rates it by a word. */
export function recordAgainst(id: string, registry: Registry, name: string, against: Against): OsvRecord {
  const { fixed, severity = 'HIGH', modified = '2024-01-01T00:00:00Z', aliases, vector } = against
  const ranges = [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }]
  return {
    id,
    modified,
    summary: `About ${name}`,
    affected: [{ package: { ecosystem: registry, name }, ranges }],
    database_specific: { severity },
    ...(aliases && { aliases }),
    ...(vector !== undefined && { severity: [{ type: 'CVSS_V4', score: vector }] }),
  } as OsvRecord
}

function toSource(kind: 'kev' | 'epss', entries: readonly ExploitEntry[]): ExploitData {
  const fetchedAt = Date.parse('2026-01-01T00:00:00Z')
  return {
    source: { label: kind, kind, released: '2026-01-01', fetchedAt, entries: entries.length, digest: '' },
    entries,
  }
}

let builtAt = Date.parse('2026-01-01T00:00:00Z')

/** Stores a snapshot of these records, newer than all before it, and makes the server use it. */
export async function publishRecords(
  { services, advisories }: Pick<Parts, 'services' | 'advisories'>,
  records: readonly OsvRecord[],
  { exploited, epss }: { exploited?: readonly (string | ExploitEntry)[]; epss?: Readonly<Record<string, number>> } = {},
): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-published-'))
  try {
    builtAt += 1000
    const exploits = [
      ...(exploited
        ? [
            toSource(
              'kev',
              exploited.map((entry) => (typeof entry === 'string' ? { cve: entry } : entry)),
            ),
          ]
        : []),
      ...(epss
        ? [
            toSource(
              'epss',
              Object.entries(epss).map(([cve, score]) => ({ cve, score, percentile: score })),
            ),
          ]
        : []),
    ]
    const origin = { builtAt, source: 'test', isStarterSet: false, exploits }
    const { path, digest } = await writeSnapshotFile(dir, origin, (compilation) => {
      for (const record of records) compilation.add(record)
      return []
    })
    await publishSnapshot(services.db, openSnapshotFile(path), { now: services.now() })
    await advisories.refresh()
    return digest
  } finally {
    rmSync(dir, { recursive: true })
  }
}
