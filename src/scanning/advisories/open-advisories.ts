import { closeSync, openSync, readSync } from 'node:fs'
import { crc32, inflateRawSync } from 'node:zlib'
import { type ExploitSignals, findSignals } from '#analysis/advisories/exploit-signals.ts'
import { type IndexArrays, unpackIndex } from '#analysis/advisories/index-layout.ts'
import { findRecord, idOf, openSnapshot } from '#analysis/advisories/open-snapshot.ts'
import type { OsvRecord } from '#analysis/advisories/osv.ts'
import { schemes } from '#analysis/advisories/schemes.ts'
import type { AdvisoryMatch, AdvisorySnapshot } from '#analysis/advisories/snapshot.ts'
import { toVulnerability, type VulnerabilityFacts } from '#analysis/advisories/vulnerability.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import { detailsDictionary } from './details-dictionary.ts'
import { BadSnapshot, DETAILS_OFFSET, type SharedSnapshot } from './snapshot-file.ts'

/** A snapshot in use by one thread. Reads are synchronous: a record is a kilobyte of a file in the page cache. */
export interface OpenAdvisories {
  readonly snapshot: AdvisorySnapshot
  idOf(record: number): string
  findRecord(id: string): number | undefined
  /** Reads a record. Throws `BadSnapshot` if its bytes are damaged. */
  readRecord(record: number): OsvRecord
  signalsOf(cves: readonly string[]): ExploitSignals
  /** Returns the stored bytes of a record, for copying into another snapshot. */
  readStored(record: number): Uint8Array
  /** Describes a match for results. */
  describe(match: AdvisoryMatch, subject: { registry: Registry; name: string }): VulnerabilityFacts
  close(): void
}

const MAX_RECORD_BYTES = 64 * 1024 * 1024
const CACHED_DESCRIPTIONS = 2_000

export function openAdvisories({ header, index: buffer, path }: SharedSnapshot): OpenAdvisories {
  const fd = openSync(path, 'r')
  const index = unpackIndex(buffer)
  const signalsOf = (cves: readonly string[]) => findSignals(index, cves)
  const descriptions = new Map<string, VulnerabilityFacts>()

  function readStored(record: number): Buffer {
    return readDetail({ fd, index }, record)
  }

  function readRecord(record: number): OsvRecord {
    return parseStored(readStored(record))
  }

  /** Reads records of the same vulnerability that are filed under other packages. */
  function readElsewhere(records: readonly OsvRecord[]): OsvRecord[] {
    const own = new Set(records.map(({ id }) => id))
    const lenders = header.ratedElsewhere ?? {}
    const lenderIds = records.flatMap(({ id }) => (Object.hasOwn(lenders, id) ? lenders[id]! : []))
    const others = new Set(lenderIds.filter((id) => !own.has(id)))
    const numbers = [...others].sort().map((id) => findRecord(index, id))
    return numbers.filter((number) => number !== undefined).map(readRecord)
  }

  return {
    snapshot: openSnapshot(header, buffer, schemes),
    idOf: (record) => idOf(index, record),
    findRecord: (id) => findRecord(index, id),
    readStored,
    readRecord,
    signalsOf,
    describe(match, { registry, name }) {
      const key = `${registry} ${name} ${match.record}`
      const cached = descriptions.get(key)
      if (cached) return cached
      const records = [match.record, ...match.others].map(readRecord)
      const subject = { registry, name, scheme: schemes[registry], signalsOf }
      const facts = toVulnerability(records, subject, readElsewhere(records))
      // Evicts the oldest entry; frequently used ones are cached again at once.
      if (descriptions.size >= CACHED_DESCRIPTIONS) descriptions.delete(descriptions.keys().next().value!)
      descriptions.set(key, facts)
      return facts
    },
    close: () => closeSync(fd),
  }
}

export function parseStored(stored: Uint8Array): OsvRecord {
  const options = { dictionary: detailsDictionary, maxOutputLength: MAX_RECORD_BYTES }
  return JSON.parse(inflateRawSync(stored, options).toString()) as OsvRecord
}

interface Details {
  readonly fd: number
  readonly index: IndexArrays
}

function readDetail({ fd, index }: Details, record: number): Buffer {
  const length = index.detailLength[record]
  const start = index.detailStart[record]
  if (length === undefined || start === undefined) throw new RangeError(`there is no record ${record}`)
  const bytes = Buffer.allocUnsafe(length)
  for (let done = 0; done < length; ) {
    const count = readSync(fd, bytes, done, length - done, DETAILS_OFFSET + start + done)
    if (count === 0) throw new BadSnapshot(`record ${idOf(index, record)} is cut short`)
    done += count
  }
  if (crc32(bytes) !== index.detailChecksum[record]) throw new BadSnapshot(`record ${idOf(index, record)} is damaged`)
  return bytes
}
