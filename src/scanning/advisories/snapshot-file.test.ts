import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { receiveSnapshot } from '#features/advisory-sync/receive-snapshot.ts'
import { toOsvRecord } from '#test/manifests/osv-export.ts'
import { openAdvisories } from './open-advisories.ts'
import { BadSnapshot, openSnapshotFile, writeSnapshotFile } from './snapshot-file.ts'

const records = ['GHSA-a', 'GHSA-b', 'GHSA-c'].map((id, index) =>
  toOsvRecord(id, 'npm', `package-${index}`, { details: 'Long prose. '.repeat(50), aliases: [`CVE-2024-${index}`] }),
)
const origin = { builtAt: 1_700_000_000_000, source: 'test', isStarterSet: false }

function write(dir: string, rejected: { id: string; modified: number; reason: string }[] = []) {
  return writeSnapshotFile(dir, origin, (compilation) => {
    for (const record of records) compilation.add(record)
    return rejected
  })
}

/** Splits bytes into parts that may end within a section. */
async function* partsOf(bytes: Uint8Array, length = 97): AsyncGenerator<Uint8Array> {
  for (let done = 0; done < bytes.length; done += length) yield bytes.subarray(done, done + length)
}

const dir = mkdtempSync(join(tmpdir(), 'gatehouse-snapshot-'))
after(() => rmSync(dir, { recursive: true }))
const rejected = [{ id: 'GHSA-x', modified: 5, reason: 'not JSON' }]
const written = await write(dir, rejected)

describe('snapshot files', () => {
  const whole = readFileSync(written.path)
  const damaged = join(dir, 'damaged')
  const received = join(dir, 'received')
  mkdirSync(received)

  async function refuses(bytes: Buffer, message: RegExp, digest?: string): Promise<void> {
    await assert.rejects(
      receiveSnapshot(received, digest ?? written.digest, partsOf(bytes)),
      (error) => error instanceof BadSnapshot && message.test(error.message),
    )
    assert.deepEqual(readdirSync(received), [])
  }

  test('a written snapshot is read back unchanged', async () => {
    const file = openSnapshotFile(written.path, written.digest)
    assert.deepEqual(file.header, {
      format: 3,
      exploitSources: [],
      digest: written.digest,
      ...origin,
      registries: { npm: { records: 3, packages: 3, newestModified: '2024-01-01T00:00:00.000Z' } },
    })
    assert.deepEqual([file.records, file.rejected, file.sizeBytes], [3, rejected, whole.length])
    const advisories = openAdvisories(file)
    assert.deepEqual(
      records.map(({ id }) => advisories.readRecord(advisories.findRecord(id)!)),
      records,
    )
    const [match] = advisories.snapshot.affecting('npm', 'package-1', '0.9.0')
    const facts = advisories.describe(match!, { registry: 'npm', name: 'package-1' })
    assert.deepEqual([facts.id, facts.title, facts.fixedIn], ['GHSA-b', 'About package-1', ['1.0.0']])
    assert.throws(() => advisories.readRecord(3), RangeError)
    advisories.close()
  })

  test('a received snapshot equals the written one, whatever the size of its parts', async () => {
    for (const length of [1, 7, 97, 1000, whole.length]) {
      const file = await receiveSnapshot(received, written.digest, partsOf(whole, length))
      assert.deepEqual(readFileSync(file.path), whole)
      assert.deepEqual(file.header, openSnapshotFile(written.path).header)
      rmSync(file.path)
    }
  })

  test('equal records and origin give the same snapshot', async () => {
    const again = await write(dir, rejected)
    assert.deepEqual([again.digest, again.path], [written.digest, written.path])
    assert.deepEqual(readFileSync(again.path), whole)
  })

  test('every flipped bit is detected', async () => {
    // Every byte of the ends, and a sample of the rest.
    const places = Array.from(whole.keys()).filter((at) => at < 64 || at >= whole.length - 700 || at % 97 === 0)
    for (const at of places) {
      const bytes = Buffer.from(whole)
      bytes[at]! ^= 1 << (at % 8)
      await refuses(bytes, /./)
    }
  })

  test('a truncated snapshot is refused', async () => {
    for (let length = 0; length < whole.length; length += 1 + Math.floor(whole.length / 150)) {
      await refuses(whole.subarray(0, length), /./)
    }
    await refuses(whole.subarray(0, whole.length - 1), /cut short/)
  })

  test('files of another kind, format or digest are refused with the reason', async () => {
    await refuses(Buffer.alloc(0), /too short/)
    await refuses(Buffer.from('<!doctype html>'.repeat(100)), /not a snapshot/)
    await refuses(Buffer.concat([whole, whole]), /cut short|damaged/)
    const newer = Buffer.from(whole)
    newer.writeUInt32LE(4, newer.length - 24)
    await refuses(newer, /format 4; this version reads formats 2 and 3/)
    await refuses(whole, /is snapshot .*, not 00/, '00')
  })

  test('a record damaged after opening is refused when it is read', () => {
    const bytes = Buffer.from(whole)
    bytes[20]! ^= 1
    writeFileSync(damaged, bytes)
    const advisories = openAdvisories(openSnapshotFile(damaged, written.digest))
    assert.throws(() => advisories.readRecord(0), /record GHSA-a is damaged/)
    assert.equal(advisories.readRecord(1).id, 'GHSA-b')
    advisories.close()
  })

  test('a record truncated after opening is refused when it is read', () => {
    writeFileSync(damaged, whole)
    const advisories = openAdvisories(openSnapshotFile(damaged, written.digest))
    truncateSync(damaged, 30)
    assert.throws(() => advisories.readRecord(2), /record GHSA-c is cut short/)
    advisories.close()
  })

  test('a failure while compiling leaves no file behind', async () => {
    const before = readdirSync(dir)
    await assert.rejects(
      writeSnapshotFile(dir, origin, (compilation) => {
        compilation.add(records[0]!)
        throw new Error('the source broke')
      }),
      /the source broke/,
    )
    assert.deepEqual(readdirSync(dir), before)
  })
})
