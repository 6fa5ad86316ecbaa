import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { assertRefusal } from '#test/access/refusals.ts'
import { hostileJson } from '#test/documents/hostile-values.ts'
import { mutated } from '#test/documents/schema-samples.ts'
import { faultOf } from '#test/manifests/result-faults.ts'
import { filesBody } from '#test/manifests/test-bodies.ts'
import { startNpmRegistry } from '#test/registries/npm-registry.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { volume } from '#test/volume.ts'

const SEED = 20250118
const FILE_SETS = volume(1_200)
const BODY_LIMIT_BYTES = 25 * 1024 * 1024
const PACKAGES = 50_000

const fixtures = path.join(import.meta.dirname, '../src/analysis/ecosystems/javascript/npm/fixtures')

describe('hostile npm projects', () => {
  let app: TestApp
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>
  before(async () => {
    registry = await startNpmRegistry({ a: { '1.0.0': { dependencies: { b: '*' } } }, b: { '1.0.0': {} } })
    app = await startApp('sqlite', {
      GATEHOUSE_NPM_REGISTRY: registry.url,
      GATEHOUSE_TEST_WORKERS: '2',
      GATEHOUSE_BODY_LIMIT_BYTES: String(BODY_LIMIT_BYTES),
    })
  })
  after(async () => {
    await app.close()
    await registry.close()
  })

  const send = (body: string) => app.call('POST', '/v1/test/npm', { body })
  const sendFiles = (...files: string[]) => send(bodyOf(files))

  test('randomly changed npm files: a refusal or a result that states its coverage', async () => {
    const sent = fc.sample(changedFiles(), { seed: SEED, numRuns: FILE_SETS })
    const statuses = new Map<number, number>()
    const complaints: string[] = []
    const queue = sent.values()
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        for (const files of queue) {
          const answer = await sendFiles(...files)
          statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1)
          const fault = faultOf(answer)
          if (fault !== undefined) complaints.push(`${fault}\n    ${files.join('\n    ').slice(0, 800)}`)
        }
      }),
    )
    assert.deepEqual(complaints.slice(0, 10), [], `${complaints.length} of ${sent.length}`)
    assert.ok((statuses.get(200) ?? 0) > FILE_SETS / 5, 'enough are still read')
    assert.ok((statuses.get(400) ?? 0) > FILE_SETS / 5, 'enough are refused')
  })

  describe('npm projects at the limits', () => {
    const projectOf = (spaces: number) =>
      bodyOf([`{"name":"p","version":"1.0.0"${' '.repeat(spaces)}}`, '{"lockfileVersion":3,"packages":{}}'])
    const spacesAtLimit = BODY_LIMIT_BYTES - projectOf(0).length

    test('a body of exactly the limit is read; one more byte: 413', async () => {
      assert.equal((await send(projectOf(spacesAtLimit))).statusCode, 200)
      assertRefusal(await send(projectOf(spacesAtLimit + 1)), { status: 413, code: 'too-large' })
    })

    test('the maximum number of packages is tested; one more is refused', async () => {
      const most = await sendFiles(...chain(PACKAGES))
      assert.equal(most.statusCode, 200, most.body)
      assert.equal(most.json().dependencyCount, PACKAGES)
      assert.equal(faultOf(most), undefined)
      assertRefusal(await sendFiles(...chain(PACKAGES + 1)), { status: 400, code: 'manifest-unreadable' })
    })
  })

  const locked = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages })
  const odd: [what: string, files: string[], status: number, unresolved?: number][] = [
    [
      'links in a circle',
      [
        '{"dependencies":{"a":"file:a"}}',
        locked({
          'node_modules/a': { link: true, resolved: 'node_modules/b' },
          'node_modules/b': { link: true, resolved: 'node_modules/a' },
        }),
      ],
      200,
      1,
    ],
    [
      'packages named as what every object has',
      [
        '{"dependencies":{"__proto__":"1","constructor":"1","toString":"1"}}',
        '{"lockfileVersion":3,"packages":{"node_modules/__proto__":{"version":"1.0.0","dependencies":{"hasOwnProperty":"*"}},' +
          '"node_modules/constructor":{"version":"1.0.0"},"__proto__":{"version":"9.9.9"}}}',
      ],
      200,
      2,
    ],
    [
      'members that would change every object',
      [
        '{"name":"p","version":"1.0.0","__proto__":{"dependencies":{"a":"1"}},"constructor":{"prototype":{"x":1}}}',
        '{"lockfileVersion":3,"packages":{}}',
      ],
      200,
      0,
    ],
    ['a target that nests 100,000 deep', [`{"dependencies":${nest(100_000)}}`], 400],
    ['an ignored member that nests 100,000 deep', [`{"name":"p","config":${nest(100_000)}}`], 200, 0],
    ['a lockfile that nests 100,000 deep', ['{"name":"p"}', nestedLock(100_000)], 400],
    ['a version that nests 100,000 deep', ['{"name":"p"}', lockWith(`{"version":${nest(100_000)}}`)], 200],
    ['a lockfile of nothing but brackets', ['{"name":"p"}', '['.repeat(12_000_000)], 400],
    ['halves of characters', ['{"name":"\\ud800","dependencies":{"\\udfff":"\\ud800"}}'], 200, 1],
    ['a NUL in a name', ['{"dependencies":{"a\\u0000b":"1"}}'], 200, 1],
    ['a path for a name', ['{"dependencies":{"../../a":"1","..%2f..%2fa":"1","http://127.0.0.1/":"1"}}'], 200, 3],
    ['a thousand files', Array.from({ length: 1001 }, () => '{"name":"p"}'), 200],
    ['a thousand and one files', Array.from({ length: 1002 }, () => '{"name":"p"}'), 400],
  ]
  for (const [what, files, status, unresolved] of odd) {
    test(`npm project with ${what}: ${status}`, async () => {
      const answer = await sendFiles(...files)
      assert.equal(answer.statusCode, status, answer.body.slice(0, 500))
      assert.equal(faultOf(answer), undefined)
      if (unresolved !== undefined)
        assert.equal(answer.json().coverage.dependencies.unresolved, unresolved, answer.body)
    })
  }

  test('the server still tests after all hostile npm projects, without internal errors in its log', async () => {
    const answer = await sendFiles('{"dependencies":{"a":"*"}}')
    assert.equal(answer.json().dependencyCount, 2, answer.body)
    assert.ok(!/"level":(50|60)/.test(app.log()), 'the server logged a failure of its own')
  })
})

