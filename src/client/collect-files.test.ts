import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { after, describe, test } from 'node:test'
import { readTar } from '#foundation/archives/tar.ts'
import { collectFiles } from './collect-files.ts'
import { openWorkTree } from './work-tree.ts'
import { writeTar } from './write-tar.ts'

const environment = { PATH: process.env['PATH'], HOME: '/nonexistent' }
const { signal } = new AbortController()
const folders: string[] = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-client-'))
  folders.push(folder)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

async function collect(folder: string, choice = {}) {
  const source = await openWorkTree(folder, { environment, signal })
  return collectFiles(source, { exclusions: ['tests'], files: [], folder: source.folder, ...choice }, signal)
}

const manifest = '{"name":"a","dependencies":{}}'

describe('collected files', () => {
  test('collected files: a folder gives what the test reads; files that only matter by name are empty', async () => {
    const folder = folderWith({
      'package.json': manifest,
      'package-lock.json': '{"lockfileVersion":3,"packages":{"":{}}}',
      'native/Brewfile': 'long and not read',
      'tests/package.json': manifest,
      'README.md': 'not sent',
    })
    const { entries, projects, excluded, isEmpty } = await collect(folder)
    const sent = Object.fromEntries(entries.map(({ path, content }) => [path, content.length > 0]))
    assert.equal(sent['package.json'], true)
    assert.equal(sent['package-lock.json'], true)
    assert.equal(sent['native/Brewfile'], false)
    assert.ok(!('README.md' in sent))
    assert.deepEqual(projects, [{ path: 'package.json', packageManager: 'npm' }])
    assert.deepEqual([excluded, isEmpty], [1, false])
  })

  test('collected files: a chosen file of another package manager is refused with its own one', async () => {
    const folder = folderWith({ 'package.json': manifest, 'pom.xml': '<project/>' })
    const other = await collect(folder, { files: ['package.json'], packageManager: 'pip' })
    assert.equal(other.isEmpty, true)
    assert.deepEqual(other.refused, [{ path: 'package.json', reason: 'It is a file of npm, not of pip' }])
    const both = await collect(folder, { files: ['package.json', 'pom.xml'], packageManager: 'npm' })
    assert.deepEqual([both.isEmpty, both.refused, both.projects.length], [false, [], 1])
  })

  test('collected files: include policy files and what they exclude, as the server decides', async () => {
    const policy = 'exclude:\n  global:\n    - old\n'
    const folder = folderWith({ '.snyk': policy, 'old/package.json': manifest, 'old/.snyk': 'ignore: {}\n' })
    const { entries, projects } = await collect(folder)
    const sent = Object.fromEntries(entries.map(({ path, content }) => [path, String(content)]))
    assert.deepEqual(sent, { '.snyk': policy, 'old/package.json': manifest, 'old/.snyk': 'ignore: {}\n' })
    assert.deepEqual(
      projects.map(({ path }) => path),
      ['old/package.json'],
    )
  })

  test('collected files: of a git work tree, untracked files are sent, ignored files and repositories are not', async () => {
    const folder = folderWith({
      '.gitignore': 'build/\n',
      'package.json': manifest,
      'build/package.json': manifest,
      'new folder/ünï.txt': '',
      'new folder/package.json': manifest,
      'sub/package.json': manifest,
    })
    const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { env: environment, stdio: 'pipe' })
    git('init', '-q')
    git('add', 'package.json', '.gitignore')
    mkdirSync(join(folder, 'inner'))
    execFileSync('git', ['init', '-q', join(folder, 'inner')], { env: environment })
    writeFileSync(join(folder, 'inner', 'package.json'), manifest)
    const all = await collect(folder)
    assert.deepEqual(
      all.projects.map(({ path }) => path),
      ['new folder/package.json', 'package.json', 'sub/package.json'],
    )
    assert.deepEqual(
      all.leftOut.map(({ path }) => path),
      ['inner'],
    )
    const below = await collect(join(folder, 'sub'))
    assert.deepEqual(
      below.projects.map(({ path }) => path),
      ['sub/package.json'],
    )
  })

  describe('around the folder', () => {
    const workspace = {
      'package.json': '{"name":"root","workspaces":["packages/*"]}',
      'package-lock.json': '{"lockfileVersion":3,"packages":{"":{}}}',
      'packages/a/package.json': manifest,
      'packages/b/package.json': '{"name":"b"}',
      'tools/package.json': '{"name":"tools"}',
      'tools/package-lock.json': '{}',
    }
    const inGit = (folder: string) => execFileSync('git', ['init', '-q', folder], { env: environment })

    for (const isInGit of [true, false]) {
      test(`collected files: a workspace member, ${isInGit ? 'in' : 'outside'} git, comes with the lock and the members of its workspace`, async () => {
        const folder = folderWith(workspace)
        if (isInGit) inGit(folder)
        const { entries, entriesFrom, around, projects } = await collect(join(folder, 'packages/a'))
        assert.deepEqual(entries.map(({ path }) => path).sort(), [
          'package-lock.json',
          'package.json',
          'packages/a/package.json',
          'packages/b/package.json',
        ])
        assert.deepEqual([entriesFrom, projects], ['', [{ path: 'packages/a/package.json', packageManager: 'npm' }]])
        assert.deepEqual(around, ['package-lock.json', 'package.json', 'packages/b/package.json'])
        const collected = await collect(join(folder, 'packages'), { files: ['packages/b/package.json'] })
        assert.deepEqual(collected.projects, [{ path: 'packages/b/package.json', packageManager: 'npm' }])
      })
    }

    test('collected files: a folder that reads nothing around it is sent alone, with paths from it', async () => {
      const folder = folderWith(workspace)
      inGit(folder)
      const { entries, entriesFrom, around } = await collect(join(folder, 'tools'))
      assert.deepEqual(entries.map(({ path }) => path).sort(), ['package-lock.json', 'package.json'])
      assert.deepEqual([entriesFrom, around], ['tools', []])
    })

    test('collected files: parents, settings and go.work above a module come with it', async () => {
      const folder = folderWith({
        'pom.xml': '<project><groupId>g</groupId><artifactId>p</artifactId><version>1</version></project>',
        'm/pom.xml':
          '<project><parent><groupId>g</groupId><artifactId>p</artifactId><version>1</version></parent><artifactId>m</artifactId></project>',
        'settings.gradle': 'include "m"\n',
        'gradle/libs.versions.toml': '',
        'm/build.gradle': '',
        'go.work': 'go 1.24\nuse ./m\n',
        'm/go.mod': 'module m\n',
        'other/pom.xml': '<project><groupId>g</groupId><artifactId>o</artifactId><version>1</version></project>',
      })
      inGit(folder)
      const { around } = await collect(join(folder, 'm'))
      assert.deepEqual(around, ['go.work', 'gradle/libs.versions.toml', 'pom.xml', 'settings.gradle'])
    })

    test('collected files: nothing above the root of a git work tree is read', async () => {
      const folder = folderWith(workspace)
      inGit(join(folder, 'packages/a'))
      assert.deepEqual((await collect(join(folder, 'packages/a'))).around, [])
    })
  })

  test('collected files: a link is sent as a link, never followed', async () => {
    const folder = folderWith({ 'package.json': manifest })
    mkdirSync(join(folder, 'b'))
    symlinkSync('/etc/hostname', join(folder, 'b', 'package.json'))
    const { entries } = await collect(folder)
    assert.equal(entries.find(({ path }) => path === 'b/package.json')!.content, 'link')
  })

  test('--file: accepts a manifest with an unusual name, refuses a missing file', async () => {
    const folder = folderWith({ 'package.json': manifest, 'deps-extra.list': 'requests==2.0.0\n' })
    const collected = await collect(folder, { files: ['deps-extra.list'], packageManager: 'pip' })
    assert.deepEqual(collected.projects, [{ path: 'deps-extra.list', packageManager: 'pip' }])
    await assert.rejects(collect(folder, { files: ['missing.txt'] }), /No file "missing.txt"/)
  })

  test('collected files: empty for a folder without projects; a missing folder and a file are refused', async () => {
    const folder = folderWith({ 'README.md': '' })
    assert.equal((await collect(folder)).isEmpty, true)
    await assert.rejects(collect(join(folder, 'missing')), /does not exist/)
    await assert.rejects(collect(join(folder, 'README.md')), /is not a folder.*--file/)
  })
})

test('archive: long and non-ASCII names are preserved', async () => {
  const names = ['a', `${'folder/'.repeat(20)}package.json`, 'ünï/標題.txt', 'x'.repeat(92), `é${'y'.repeat(98)}`]
  const tar = writeTar([
    ...names.map((path) => ({ path, content: Buffer.from(path) })),
    { path: 'linked', content: 'link' as const },
  ])
  const members = await Array.fromAsync(readTar(Readable.from([tar]), () => true))
  assert.deepEqual(
    members.map(({ name, kind, content }) => [name.toString(), kind, content?.toString()]),
    [...names.map((name) => [name, 'file', name]), ['linked', 'link', undefined]],
  )
})
