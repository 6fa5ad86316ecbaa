import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gitReader, localGit, readAll } from '#test/repositories/git-reader.ts'
import { type BareRepository, bareRepository } from '#test/repositories/git-repository.ts'

const FILES = Array.from({ length: 40 }, (_, n) => ({ path: `${n % 7}/in/${n}.json`, content: `{"n":${n}}` }))
const CONTENTS = Object.fromEntries(FILES.map(({ path, content }) => [path, content]))

const pathOf = ({ path }: BareRepository, id: string) => join(path, 'objects', id.slice(0, 2), id.slice(2))

/** Moves objects into a pack of their own. */
function pack(repository: BareRepository, ids: readonly string[]): void {
  repository.git(['pack-objects', '--quiet', join(repository.path, 'objects/pack/pack')], `${ids.join('\n')}\n`)
  repository.git(['prune-packed', '--quiet'])
}

/** Packs of the only workspace's view, without their indexes. */
function packsOfView(folder: string): string[] {
  const packs = join(folder, readdirSync(folder)[0]!, 'source.git/objects/pack')
  return existsSync(packs) ? readdirSync(packs).filter((name) => name.endsWith('.pack')) : []
}

async function readHere(repository: BareRepository) {
  await using reader = gitReader()
  const { source } = await reader.open(localGit(repository.path))
  const contents = await readAll(source)
  await source.close()
  return contents
}

test('local repository: loose objects are read in SHA-1 and SHA-256 format', async () => {
  for (const format of ['sha1', 'sha256'] as const) {
    using repository = bareRepository({ format })
    repository.commit(FILES)
    assert.deepEqual(await readHere(repository), CONTENTS)
  }
})

test('local repository: only the loose objects that an import needs are opened', async () => {
  using repository = bareRepository()
  repository.commit([{ path: 'other.json', content: 'of an earlier commit' }])
  const earlier = repository.git(['rev-parse', 'main:other.json'])
  repository.commit([...FILES, { path: 'unread', content: 'not wanted' }])
  const unread = repository.git(['rev-parse', 'main:unread'])
  await using reader = gitReader()
  for (const id of [earlier, unread]) {
    rmSync(pathOf(repository, id))
    symlinkSync('/etc/passwd', pathOf(repository, id))
  }
  const { source } = await reader.open(localGit(repository.path))
  const { entries } = await source.list((path) => path.endsWith('.json'))
  const read = await Array.fromAsync(source.readFiles(entries))
  assert.deepEqual(Object.fromEntries(read.map(({ entry, content }) => [entry.path, content?.toString()])), CONTENTS)
  assert.equal(packsOfView(reader.folder).length, 4, 'references, trees and two batches')
  await source.close()
})

test('local repository: without references or without objects, its branch is missing', async () => {
  using repository = bareRepository()
  const commit = repository.commit(FILES)
  repository.git(['update-ref', '-d', 'refs/heads/main'])
  await using reader = gitReader()
  const missing = { code: 'repository-unreadable', message: /does not have the branch main/ }
  await assert.rejects(reader.open(localGit(repository.path), { branch: 'main' }), missing)
  const { source } = await reader.open(localGit(repository.path), { branch: 'main', revision: commit })
  assert.deepEqual(await readAll(source), CONTENTS)
  await source.close()
  using empty = bareRepository()
  await assert.rejects(reader.find(localGit(empty.path), { branch: 'main' }), missing)
})

test('local repository: packed trees that refer to loose objects are read', async () => {
  using repository = bareRepository()
  const commit = repository.commit(FILES)
  pack(
    repository,
    [commit, `${commit}^{tree}`].map((name) => repository.git(['rev-parse', name])),
  )
  assert.deepEqual(await readHere(repository), CONTENTS)
})

test('local repository: a repack during an import loses nothing', async () => {
  for (const when of ['opened', 'listed'] as const) {
    using repository = bareRepository()
    repository.commit(FILES)
    await using reader = gitReader()
    const { source } = await reader.open(localGit(repository.path))
    const repack = () => {
      repository.git(['repack', '-adq'])
      repository.git(['prune-packed', '--quiet'])
    }
    if (when === 'opened') repack()
    const { entries } = await source.list(() => true)
    if (when === 'listed') repack()
    const read = await Array.fromAsync(source.readFiles(entries))
    assert.deepEqual(Object.fromEntries(read.map(({ entry, content }) => [entry.path, content?.toString()])), CONTENTS)
    await source.close()
  }
})

test('local repository: objects replaced by links during an import are refused by name', async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-outside-')))
  try {
    for (const part of ['object', 'folder']) {
      using repository = bareRepository()
      repository.commit(FILES)
      const id = repository.git(['rev-parse', 'main:0/in/0.json'])
      await using reader = gitReader()
      const { source } = await reader.open(localGit(repository.path))
      const { entries } = await source.list(() => true)
      const inner = part === 'object' ? `objects/${id.slice(0, 2)}/${id.slice(2)}` : `objects/${id.slice(0, 2)}`
      const outside = join(base, part)
      renameSync(join(repository.path, inner), outside)
      symlinkSync(outside, join(repository.path, inner))
      await assert.rejects(Array.fromAsync(source.readFiles(entries)), {
        code: 'repository-unreadable',
        message: new RegExp(`^"${inner}" of the repository cannot be read: it leads outside`),
      })
      await source.close()
      assert.deepEqual(readdirSync(reader.folder), [])
    }
  } finally {
    rmSync(base, { recursive: true })
  }
})

test('local repository: damaged, large and highly compressed loose objects are read or refused as git does', async () => {
  using repository = bareRepository()
  const large = randomBytes(600_000).toString('hex')
  const compressed = ' '.repeat(1_040_000)
  repository.commit([
    { path: 'a', content: 'a' },
    { path: 'large', content: compressed },
    { path: 'bomb', content: Buffer.alloc(20_000_000) },
  ])
  const contents = await readHere(repository)
  assert.deepEqual([contents['a'], contents['large']?.length], ['a', compressed.length])
  assert.match(contents['bomb']!, /The file is larger than/)

  repository.commit([
    { path: 'a', content: 'a' },
    { path: 'b', content: large.slice(0, 1_000_000) },
  ])
  assert.equal((await readHere(repository))['b'], large.slice(0, 1_000_000))
  const damaged = pathOf(repository, repository.git(['rev-parse', 'main:a']))
  chmodSync(damaged, 0o600)
  writeFileSync(damaged, 'nothing that git wrote')
  await assert.rejects(readHere(repository), { code: /^repository-/ })
})
