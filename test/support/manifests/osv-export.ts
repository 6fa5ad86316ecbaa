import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OsvRecord } from '#analysis/advisories/osv.ts'
import { registries } from '#analysis/advisories/package-names.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import { toZip } from '../repositories/zip.ts'

/** A small record that affects everything before `fixed`. */
export function toOsvRecord(id: string, registry: Registry, name: string, rest: Partial<OsvRecord> = {}): OsvRecord {
  const ranges = [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '1.0.0' }] }]
  return {
    id,
    modified: '2024-01-01T00:00:00Z',
    summary: `About ${name}`,
    affected: [{ package: { ecosystem: registry, name }, ranges }],
    ...rest,
  }
}

export interface ExportOptions {
  /** Also `<Ecosystem>/<ID>.json` for every record. */
  readonly single?: true
  readonly withoutLists?: true
}

/** Lays records out in `dir` as the public OSV export does, an (empty) folder for every ecosystem. */
export function writeOsvExport(dir: string, records: readonly OsvRecord[], options: ExportOptions = {}): void {
  for (const registry of registries) {
    const folder = join(dir, registry)
    const own = records.filter(({ affected }) => affected.some((entry) => entry.package.ecosystem === registry))
    const files = own.map((record) => ({ name: `${record.id}.json`, content: JSON.stringify(record) }))
    const lines = own
      .toSorted((a, b) => (a.modified < b.modified ? 1 : -1))
      .map(({ id, modified }) => `${modified},${id}\n`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'all.zip'), toZip(files))
    if (!options.withoutLists) writeFileSync(join(folder, 'modified_id.csv'), lines.join(''))
    if (options.single) for (const { name, content } of files) writeFileSync(join(folder, name), content)
  }
}
