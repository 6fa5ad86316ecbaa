import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import { pipenv } from './index.ts'

const options = { includeDev: true, repositories: [], limits: { maxNodes: 100 } }

const pipfile = `[[source]]
url = "https://registry.example/simple"
verify_ssl = true
name = "internal"

[packages]
Web_Server = "*"
"log.writer" = {version = "*", extras = ["color"]}

[docs]
Manual = "*"

[requires]
python_version = "3.12"
`

const lockWith = (hash: object) =>
  JSON.stringify({
    _meta: { hash, 'pipfile-spec': 6, requires: { python_version: '3.12' }, sources: [] },
    default: { 'web-server': { version: '==1.0' }, 'log-writer': { version: '==2.0' } },
    docs: { manual: { version: '==3.0' } },
  })

async function read(lock: string) {
  const { graph, unresolved } = await pipenv.read({ target: lock, additional: [pipfile] }, noRegistries, options)
  return { count: graph.nodes.length - 1, open: unresolved.map(({ name, code }) => `${name} ${code}`) }
}

describe('hash of a Pipfile in Pipfile.lock', () => {
  const written: readonly [since: string, hash: object, open: readonly string[]][] = [
    [
      'names as written (Pipenv before 2026)',
      { sha256: '92f7fbbc77acfebd35d58572b63e5c8e66760e0cde8942b5a82cff1925f5c085' },
      [],
    ],
    [
      'normalized names (Pipenv 2026)',
      { sha256: '310f2fa88d399834b644592df9f58f118cfecc5278d9ade30e1c13a230ca4a8a' },
      [],
    ],
    ['another Pipfile', { sha256: '0'.repeat(64) }, ['Pipfile.lock not-in-lockfile']],
    ['no hash', {}, ['Pipfile.lock not-in-lockfile']],
  ]
  for (const [what, hash, open] of written) {
    test(`Pipfile.lock, hash of ${what}: ${open.length === 0 ? 'fits' : 'reported'}`, async () => {
      assert.deepEqual(await read(lockWith(hash)), { count: 3, open })
    })
  }
})

test('Pipfile.lock: an entry without a version gets it from the name of its archive', async () => {
  const archive = (file: string) => ({ file: `https://files.example/${file}` })
  const lock = {
    _meta: { 'pipfile-spec': 6 },
    default: { wheel: archive('wheel-1.2-py3-none-any.whl#sha256=00'), other: archive('unnamed.zip') },
  }
  const { graph, unresolved } = await pipenv.read(
    { target: JSON.stringify(lock), additional: [] },
    noRegistries,
    options,
  )
  assert.deepEqual(
    graph.nodes.slice(1).map(({ package: entry }) => entry),
    [{ name: 'wheel', version: '1.2' }],
  )
  assert.deepEqual(
    unresolved.map(({ name, range, code }) => `${name} ${range} ${code}`),
    ['wheel 1.2 not-from-registry', 'other  not-from-registry'],
  )
})

describe('sections of a Pipfile.lock, which are resolutions of their own', () => {
  const sections = '[packages]\nrequests = "*"\n[dev-packages]\nrequests = ">=2.32"\n'
  const lock = JSON.stringify({
    _meta: { 'pipfile-spec': 6 },
    default: { requests: { version: '==2.19.0' } },
    develop: { requests: { version: '==2.32.3' } },
  })
  for (const [includeDev, versions] of [
    [false, ['2.19.0']],
    [true, ['2.19.0', '2.32.3']],
  ] as const) {
    test(`package in two sections, ${includeDev ? 'with' : 'without'} development: ${versions.join(' and ')} tested`, async () => {
      const manifest = { target: lock, additional: [sections] }
      const { graph } = await pipenv.read(manifest, noRegistries, { ...options, includeDev })
      assert.deepEqual(
        graph.nodes
          .slice(1)
          .map((node) => node.package.version)
          .sort(),
        versions,
      )
    })
  }
})
