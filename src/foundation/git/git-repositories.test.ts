import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { gitReader, readAll } from '#test/git-reader.ts'
import { bareRepository } from '#test/git-repository.ts'
import { serveGit } from '#test/git-server.ts'

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

test('a repository on a server is read, and nothing of it stays', async () => {
  for (const hasFilter of [true, false]) {
    using repository = bareRepository()
    const commit = repository.commit(FILES)
    await using server = await serveGit(repository.path, { hasFilter })
    await using reader = gitReader()
    const { found, source } = await reader.open({ url: `${server.url}/repository.git`, credentials: undefined })
    assert.deepEqual(found, { branch: 'main', commit, isPrivate: false })
    assert.deepEqual([source.revision, source.reference], [commit, 'main'])
    assert.deepEqual(await readAll(source), CONTENTS)
    await source.close()
    assert.deepEqual(readdirSync(reader.folder), [])
  }
})
