import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { toZip, type ZipEntry } from '#test/repositories/zip.ts'
import { ARCHIVE_LIMITS, type ArchiveEntry, type ArchiveLimits, openArchive } from './archive.ts'
import { SyncFailed } from './sync-failed.ts'

const dir = mkdtempSync(join(tmpdir(), 'gatehouse-archive-'))
after(() => rmSync(dir, { recursive: true }))
const path = join(dir, 'all.zip')

async function read(bytes: Buffer, limits: Partial<ArchiveLimits> = {}): Promise<ArchiveEntry[]> {
  writeFileSync(path, bytes)
  const archive = await openArchive(path, { ...ARCHIVE_LIMITS, ...limits })
  try {
    return [...archive.entries(() => true)]
  } finally {
    archive.close()
  }
}

const small: ZipEntry = { name: 'GHSA-1.json', content: '{"id":"GHSA-1"}' }

describe('archives of advisories', () => {
  test('requested entries are unpacked, compressed or stored', async () => {
    writeFileSync(
      path,
      toZip([small, { name: 'GO-1.json', content: 'ä', method: 0 }, { name: 'GO-2.json', content: '' }]),
    )
    const archive = await openArchive(path)
    assert.deepEqual(archive.ids, ['GHSA-1', 'GO-1', 'GO-2'])
    assert.deepEqual(
      [...archive.entries((id) => id !== 'GHSA-1')],
      [
        { id: 'GO-1', text: 'ä' },
        { id: 'GO-2', text: '' },
      ],
    )
    archive.close()
  })

  test('files that are not records are skipped', async () => {
    const others = ['README.md', 'sub/GHSA-2.json', '.json', 'GHSA-3.json.bak'].map((name) => ({ name, content: 'x' }))
    assert.deepEqual(await read(toZip([...others, small])), [{ id: 'GHSA-1', text: small.content }])
  })

  const rejected: { why: string; entry: ZipEntry; limits?: Partial<ArchiveLimits>; reason: RegExp }[] = [
    { why: 'an encrypted entry', entry: { ...small, claims: { flags: 1 } }, reason: /encrypted/ },
    { why: 'an unknown method', entry: { ...small, method: 12 }, reason: /unknown method/ },
    {
      why: 'a large entry',
      entry: { ...small, content: 'x'.repeat(200) },
      limits: { entryBytes: 100 },
      reason: /more than 100 bytes/,
    },
    {
      why: 'a decompression bomb',
      entry: { ...small, content: Buffer.alloc(4 * 1024 * 1024) },
      reason: /300 times its size/,
    },
  ]
  for (const { why, entry, limits, reason } of rejected) {
    test(`${why} is rejected, and the other entries are read`, async () => {
      const [first, second] = await read(toZip([entry, { name: 'GO-1.json', content: '{}' }]), limits)
      assert.ok(first && 'rejected' in first && reason.test(first.rejected), JSON.stringify(first))
      assert.deepEqual(second, { id: 'GO-1', text: '{}' })
    })
  }

  const whole = toZip([small])
  const broken: { why: string; bytes: Buffer; limits?: Partial<ArchiveLimits>; message: RegExp }[] = [
    { why: 'an empty file', bytes: Buffer.alloc(0), message: /no readable zip/ },
    { why: 'a page of HTML', bytes: Buffer.from('<html>not found</html>'), message: /no readable zip/ },
    { why: 'a truncated archive', bytes: whole.subarray(0, whole.length / 2), message: /no readable zip/ },
    { why: 'a wrong checksum', bytes: toZip([{ ...small, claims: { crc32: 1 } }]), message: /checksum/ },
    {
      why: 'an entry longer than it claims',
      bytes: toZip([{ ...small, claims: { size: 3 } }]),
      message: /no readable zip/,
    },
    { why: 'an entry shorter than it claims', bytes: toZip([{ ...small, claims: { size: 99 } }]), message: /checksum/ },
    {
      why: 'a path out of the folder',
      bytes: toZip([{ ...small, name: '../../GHSA-1.json' }]),
      message: /no readable zip/,
    },
    { why: 'too many entries', bytes: toZip([small, small, small]), limits: { entries: 2 }, message: /more than 2/ },
    {
      why: 'a total size above the limit',
      bytes: toZip([small, small, small]),
      limits: { totalBytes: 40 },
      message: /more than 40 bytes/,
    },
  ]
  for (const { why, bytes, limits, message } of broken) {
    test(`${why} makes the whole archive fail`, async () => {
      await assert.rejects(read(bytes, limits), (error) => error instanceof SyncFailed && message.test(error.message))
    })
  }

  test('a missing archive fails', async () => {
    await assert.rejects(openArchive(join(dir, 'nothing.zip')), SyncFailed)
  })
})
