import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import { govendor } from './index.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }
const locked = { revision: '0123456789abcdef0123456789abcdef01234567', revisionTime: '2017-01-18T16:13:56Z' }

async function read(...entries: object[]) {
  const target = JSON.stringify({
    rootPath: 'x',
    package: entries.map((entry) => ({ ...locked, ...entry })),
  })
  const { graph, unresolved } = await govendor.read({ target, additional: [] }, noRegistries, options)
  return { nodes: graph.nodes.slice(1), unresolved }
}

test('govendor: a path with capitals is also looked up in lower case, with its module', async () => {
  const { nodes } = await read({ path: 'github.com/Sirupsen/logrus/hooks', versionExact: 'v1.0.3' })
  assert.deepEqual(nodes[0]?.package, { name: 'github.com/Sirupsen/logrus', version: 'v1.0.3' })
  assert.deepEqual(nodes[0]?.advisoryNames, [
    'github.com/Sirupsen/logrus/hooks',
    'github.com/sirupsen/logrus',
    'github.com/sirupsen/logrus/hooks',
  ])
})

test('govendor: a path on a case-sensitive host is not looked up in lower case', async () => {
  const { nodes } = await read({ path: 'k8s.io/Acme', versionExact: 'v1.0.3' })
  assert.equal(nodes[0]?.advisoryNames, undefined)
})

test('govendor: a copy of a fork is looked up under both paths; its tag belongs to the fork', async () => {
  const { nodes } = await read({ path: 'github.com/a/b', origin: 'github.com/fork/b', versionExact: 'v9.0.0' })
  assert.deepEqual(
    nodes.map(({ package: { name, version }, isVersionGuessed = false }) => [name, version, isVersionGuessed]),
    [
      ['github.com/a/b', 'v0.0.0-20170118161356-0123456789ab', true],
      ['github.com/fork/b', 'v9.0.0+incompatible', false],
    ],
  )
})

test("govendor: the tag of a repository that vendors a package does not count as the package's", async () => {
  const origin = 'github.com/outer/o/vendor/github.com/a/b'
  const { nodes } = await read({ path: 'github.com/a/b', origin, versionExact: 'v9.0.0' })
  assert.deepEqual(
    nodes.map(({ package: { name }, isVersionGuessed }) => [name, isVersionGuessed]),
    [['github.com/a/b', true]],
  )
})

test("govendor: a copy with only the fork's tag is reported as unresolved", async () => {
  const { nodes, unresolved } = await read({
    path: 'github.com/a/b',
    origin: 'github.com/fork/b',
    revision: '',
    versionExact: 'v1.0.0',
  })
  assert.deepEqual(
    nodes.map(({ package: { name } }) => name),
    ['github.com/fork/b'],
  )
  assert.deepEqual(
    unresolved.map(({ name, code }) => [name, code]),
    [['github.com/a/b', 'not-in-lockfile']],
  )
})