/** Files of the golden cases, one or several of them changed in up to three places. */
function changedFiles(): fc.Arbitrary<string[]> {
  const cases = readdirSync(fixtures).map((name) => {
    const folder = path.join(fixtures, name)
    const files = readdirSync(folder).filter((file) => !['expected.json', 'registry.json'].includes(file))
    files.sort((a, b) => Number(b === 'package.json') - Number(a === 'package.json'))
    return files.map((file) => readFileSync(path.join(folder, file), 'utf8'))
  })
  const small = fc.constantFrom('null', '0', '""', '"1.0.0"', '"*"', '"file:a"', '[]', '{}', 'true', '"node_modules/a"')
  const changes: ((text: fc.Arbitrary<string>) => fc.Arbitrary<string>)[] = [
    (text) => text,
    (text) => mutated(text, small),
    (text) => mutated(mutated(text, small), small),
    (text) => mutated(mutated(text, small), hostileJson),
    (text) => mutated(text, hostileJson),
  ]
  return fc
    .constantFrom(...cases)
    .chain((files) =>
      fc.tuple(...files.map((text) => fc.constantFrom(...changes).chain((change) => change(fc.constant(text))))),
    )
}

function bodyOf([target = '', ...additional]: string[]): string {
  return JSON.stringify(filesBody(target, ...additional))
}

function nest(depth: number): string {
  return '{"a":'.repeat(depth) + '1'.padEnd(depth + 1, '}')
}

function nestedLock(depth: number): string {
  const [open, close] = ['"dependencies":{"a":{"version":"1.0.0",', '}}']
  return `{"lockfileVersion":1,${open.repeat(depth)}"x":1${close.repeat(depth)}}`
}

function lockWith(entry: string): string {
  return `{"lockfileVersion":3,"packages":{"node_modules/a":${entry}}}`
}

/** A locked project of `count` packages, each of which requires the next. */
function chain(count: number): string[] {
  const names = Array.from({ length: count }, (_, index) => `p${index}`)
  const packages = Object.fromEntries(
    names.map((name, index) => [
      `node_modules/${name}`,
      { version: '1.0.0', dependencies: { [`p${(index + 1) % count}`]: '*' } },
    ]),
  )
  return ['{"dependencies":{"p0":"*"}}', JSON.stringify({ lockfileVersion: 3, packages })]
}
