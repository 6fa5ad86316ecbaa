import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testThread } from '#features/package-tests/test-thread.ts'
import { noRegistries } from '#test/registries/registries.ts'
import { program } from '#test/servers/program.ts'
import { ownThread } from '../reading/survey-tree.ts'
import { createTestPool } from './pool.ts'
import { createTreeReader } from './read-tree.ts'
import type { TestPool } from './test-pool.ts'

const files: Readonly<Record<string, string>> = {
  '.snyk': 'version: v1.25.0\nexclude:\n  global:\n    - old\n',
  'package.json': '{"workspaces": ["packages/*"]}',
  'packages/a/package.json': '{}',
  'old/pom.xml': '<project/>',
  'tests/go.mod': 'module x\n',
  'tool/requirements.txt': '-r more.txt\n',
  'tool/more.txt': '# nothing\n',
  'native/Brewfile': '',
}
const tree = {
  paths: new Set(Object.keys(files)),
  unusable: [{ path: 'old/odd\\xff' }],
  read: async (paths: readonly string[]) =>
    new Map(paths.flatMap((path) => (files[path] === undefined ? [] : [[path, files[path]] as const]))),
}
const choice = { exclusions: ['tests'], setting: 'allow', at: 0, withInstalled: false } as const

describe('trees read by test threads', () => {
  let pool: TestPool
  before(() => {
    pool = createTestPool(
      {
        program: program.thread ?? testThread,
        threads: 1,
        timeoutSeconds: 60,
        waitSeconds: 60,
        maxWaiting: 100,
        memoryMb: 256,
        searchSeconds: 0,
        backgroundPercent: 50,
      },
      noRegistries,
    )
  })
  after(() => pool.close())

  test('survey and companion files: as in the own thread, before any advisories are loaded', async () => {
    const reader = createTreeReader(pool, 'org', {})
    const survey = await reader.survey(tree, choice)
    assert.deepEqual(survey, await ownThread.survey(tree, choice))
    assert.deepEqual(
      survey.projects.map(({ path }) => path),
      ['old/pom.xml', 'package.json', 'tests/go.mod', 'tool/requirements.txt'],
    )
    assert.deepEqual([...survey.inExcluded], ['tests/go.mod'])
    assert.deepEqual([...survey.excludedBy.keys()], ['old/pom.xml', 'old/odd\\xff'])
    const beside = await reader.filesBeside(tree, survey.projects)
    assert.deepEqual(beside, await ownThread.filesBeside(tree, survey.projects))
    assert.deepEqual(beside.at(-1), [{ path: 'tool/more.txt', seen: 'more.txt' }])
  })

  test('a tree whose files cannot be read: the error of the reader', async () => {
    const unreadable = { ...tree, read: () => Promise.reject(new Error('the repository is gone')) }
    const reader = createTreeReader(pool, 'org', {})
    await assert.rejects(reader.survey(unreadable, choice), new Error('the repository is gone'))
    assert.equal(pool.open, 0)
  })

  test('an abandoned survey: ends at once, although a read never does', async () => {
    const client = new AbortController()
    const reading = Promise.withResolvers<void>()
    const endless = { ...tree, read: () => (reading.resolve(), new Promise<never>(() => {})) }
    const survey = createTreeReader(pool, 'org', { signal: client.signal }).survey(endless, choice)
    await reading.promise
    client.abort(new Error('the client left'))
    await assert.rejects(survey, new Error('the client left'))
    assert.equal((await createTreeReader(pool, 'org', {}).survey(tree, choice)).projects.length, 4)
  })
})
