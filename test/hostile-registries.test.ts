import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fileLists } from '#analysis/ecosystems/file-lists.ts'
import { ecosystems } from '#analysis/ecosystems/index.ts'
import { assertRefusal } from '#test/access/refusals.ts'
import { bareProjects, registryOfEcosystem } from '#test/manifests/bare-projects.ts'
import { faultOf } from '#test/manifests/result-faults.ts'
import { filesBody } from '#test/manifests/test-bodies.ts'
import { failures, type HostileRegistry, startHostileRegistry } from '#test/registries/hostile-registry.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { sampleOf } from '#test/volume.ts'

const pom = (name: string, inside = '') =>
  `<project><groupId>g</groupId><artifactId>${name}</artifactId><version>1.0</version>${inside}</project>`
const wanting = (name: string, version = '1.0') =>
  `<dependencies><dependency><groupId>g</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency></dependencies>`
const entities = `<!DOCTYPE project [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 30 }, (_, at) => `<!ENTITY a${at} "${`&a${at === 0 ? '' : at - 1};`.repeat(10)}">`).join('')}]>`
const page = (name: string, files: readonly object[]) => JSON.stringify({ meta: { 'api-version': '1.0' }, name, files })
const npmPackage = (name: string, version: object) =>
  JSON.stringify({
    name,
    'dist-tags': { latest: '1.0.0' },
    versions: { '1.0.0': { name, version: '1.0.0', ...version } },
  })

