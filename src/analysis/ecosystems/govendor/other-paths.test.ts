import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import { govendor } from './index.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }
const locked = { revision: '0123456789abcdef0123456789abcdef01234567', revisionTime: '2017-01-18T16:13:56Z' }

async function read(...entries: object[]) {
  const target = JSON.stringify({ rootPath: 'x', package: entries.map((each) => ({ ...locked, ...each })) })
  const { graph, unresolved } = await govendor.read({ target, additional: [] }, noRegistries, options)
  return { nodes: graph.nodes.slice(1), unresolved }
}

test('a path in upper case is looked up in lower case, too, with the module of its packages', async () => {
  const { nodes } = await read({ path: 'github.com/Sirupsen/logrus/hooks', versionExact: 'v1.0.3' })
  assert.deepEqual(nodes[0]?.package, { name: 'github.com/Sirupsen/logrus', version: 'v1.0.3' })
  assert.deepEqual(nodes[0]?.advisoryNames, [
    'github.com/Sirupsen/logrus/hooks',
    'github.com/sirupsen/logrus',
    'github.com/sirupsen/logrus/hooks',
  ])
})

test('hosts that tell upper from lower case are not asked for another spelling', async () => {
  const { nodes } = await read({ path: 'k8s.io/Acme', versionExact: 'v1.0.3' })
  assert.equal(nodes[0]?.advisoryNames, undefined)
})

test('what was copied from a fork is looked up under both paths; its tag is the fork’s', async () => {
  const { nodes } = await read({ path: 'github.com/a/b', origin: 'github.com/fork/b', versionExact: 'v9.0.0' })
  assert.deepEqual(
    nodes.map(({ package: { name, version }, isVersionGuessed = false }) => [name, version, isVersionGuessed]),
    [
      ['github.com/a/b', 'v0.0.0-20170118161356-0123456789ab', true],
      ['github.com/fork/b', 'v9.0.0+incompatible', false],
    ],
  )
})

test('the tag of a repository that vendored a package is not the package’s', async () => {
  const origin = 'github.com/outer/o/vendor/github.com/a/b'
  const { nodes } = await read({ path: 'github.com/a/b', origin, versionExact: 'v9.0.0' })
  assert.deepEqual(
    nodes.map(({ package: { name }, isVersionGuessed }) => [name, isVersionGuessed]),
    [['github.com/a/b', true]],
  )
})

test('a copy of which only the fork’s tag is known is named', async () => {
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
