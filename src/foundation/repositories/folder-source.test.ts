import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { BOUNDS, readAll } from '#test/repositories/git-reader.ts'
import { openFolderSource } from './folder-source.ts'

const base = mkdtempSync(join(tmpdir(), 'gatehouse-folder-'))
after(() => rmSync(base, { recursive: true }))

const place = (path: string) => ({ path, within: [realpathSync(base)] })

function makeFolder(name: string, files: Readonly<Record<string, string | Buffer>>): string {
  const folder = join(base, name)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

test('folder: read without the files of version control', async () => {
  const folder = makeFolder('plain', {
    'pom.xml': '<project/>',
    'a/b/c/package.json': '{}',
    '.git/config': 'x',
    'a/.svn/entries': 'x',
    empty: '',
  })
  const source = await openFolderSource(place(folder), BOUNDS)
  assert.deepEqual([source.revision, source.reference], [null, null])
  assert.deepEqual(await readAll(source), { 'a/b/c/package.json': '{}', empty: '', 'pom.xml': '<project/>' })
  const { fileCount, entries } = await source.list((path) => path === 'pom.xml')
  assert.deepEqual([fileCount, entries.length], [3, 1])
})

test('folder: links, pipes and files replaced by links between listing and reading are not read', async () => {
  makeFolder('outside', { 'package.json': 'a secret' })
  const folder = makeFolder('hostile', { 'a/package.json': '{}', 'b/package.json': '{}' })
  symlinkSync('../outside', join(folder, 'away'))
  symlinkSync('../../outside/package.json', join(folder, 'a/link.json'))
  symlinkSync('/', join(folder, 'root'))
  symlinkSync('.', join(folder, 'self'))
  execFileSync('mkfifo', [join(folder, 'pipe.json')])
  const source = await openFolderSource(place(folder), BOUNDS)
  assert.deepEqual(await readAll(source), {
    'a/link.json': 'The file is a link. Links are not followed.',
    'a/package.json': '{}',
    away: 'The file is a link. Links are not followed.',
    'b/package.json': '{}',
    root: 'The file is a link. Links are not followed.',
    self: 'The file is a link. Links are not followed.',
  })
  const { entries } = await source.list((path) => path.endsWith('package.json'))
  renameSync(join(folder, 'a'), join(folder, 'was-a'))
  symlinkSync('../outside', join(folder, 'a'))
  rmSync(join(folder, 'b/package.json'))
  execFileSync('mkfifo', [join(folder, 'b/package.json')])
  const reads = await Array.fromAsync(source.readFiles(entries))
  assert.deepEqual(
    reads.map(({ problem }) => problem),
    ['The file is a link. Links are not followed.', 'It is not a file'],
  )
  const made = { path: '../outside/package.json', kind: 'file', id: 'x', sizeBytes: undefined } as const
  const [read] = await Array.fromAsync(source.readFiles([made]))
  assert.equal(read?.problem, 'The name is not a printable path in UTF-8')
})

test('folder: one that is reached by a link is read at its target', async () => {
  const folder = makeFolder('real', { 'pom.xml': 'x' })
  symlinkSync(folder, join(base, 'linked'))
  assert.deepEqual(await readAll(await openFolderSource(place(join(base, 'linked')), BOUNDS)), { 'pom.xml': 'x' })
})

test('folder: names that are not plain UTF-8 are reported as odd', async () => {
  const folder = makeFolder('names', { 'fine/ü.xml': 'x', 'new\nline': 'x' })
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x70, 0xe9])]), 'x')
  mkdirSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x71, 0xff])]))
  const { entries } = await (await openFolderSource(place(folder), BOUNDS)).list(() => true)
  assert.deepEqual(
    entries.map(({ path, kind }) => [path, kind]),
    [
      ['fine/ü.xml', 'file'],
      ['new\\x0aline', 'odd-name'],
      ['p\\xe9', 'odd-name'],
      ['q\\xff/', 'closed-folder'],
    ],
  )
})

const isRoot = process.getuid?.() === 0
test('folder: an unreadable subfolder is reported as closed', {
  skip: isRoot && 'root reads every folder',
}, async () => {
  const folder = makeFolder('closed', { 'a/pom.xml': 'x', 'b/pom.xml': 'x' })
  chmodSync(join(folder, 'a'), 0)
  const { entries } = await (await openFolderSource(place(folder), BOUNDS)).list(() => true)
  chmodSync(join(folder, 'a'), 0o700)
  assert.deepEqual(
    entries.map(({ path, kind }) => [path, kind]),
    [
      ['a/', 'closed-folder'],
      ['b/pom.xml', 'file'],
    ],
  )
})

test('folder: limits of files, tested files, read bytes and time are enforced', async () => {
  const folder = makeFolder('large', { a: 'x'.repeat(100), b: 'x'.repeat(100), c: 'x'.repeat(101) })
  const cases: [Partial<typeof BOUNDS>, RegExp][] = [
    [{ files: 2 }, /more than 2 files/],
    [{ testedFiles: 1 }, /more than 1 files to test/],
    [{ readBytes: 150 }, /larger than 0 MB together/],
    [{ seconds: -1 }, /not read within -1 s/],
  ]
  for (const [bounds, message] of cases)
    await assert.rejects(readAll(await openFolderSource(place(folder), { ...BOUNDS, ...bounds })), {
      code: 'repository-too-large',
      message,
    })
  const read = await readAll(await openFolderSource(place(folder), { ...BOUNDS, fileBytes: 100 }))
  assert.equal(read['c'], 'The file is larger than 100 bytes')
  await assert.rejects(
    (await openFolderSource(place(folder), BOUNDS)).list(() => true, AbortSignal.abort()),
    { code: 'unavailable', message: /stopped/ },
  )
})
