import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { deflateRawSync, gzipSync } from 'node:zlib'
import type { RepositoryBounds } from '#foundation/repositories/repository-source.ts'
import { BOUNDS, readAll } from '#test/repositories/git-reader.ts'
import { type TarMember, toTar } from '#test/repositories/tar.ts'
import { toZip, type ZipEntry } from '#test/repositories/zip.ts'
import { openArchiveSource } from './archive-source.ts'

const MB = 1024 * 1024
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-archives-'))
after(() => rmSync(folder, { recursive: true }))
let archives = 0

function open(bytes: Buffer | string, bounds: Partial<RepositoryBounds> = {}) {
  const path = typeof bytes === 'string' ? bytes : join(folder, String(archives++))
  if (typeof bytes !== 'string') writeFileSync(path, bytes)
  return openArchiveSource({ path, digest: 'd', sizeBytes: statSync(path).size, bounds: { ...BOUNDS, ...bounds } })
}

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{}',
  'a/pom.xml': '<project/>',
  'a/empty': '',
  'ü/日本.txt': 'x'.repeat(2000),
}
const asMembers = (prefix = ''): (TarMember & ZipEntry)[] =>
  Object.entries(FILES).map(([name, content]) => ({ name: `${prefix}${name}`, content }))

test('tar, gzipped tar and zip are read with and without an enclosing folder', async () => {
  for (const prefix of ['', 'repository-1a2b3c/', './', './x/']) {
    const members = asMembers(prefix)
    for (const bytes of [toTar(members), gzipSync(toTar(members)), toZip(members)]) {
      const source = await open(bytes)
      assert.deepEqual([source.revision, source.reference], ['d', null])
      assert.deepEqual(await readAll(source), FILES, prefix)
      const { fileCount, entries } = await source.list((path) => path.endsWith('.xml'))
      assert.deepEqual([fileCount, entries.map(({ path, sizeBytes }) => [path, sizeBytes])], [4, [['a/pom.xml', 10]]])
    }
  }
})

