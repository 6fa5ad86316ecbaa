import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { toTar, toTarGz } from '#test/repositories/tar.ts'
import { toZip } from '#test/repositories/zip.ts'
import { parseSdist } from './sdist.ts'

const pkgInfo = (version: string, ...more: string[]) =>
  [`Metadata-Version: ${version}`, 'Name: a', ...more, ''].join('\n')
const unknown = undefined
const cases: [why: string, files: Record<string, string>, requiresDist: readonly string[] | undefined][] = [
  ['static ones', { 'a-1/PKG-INFO': pkgInfo('2.2', 'Requires-Dist: b') }, ['b']],
  ['statically none', { 'a-1/PKG-INFO': pkgInfo('2.4') }, []],
  ['listed although dynamic', { 'a-1/PKG-INFO': pkgInfo('2.2', 'Dynamic: Requires-Dist', 'Requires-Dist: b') }, ['b']],
  [
    'as recorded by setuptools',
    {
      'a-1/PKG-INFO': pkgInfo('1.0'),
      'a-1/src/a.egg-info/PKG-INFO': pkgInfo('1.0'),
      'a-1/src/a.egg-info/requires.txt': 'b\n[x]\nc\n',
    },
    ['b', 'c ; extra == "x"'],
  ],
  ['none recorded by setuptools', { 'a-1/PKG-INFO': pkgInfo('1.0'), 'a-1/a.egg-info/SOURCES.txt': '' }, []],
  ['only the metadata of setuptools', { './a-1/a.egg-info/PKG-INFO': pkgInfo('1.0') }, []],
  ['none in a plain setup.py', { 'a-1/PKG-INFO': pkgInfo('1.0'), 'a-1/setup.py': 'setup(name="a")' }, []],
  [
    'unknown with install_requires in setup.py',
    { 'a-1/PKG-INFO': pkgInfo('1.0'), 'a-1/setup.py': 'setup(install_requires=["b"])' },
    unknown,
  ],
  ['unknown with options in setup.py', { 'a-1/PKG-INFO': pkgInfo('1.0'), 'a-1/setup.py': 'setup(**options)' }, unknown],
  [
    'unknown with install_requires in setup.cfg',
    { 'a-1/PKG-INFO': pkgInfo('1.0'), 'a-1/setup.py': 'setup()', 'a-1/setup.cfg': 'install_requires = b' },
    unknown,
  ],
  [
    'unknown with a pyproject.toml',
    { 'a-1/PKG-INFO': pkgInfo('1.0'), 'a-1/setup.py': 'setup()', 'a-1/pyproject.toml': '' },
    unknown,
  ],
  ['unknown without a build file', { 'a-1/PKG-INFO': pkgInfo('1.0') }, unknown],
  [
    'unknown with requirements of a nested package only',
    { 'a-1/PKG-INFO': pkgInfo('1.0'), 'a-1/x/y/z/b.egg-info/requires.txt': 'c' },
    unknown,
  ],
  ['unknown without metadata', { 'a-1/setup.py': 'setup()' }, unknown],
]
for (const [why, files, requiresDist] of cases) {
  test(`dependencies of a source distribution: ${why}`, async () => {
    assert.deepEqual((await parseSdist(toTarGz(files), 'a-1.tar.gz', 'a')).requiresDist, requiresDist)
    const zipped = toZip(Object.entries(files).map(([name, content]) => ({ name, content })))
    assert.deepEqual((await parseSdist(zipped, 'a-1.zip', 'a')).requiresDist, requiresDist, 'zipped')
  })
}

test('source distribution: GNU, pax and old GNU formats of tar with long names are read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sdist-'))
  const egg = join(folder, 'a-1', `${'x'.repeat(110)}.egg-info`)
  mkdirSync(egg, { recursive: true })
  writeFileSync(join(folder, 'a-1/PKG-INFO'), pkgInfo('1.0'))
  writeFileSync(join(egg, 'requires.txt'), 'b\n')
  for (const format of ['gnu', 'pax', 'oldgnu']) {
    const packed = execFileSync('tar', [`--format=${format}`, '-czf', '-', '-C', folder, 'a-1'])
    assert.deepEqual((await parseSdist(packed, 'a-1.tar.gz', 'a')).requiresDist, ['b'], format)
  }
  rmSync(folder, { recursive: true })
})

test('source distribution: files before damaged bytes count', async () => {
  const files = toTar([
    { name: 'a-1/PKG-INFO', content: pkgInfo('2.2', 'Requires-Dist: b') },
    { name: 'a-1/setup.py', content: 'x' },
  ])
  files[1024] = 0x41
  assert.deepEqual((await parseSdist(gzipSync(files), 'a-1.tar.gz', 'a')).requiresDist, ['b'])
})

test('source distribution: empty, truncated, foreign and oversized archives have unknown dependencies', async () => {
  const whole = toTarGz({ 'a-1/PKG-INFO': pkgInfo('2.2', 'Requires-Dist: b') })
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024))
  const odd = gzipSync(Buffer.alloc(4096, 'x'))
  for (const document of [Buffer.alloc(0), Buffer.from('<html>'), whole.subarray(0, 40), bomb, odd]) {
    assert.deepEqual(await parseSdist(document, 'a-1.tar.gz', 'a'), { provides: [] })
    assert.deepEqual(await parseSdist(document, 'a-1.zip', 'a'), { provides: [] })
  }
})
