import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { sizeOfFolder } from '#foundation/repositories/workspaces.ts'
import { gitReader, localGit, readAll } from '#test/repositories/git-reader.ts'
import { bareRepository } from '#test/repositories/git-repository.ts'
import { serveGit } from '#test/repositories/git-server.ts'
import type { GitWanted } from './git-repositories.ts'

const FILES = [
  { path: 'package.json', content: '{"name":"a"}' },
  { path: 'deep/er/pom.xml', content: '<project/>' },
  { path: 'same.json', content: '{"name":"a"}' },
  { path: 'empty', content: '' },
]
const CONTENTS = {
  'package.json': '{"name":"a"}',
  'deep/er/pom.xml': '<project/>',
  'same.json': '{"name":"a"}',
  empty: '',
}

test('git: a remote repository is read and leaves no files', async () => {
  for (const hasFilter of [true, false]) {
    using repository = bareRepository()
    const commit = repository.commit(FILES)
    await using server = await serveGit(repository.path, { hasFilter })
    await using reader = gitReader()
    const { resolved, source } = await reader.open({ url: `${server.url}/repository.git`, credentials: undefined })
    assert.deepEqual(resolved, { branch: 'main', commit, isPrivate: false })
    assert.deepEqual([source.revision, source.reference], [commit, 'main'])
    assert.deepEqual(await readAll(source), CONTENTS)
    await source.close()
    assert.deepEqual(readdirSync(reader.folder), [])
  }
})

test('git: only requested files are fetched', async () => {
  using repository = bareRepository()
  repository.commit([...FILES, { path: 'large', content: randomBytes(5_000_000) }])
  await using server = await serveGit(repository.path)
  await using reader = gitReader()
  const { source } = await reader.open({ url: `${server.url}/repository.git`, credentials: undefined })
  const { entries, fileCount } = await source.list((path) => path.endsWith('pom.xml'))
  assert.equal(fileCount, 5)
  assert.deepEqual(
    entries.map(({ path, kind }) => [path, kind]),
    [['deep/er/pom.xml', 'file']],
  )
  const read = await Array.fromAsync(source.readFiles(entries))
  assert.equal(read[0]?.content?.toString(), '<project/>')
  assert.ok((await sizeOfFolder(reader.folder)) < 1_000_000)
  await source.close()
})

test('git: branches and unreferenced commits are read; missing and invalid ones are refused', async () => {
  using repository = bareRepository()
  const first = repository.commit([{ path: 'a', content: 'first' }])
  const other = repository.commit([{ path: 'a', content: 'other' }], { branch: 'feature/ü-1' })
  const second = repository.commit([{ path: 'a', content: 'second' }])
  for (const version of ['2', '0']) {
    await using server = await serveGit(repository.path, { protocol: version })
    await using reader = gitReader()
    const location = { url: `${server.url}/repository.git/`, credentials: undefined }
    const open = async (request: GitWanted) => {
      const { resolved, source } = await reader.open(location, request)
      const { a } = await readAll(source)
      await source.close()
      return [resolved.branch, resolved.commit, a]
    }
    assert.deepEqual(await open({}), ['main', second, 'second'])
    assert.deepEqual(await open({ branch: 'feature/ü-1' }), ['feature/ü-1', other, 'other'])
    assert.deepEqual(await reader.find(location, { branch: 'main' }), {
      branch: 'main',
      commit: second,
      isPrivate: false,
    })
    if (version === '2') {
      assert.deepEqual(await open({ revision: first }), ['main', first, 'first'])
      assert.deepEqual(await open({ branch: 'gone', revision: first }), ['gone', first, 'first'])
    }
    const refusals: [GitWanted, RegExp][] = [
      [{ branch: 'nowhere' }, /does not have the branch nowhere/],
      [{ branch: '--upload-pack=x' }, /name of the branch is invalid/],
      [{ branch: 'a..b' }, /name of the branch is invalid/],
      [{ revision: 'main' }, /not a commit id/],
      [{ revision: '1'.repeat(40) }, /no longer in the repository/],
    ]
    for (const [request, message] of refusals)
      await assert.rejects(open(request), { code: 'repository-unreadable', message }, JSON.stringify(request))
    assert.deepEqual(readdirSync(reader.folder), [])
  }
})

test('git: an empty repository is refused; one with SHA-256 ids is read', async () => {
  await using reader = gitReader()
  using empty = bareRepository()
  await using emptyServer = await serveGit(empty.path)
  await assert.rejects(reader.find({ url: `${emptyServer.url}/repository.git`, credentials: undefined }), {
    code: 'repository-unreadable',
    message: /does not have a default branch/,
  })

  using modern = bareRepository({ format: 'sha256' })
  const commit = modern.commit(FILES)
  assert.equal(commit.length, 64)
  await using modernServer = await serveGit(modern.path)
  const { source } = await reader.open({ url: `${modernServer.url}/repository.git`, credentials: undefined })
  assert.deepEqual(await readAll(source), CONTENTS)
  assert.equal(source.revision, commit)
})