test('archives of GNU tar: GNU, pax and old GNU formats with long names are read', async () => {
  const long = `${'deep-folder/'.repeat(20)}pom.xml`
  const root = join(folder, 'tree')
  for (const [path, content] of Object.entries({ ...FILES, [long]: 'long' })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  for (const format of ['gnu', 'pax', 'oldgnu']) {
    const path = join(folder, `${format}.tar`)
    execFileSync('tar', [`--format=${format}`, '-cf', path, '-C', root, '.'])
    assert.deepEqual(await readAll(await open(path)), { ...FILES, [long]: 'long' }, format)
  }
})

test('members with paths outside the archive, links and odd names are reported, not read', async () => {
  const hostile = ['../up', '/etc/passwd', 'a/../../up', 'a//b', 'a/./b', 'new\nline']
  const source = await open(
    toTar([
      ...hostile.map((name) => ({ name, content: 'x' })),
      { name: Buffer.from([0x61, 0xe9]), content: 'x' },
      { name: 'link', type: '2', linksTo: '/etc/passwd' },
      { name: 'hard', type: '1', linksTo: '../../etc/passwd' },
      { name: 'device', type: '3' },
      { name: 'folder/', type: '5', claimedSize: 4096 },
      { name: 'pom.xml', content: 'fine' },
    ]),
  )
  const contents = await readAll(source)
  assert.equal(contents['pom.xml'], 'fine')
  for (const name of [...hostile, 'a\\xe9'])
    assert.equal(contents[name.replace('\n', '\\x0a')], 'The name is not a printable path in UTF-8', name)
  assert.deepEqual([contents['link'], contents['hard']], Array(2).fill('The file is a link. Links are not followed.'))
  assert.deepEqual([contents['device'], contents['folder/']], [undefined, undefined])

  const zip = toZip([
    { name: '../up', content: 'x' },
    { name: 'C:\\up', content: 'x' },
    { name: 'folder/', content: '' },
    { name: 'pom.xml', content: 'fine' },
  ])
  assert.deepEqual(await readAll(await open(zip)), {
    '../up': 'The name is not a printable path in UTF-8',
    'C:\\up': 'x',
    'pom.xml': 'fine',
  })
})

test('a link in a zip is reported, not followed', async () => {
  const zip = toZip([{ name: 'link', content: '/etc/passwd' }])
  const directory = zip.indexOf('PK\x01\x02')
  zip[directory + 5] = 3
  zip.writeUInt32LE((0o120777 << 16) >>> 0, directory + 38)
  assert.deepEqual(await readAll(await open(zip)), { link: 'The file is a link. Links are not followed.' })
})

test('archive: the last of several members with one path counts', async () => {
  const members = [
    { name: 'pom.xml', content: 'first' },
    { name: 'b', content: 'b' },
    { name: './pom.xml', content: 'last' },
  ]
  for (const bytes of [toTar(members), toZip(members)])
    assert.deepEqual(await readAll(await open(bytes)), { b: 'b', 'pom.xml': 'last' })
})

test('decompression bombs are refused: unpacked size, ratio and false sizes', async () => {
  const zeros = Buffer.alloc(100 * MB)
  const bomb = toTar([{ name: 'pom.xml', content: zeros }])
  const tooLarge = { code: 'repository-too-large', message: /unpacked archive exceeds the limit/ }
  await assert.rejects(open(gzipSync(bomb)), tooLarge)
  // 100 MB is little, but not for an archive of 100 kB.
  await assert.rejects(open(gzipSync(bomb), { diskBytes: 1024 * MB }), tooLarge)
  await assert.rejects(open(toZip([{ name: 'pom.xml', content: zeros }])), tooLarge)
  const large = await open(bomb, { diskBytes: 1024 * MB })
  assert.deepEqual(await readAll(large), { 'pom.xml': `The file is larger than ${MB} bytes` })

  const packed = deflateRawSync(Buffer.alloc(2 * MB))
  const lie = toZip([{ name: 'pom.xml', content: packed, method: 0, claims: { size: 100 } }])
  lie.writeUInt16LE(8, lie.indexOf('PK\x01\x02') + 10)
  const liar = await open(lie)
  await assert.rejects(readAll(liar), { code: 'repository-unreadable', message: /The archive is damaged/ })
})

test('archives beyond the limits of files, tested files, read bytes and disk are refused', async () => {
  const members = Array.from({ length: 20 }, (_, at) => ({ name: `${at}/pom.xml`, content: 'x'.repeat(100) }))
  const cases: [Partial<RepositoryBounds>, RegExp][] = [
    [{ files: 19 }, /more than 19 files/],
    [{ testedFiles: 19 }, /more than 19 files to test/],
    [{ readBytes: 1999 }, /larger than 0 MB together/],
    [{ diskBytes: 1999 }, /unpacked archive exceeds the limit/],
  ]
  for (const bytes of [toTar(members), toZip(members)])
    for (const [bounds, message] of cases)
      await assert.rejects(async () => readAll(await open(bytes, bounds)), { code: 'repository-too-large', message })
  const source = await open(toTar(members))
  await assert.rejects(
    source.list(() => true, AbortSignal.abort()),
    { code: 'unavailable', message: /stopped/ },
  )
})

test('damaged and encrypted archives, and files of other formats, are refused', async () => {
  const tar = toTar(asMembers())
  const zip = toZip(asMembers())
  const sum = Buffer.from(tar)
  sum[0] = 0x41
  const pax = (record: string) =>
    toTar([
      { name: 'x', type: 'x', content: record },
      { name: 'a', content: 'a' },
    ])
  const cases: [why: string, bytes: Buffer, message: RegExp][] = [
    ['a text', Buffer.from('words'), /not a tar, tar.gz or zip archive/],
    ['nothing', Buffer.alloc(0), /not a tar, tar.gz or zip archive/],
    ['a wrong sum', sum, /not a tar, tar.gz or zip archive/],
    ['a wrong sum later', Buffer.concat([tar.subarray(0, 1024), Buffer.alloc(512, 1)]), /does not match its checksum/],
    ['cut in a file', tar.subarray(0, 512 + 1), /ends within a file/],
    ['cut in a header', tar.subarray(0, 1024 + 100), /ends within a header/],
    ['a cut gzip', gzipSync(tar).subarray(0, -20), /cannot be unpacked/],
    ['a gzip of garbage', Buffer.from([0x1f, 0x8b, 1, 2, 3, 4]), /cannot be unpacked/],
    ['a gzip of a text', gzipSync('words'.repeat(1000)), /does not match its checksum/],
    ['a zip without its end', zip.subarray(0, -30), /damaged/],
    ['a size that is no number', Buffer.concat([withSize(tar, '99999999999\0')]), /size cannot be read/],
    ['a pax record without an end', pax('99 path=x\n'), /pax record/],
    ['a pax record without a length', pax('path=x\n'), /pax record/],
    ['a pax size below nothing', pax('11 size=-1\n'), /size cannot be read/],
    [
      'a name of two megabytes',
      toTar([{ name: 'x', type: 'L', content: Buffer.alloc(2 * MB, 0x61) }]),
      /name is too long/,
    ],
  ]
  for (const [why, bytes, message] of cases)
    await assert.rejects(async () => readAll(await open(bytes)), { code: 'repository-unreadable', message }, why)
  const encrypted = toZip([{ name: 'a', content: 'a', claims: { flags: 1 } }])
  await assert.rejects(async () => readAll(await open(encrypted)), {
    code: 'repository-unreadable',
    message: /encrypted/,
  })
  assert.deepEqual(await readAll(await open(toTar([]))), {})
})

/** Returns the archive with another size in its first header and a matching checksum. */
function withSize(tar: Buffer, size: string): Buffer {
  const changed = Buffer.from(tar)
  changed.write(size, 124)
  changed.write('        ', 148)
  const sum = changed.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  changed.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return changed
}