/** False documents, each with the expected outcome of a project that requires its package. */
type Outcome = 'complete' | 'unresolved' | 'unreachable'
const lies: Readonly<Record<string, Readonly<Record<string, readonly [document: string, Outcome]>>>> = {
  npm: {
    good: [npmPackage('good', {}), 'complete'],
    'of-another': [npmPackage('good', {}), 'unreachable'],
    'no-versions': ['{"name":"no-versions","dist-tags":{"latest":"1.0.0"},"versions":{}}', 'unresolved'],
    'versions-as-list': ['{"name":"versions-as-list","versions":["1.0.0"]}', 'unresolved'],
    'tag-to-nowhere': ['{"name":"tag-to-nowhere","dist-tags":{"latest":"9.9.9"},"versions":{}}', 'unresolved'],
    'asks-for-itself': [npmPackage('asks-for-itself', { dependencies: { 'asks-for-itself': '*' } }), 'complete'],
    'asks-for-a-file': [npmPackage('asks-for-a-file', { dependencies: { x: 'file:/etc/passwd' } }), 'unresolved'],
    'asks-for-a-path': [npmPackage('asks-for-a-path', { dependencies: { '../../good': '1' } }), 'unresolved'],
    'asks-for-a-number': [npmPackage('asks-for-a-number', { dependencies: { good: 1 } }), 'unresolved'],
    'asks-for-the-stalling': [
      npmPackage('asks-for-the-stalling', { dependencies: { 'fails-broken': '1' } }),
      'unreachable',
    ],
    'with-a-prototype': ['{"name":"with-a-prototype","versions":{"__proto__":{"dependencies":{}}}}', 'unresolved'],
    constructor: [npmPackage('constructor', {}), 'complete'] as const,
  },
  gems: {
    good: ['---\n1.0 |checksum:0\n', 'complete'],
    'no-versions': ['---\n', 'unresolved'],
    'odd-lines': ['---\n\0\n1.0\n!!! bad\n-java |\n', 'complete'],
    'asks-for-itself': ['---\n1.0 asks-for-itself:>= 0|checksum:0\n', 'complete'],
    'asks-for-a-path': ['---\n1.0 ../../good:>= 0|checksum:0\n', 'unresolved'],
    'asks-for-nonsense': ['---\n1.0 good:!!|checksum:0\n', 'unresolved'],
    'asks-for-the-stalling': ['---\n1.0 fails-broken:>= 0|checksum:0\n', 'unreachable'],
    'without-a-beginning': ['1.0 |checksum:0\n', 'unreachable'],
  },
  go: {
    good: ['module example.com/good\n', 'complete'],
    'of-another': ['module example.com/good\n', 'unresolved'],
    'without-a-path': ['require example.com/good v1.0.0\n', 'unreachable'],
    'cut-in-a-block': ['module example.com/cut-in-a-block\n\nrequire (\n', 'unreachable'],
    'asks-for-itself': [
      'module example.com/asks-for-itself\n\nrequire example.com/asks-for-itself v1.0.0\n',
      'complete',
    ],
    'asks-for-the-project': ['module example.com/asks-for-the-project\n\nrequire example.com/p v9.0.0\n', 'complete'],
    'asks-for-a-path': ['module example.com/asks-for-a-path\n\nrequire ../../good v1.0.0\n', 'unresolved'],
    'asks-for-a-branch': ['module example.com/asks-for-a-branch\n\nrequire example.com/good main\n', 'unreachable'],
    'asks-for-the-stalling': [
      'module example.com/asks-for-the-stalling\n\nrequire example.com/fails-broken v1.0.0\n',
      'unreachable',
    ],
    constructor: ['module example.com/constructor\n\nrequire example.com/__proto__ v1.0.0\n', 'unresolved'] as const,
  },
  pypi: {
    'no-files': [page('no-files', []), 'unresolved'],
    'of-another': [page('good', []), 'unreachable'],
    'file-elsewhere': [
      page('file-elsewhere', [
        { filename: 'file_elsewhere-1.0-py3-none-any.whl', url: 'file:///etc/passwd', hashes: {} },
      ]),
      'unresolved',
    ],
    'file-of-another': [
      page('file-of-another', [{ filename: 'good-1.0-py3-none-any.whl', url: '../../x.whl', hashes: {} }]),
      'unresolved',
    ],
    'no-list': ['{"name":"no-list","files":{"0":{}}}', 'unreachable'],
    'links-inside': [
      '<html><body><a href="http://10.0.0.1/links_inside-1.0-py3-none-any.whl">links_inside-1.0-py3-none-any.whl</a>',
      'unreachable',
    ],
  },
  maven: {
    good: [pom('good'), 'complete'],
    'own-parent': [
      pom(
        'own-parent',
        '<parent><groupId>g</groupId><artifactId>own-parent</artifactId><version>1.0</version></parent>',
      ),
      'unresolved',
    ],
    'lost-parent': [
      pom('lost-parent', '<parent><groupId>g</groupId><artifactId>gone</artifactId><version>1</version></parent>'),
      'unresolved',
    ],
    'of-another': [pom('good', wanting('good')), 'complete'],
    'asks-for-itself': [pom('asks-for-itself', wanting('asks-for-itself')), 'complete'],
    'asks-for-the-lost': [pom('asks-for-the-lost', wanting('gone')), 'unresolved'],
    'asks-for-the-stalling': [pom('asks-for-the-stalling', wanting('fails-broken')), 'unreachable'],
    'cyclic-properties': [
      pom('cyclic-properties', `<properties><a>\${b}</a><b>\${a}</b></properties>${wanting('good', `\${a}`)}`),
      'unresolved',
    ],
    'entity-bomb': [`${entities}${pom('entity-bomb', wanting('&a29;'))}`, 'unresolved'],
    'a-reader-of-files': [
      `<!DOCTYPE project [<!ENTITY x SYSTEM "file:///etc/passwd">]>${pom('a-reader-of-files', wanting('&x;'))}`,
      'unresolved',
    ],
    'not-well-formed': [`<project><dependencies></project>`, 'unresolved'],
  },
}
const kindOf = { npm: 'npm', rubygems: 'gems', pypi: 'pypi', maven: 'maven', go: 'go' } as const

const firstOfRegistry = new Set(
  [...Map.groupBy(Object.entries(registryOfEcosystem), ([, kind]) => kind).values()].map(([first]) => first![0]),
)

/** Returns every failure for one ecosystem of each registry; the others share its client and meet a sample. */
function failuresFor(ecosystem: string): string[] {
  const all = Object.keys(failures)
  return firstOfRegistry.has(ecosystem) ? all : sampleOf(all)
}