test('git: a detached HEAD is read, and read again by the name HEAD', async () => {
  using repository = bareRepository()
  const first = repository.commit([{ path: 'a', content: 'first' }], { branch: 'work' })
  repository.git(['update-ref', '--no-deref', 'HEAD', first])
  // Only HEAD leads to a commit on no branch.
  repository.commit([{ path: 'a', content: 'other' }], { branch: 'work' })
  await using server = await serveGit(repository.path)
  await using oldServer = await serveGit(repository.path, { protocol: '0' })
  await using reader = gitReader()
  const locations = [
    { url: `${server.url}/repository.git`, credentials: undefined },
    { url: `${oldServer.url}/repository.git`, credentials: undefined },
    localGit(repository.path),
  ]
  const open = async (location: (typeof locations)[number], request: GitWanted) => {
    const { resolved, source } = await reader.open(location, request)
    const { a } = await readAll(source)
    await source.close()
    return [resolved.branch, resolved.commit, a]
  }
  for (const location of locations) {
    assert.deepEqual(await open(location, {}), ['HEAD', first, 'first'])
    assert.deepEqual(await open(location, { branch: 'HEAD' }), ['HEAD', first, 'first'])
    assert.deepEqual(await open(location, { branch: 'HEAD', revision: first }), ['HEAD', first, 'first'])
  }
  // A project imported from HEAD keeps that name, even when its commit is on a branch.
  const second = repository.commit([{ path: 'a', content: 'second' }], { branch: 'work' })
  repository.git(['symbolic-ref', 'HEAD', 'refs/heads/work'])
  for (const location of locations) {
    assert.deepEqual(await open(location, { branch: 'HEAD' }), ['HEAD', second, 'second'])
    assert.deepEqual(await open(location, {}), ['work', second, 'second'])
  }
})

test('git: if HEAD names a missing branch, the only branch is used, or the branches are listed', async () => {
  using repository = bareRepository()
  const commit = repository.commit(FILES, { branch: 'trunk' })
  await using server = await serveGit(repository.path)
  await using reader = gitReader()
  const locations = [{ url: `${server.url}/repository.git`, credentials: undefined }, localGit(repository.path)]
  for (const location of locations) {
    assert.deepEqual(await reader.find(location), { branch: 'trunk', commit, isPrivate: 'folder' in location })
    const missing = { code: 'repository-unreadable', message: /does not have a commit that its HEAD names/ }
    await assert.rejects(reader.find(location, { branch: 'HEAD' }), missing)
  }
  for (const branch of ['a', 'b', 'c', 'd', 'e']) repository.commit(FILES, { branch })
  for (const location of locations) {
    const message = /does not have a default branch; name one of its branches: a, b, c, d, e and 1 more$/
    await assert.rejects(reader.find(location), { code: 'repository-unreadable', message })
  }
})

test('git: a bare local repository is read; another folder is refused', async () => {
  using repository = bareRepository()
  const commit = repository.commit(FILES)
  await using reader = gitReader()
  const { resolved, source } = await reader.open(localGit(repository.path))
  assert.deepEqual(resolved, { branch: 'main', commit, isPrivate: true })
  assert.deepEqual(await readAll(source), CONTENTS)
  await source.close()
  await assert.rejects(reader.find(localGit(`${repository.path}/objects`)), {
    code: 'repository-unreadable',
    message: 'The repository does not exist or the credentials may not read it',
  })
})

test('git: links, submodules and odd names are reported, not read', async () => {
  using repository = bareRepository()
  const commit = repository.commit([{ path: 'package.json', content: '{}' }])
  repository.commit([
    { path: 'package.json', content: '{}' },
    { path: 'etc/package.json', content: '/etc/passwd', mode: '120000' },
    { path: 'folder-link', content: '../../..', mode: '120000' },
    { path: 'module', content: commit, mode: '160000' },
    { path: Buffer.from([0x6c, 0xe9, 0x2f, 0x70]), content: 'latin1' },
    { path: 'new\nline/pom.xml', content: 'x' },
    { path: 'ünïcode/日本/pom.xml', content: 'fine' },
    { path: 'C:\\windows\\pom.xml', content: 'a name like any other' },
    { path: '.gitattributes', content: '* filter=evil diff=evil\n' },
    { path: '.gitmodules', content: '[submodule "module"]\n\tpath = module\n\turl = http://127.0.0.1:1/x\n' },
  ])
  await using server = await serveGit(repository.path)
  await using reader = gitReader()
  const { source } = await reader.open({ url: `${server.url}/repository.git`, credentials: undefined })
  const { entries } = await source.list(() => true)
  const kinds = Object.fromEntries(entries.map(({ path, kind }) => [path, kind]))
  assert.deepEqual(Object.fromEntries(Object.entries(kinds).filter(([, kind]) => kind !== 'file')), {
    'etc/package.json': 'link',
    'folder-link': 'link',
    module: 'submodule',
    'l\\xe9/p': 'odd-name',
    'new\\x0aline/pom.xml': 'odd-name',
  })
  const contents = await readAll(source)
  assert.equal(contents['etc/package.json'], 'The file is a link. Links are not followed.')
  assert.equal(contents['module'], 'The entry is a submodule; import its repository instead')
  assert.equal(contents['l\\xe9/p'], 'The name is not a printable path in UTF-8')
  assert.equal(contents['ünïcode/日本/pom.xml'], 'fine')
  assert.equal(contents['C:\\windows\\pom.xml'], 'a name like any other')
})

test('git: names of trees that git itself would never write are reported as odd', async () => {
  using repository = bareRepository()
  const blob = repository.git(['hash-object', '-w', '--stdin'], 'x')
  const treeOf = (name: string, id: string, mode: string) =>
    repository.git(
      ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'],
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
    )
  const trees = [
    treeOf('..', treeOf('..', treeOf('passwd', blob, '100644'), '40000'), '40000'),
    treeOf('.', treeOf('pom.xml', blob, '100644'), '40000'),
    treeOf('../../pom.xml', blob, '100644'),
    treeOf('/etc/pom.xml', blob, '100644'),
  ]
  await using reader = gitReader()
  for (const tree of trees) {
    const commit = repository.git(['commit-tree', tree, '-m', 'x'])
    repository.git(['update-ref', 'refs/heads/main', commit])
    const { source } = await reader.open(localGit(repository.path))
    const { entries } = await source.list(() => true)
    assert.deepEqual(
      entries.map(({ kind }) => kind),
      ['odd-name'],
    )
    await source.close()
  }
})
