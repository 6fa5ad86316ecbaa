import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
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
import { insideOf, OutsideConfinement, openConfinedFile, openConfinedFolder, readUpTo } from './confined-files.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-confined-')))
after(() => rmSync(base, { recursive: true }))
const root = join(base, 'root')
const outside = join(base, 'outside')
for (const folder of [root, outside, join(root, 'a'), join(root, 'b'), join(outside, 'a')]) mkdirSync(folder)
writeFileSync(join(root, 'a/file'), 'mine')
writeFileSync(join(outside, 'a/file'), 'secret')
const isInside = insideOf([root])

const textOf = async (path: string, isAllowed = isInside) => {
  using file = openConfinedFile(path, isAllowed)
  return file && (await readUpTo(file.fd, 100)).toString()
}

test('confined files: links inside are followed, links outside, devices and pipes are refused', async () => {
  symlinkSync(join(root, 'a/file'), join(root, 'b/near'))
  symlinkSync(join(outside, 'a/file'), join(root, 'b/away'))
  symlinkSync(join(outside, 'nothing'), join(root, 'b/dangling'))
  symlinkSync('/dev/zero', join(root, 'b/device'))
  execFileSync('mkfifo', [join(root, 'b/pipe')])
  assert.equal(await textOf(join(root, 'b/near')), 'mine')
  assert.equal(await textOf(join(root, 'b/nothing')), undefined)
  for (const name of ['away', 'dangling', 'device', 'pipe'])
    await assert.rejects(textOf(join(root, 'b', name)), OutsideConfinement, name)
  using folder = openConfinedFolder(join(root, 'b'), isInside)
  for (const name of ['away', 'dangling', 'device', 'pipe'])
    assert.throws(() => folder!.openFile(name), OutsideConfinement, name)
})

const noDescriptors = !existsSync('/proc/self/fd') && 'needs the descriptors of /proc'

/** Replaces `a` with a link to the outside between check and use. */
function replaceAfterCheck(path: string) {
  let checks = 0
  return (real: string) => {
    if (checks++ > 0) return isInside(real)
    renameSync(path, `${path}-was`)
    symlinkSync(join(outside, 'a'), path)
    return isInside(real)
  }
}

function putBack(path: string): void {
  rmSync(path)
  renameSync(`${path}-was`, path)
}

test('confined files: a folder replaced by a link between check and use is refused', {
  skip: noDescriptors,
}, async () => {
  const path = join(root, 'a')
  await assert.rejects(textOf(join(path, 'file'), replaceAfterCheck(path)), OutsideConfinement)
  putBack(path)
  assert.throws(() => openConfinedFolder(path, replaceAfterCheck(path)), OutsideConfinement)
  putBack(path)
  assert.equal(await textOf(join(path, 'file')), 'mine')
})

test('confined files: an open folder stays the same when its path is replaced', { skip: noDescriptors }, async () => {
  const path = join(root, 'a')
  using folder = openConfinedFolder(path, isInside)
  renameSync(path, `${path}-was`)
  symlinkSync(join(outside, 'a'), path)
  using file = folder!.openFile('file')
  assert.equal((await readUpTo(file!.fd, 100)).toString(), 'mine')
  assert.deepEqual(folder!.list(), ['file'])
  putBack(path)
})