describe('failing and false registries', () => {
  let app: TestApp
  let registry: HostileRegistry
  before(async () => {
    const documents = Object.entries(lies).map(([kind, all]) => [
      kind,
      Object.fromEntries(
        Object.entries(all).map(([name, [text]]) => [kind === 'maven' ? `${name}-1.0.pom` : name, text]),
      ),
    ])
    registry = await startHostileRegistry(Object.fromEntries(documents))
    app = await startApp('sqlite', {
      ...registry.environment,
      GATEHOUSE_TEST_WORKERS: '1',
      GATEHOUSE_TEST_SECONDS: '300',
    })
  })
  after(async () => {
    await app.close()
    await registry[Symbol.asyncDispose]()
  })

  const send = (id: string, [target, ...additional]: readonly string[], query: Record<string, string> = {}) =>
    app.call('POST', `/v1/test/${id}`, {
      body: filesBody(target!, ...additional),
      query,
    })

  for (const { id } of ecosystems) {
    const project = bareProjects[id]
    if (project === undefined) continue
    const registryKind = registryOfEcosystem[id]!
    describe(id, { concurrency: 8 }, () => {
      for (const name of failuresFor(id)) {
        test(`${id} registry, ${name}: 502; an incomplete result if partial results are accepted`, async () => {
          assertRefusal(await send(id, project(`fails-${name}`)), { status: 502, code: 'registry-unreachable' })
          const partial = await send(id, project(`fails-${name}`), { acceptPartial: 'true' })
          assert.equal(partial.statusCode, 200, partial.body)
          assert.equal(faultOf(partial, 'partial'), undefined)
          assert.equal(partial.json().coverage.complete, false)
          assert.ok(partial.json().coverage.dependencies.unresolved > 0)
        })
      }

      test('a package missing in the registry is reported', async () => {
        const answer = await send(id, project('gone'))
        assert.equal(answer.statusCode, 200, answer.body)
        assert.equal(faultOf(answer), undefined)
        assert.equal(answer.json().ok, false, answer.body)
      })

      for (const [name, [, outcome]] of Object.entries(lies[kindOf[registryKind]]!)) {
        test(`${id} registry, ${name}: ${outcome}`, async () => {
          const answer = await send(id, project(name))
          if (outcome === 'unreachable') {
            return assertRefusal(answer, { status: 502, code: 'registry-unreachable' })
          }
          assert.equal(answer.statusCode, 200, answer.body)
          assert.equal(faultOf(answer), undefined)
          assert.equal(answer.json().coverage.complete, outcome === 'complete', answer.body.slice(0, 1_500))
        })
      }
    })
  }

  test('every ecosystem that uses a registry has cases', () => {
    // Ecosystems that declare their files as data read lockfiles only.
    const resolving = ecosystems.filter(({ id }) => fileLists.every(({ ecosystem }) => ecosystem !== id))
    const missing = resolving.filter(({ id }) => bareProjects[id] === undefined)
    assert.deepEqual(
      missing.map(({ id }) => id),
      ['govendor', 'poetry', 'uv', 'sbom'],
    )
  })

  test('the server logged no internal error', () => {
    assert.ok(!/"level":(50|60)/.test(app.log()), 'the server logged a failure of its own')
  })
})

describe('an unresponsive registry', () => {
  test('an unresponsive registry does not hold a test beyond its limit or delay others', {
    timeout: 300_000,
  }, async () => {
    const registry = await startHostileRegistry({ npm: { good: lies['npm']!['good']![0] } })
    const app = await startApp('sqlite', {
      ...registry.environment,
      GATEHOUSE_TEST_WORKERS: '1',
      GATEHOUSE_TEST_SECONDS: '8',
    })
    const send = (id: string, name: string) =>
      app.call('POST', `/v1/test/${id}`, { body: { files: { target: { contents: bareProjects[id]!(name)[0] } } } })
    const stalled = ecosystems.filter(({ id }) => bareProjects[id] !== undefined).map(({ id }) => send(id, 'stalls'))
    const other = await send('npm', 'good')
    assert.equal(other.json().ok, true, other.body)
    for (const answer of await Promise.all(stalled)) {
      assert.ok([502, 422, 504].includes(answer.statusCode), answer.body)
      assert.notEqual(answer.json().errorCode, 'internal')
    }
    assert.equal((await send('npm', 'good')).json().ok, true)
    await app.close()
    await registry[Symbol.asyncDispose]()
  })
})
