import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { pep440Versions } from '#analysis/versions/pep440.ts'
import { pythonWorlds } from '#test/manifests/random-python-project.ts'
import { type PyPiContent, pypiReaderOf } from '#test/registries/pypi-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { volume } from '#test/volume.ts'
import { pip } from './index.ts'

const options = { includeDev: true, repositories: [], limits: { maxNodes: 2_000 } }
const long = 'x'.repeat(10_000_000)

function read(content: PyPiContent, target: string, ...additional: string[]) {
  return pip.read({ target, additional }, registriesOf({ pypi: pypiReaderOf(content) }), options)
}

function readAlone(target: string, ...additional: string[]) {
  return read({ a: { '1.0': {} } }, target, ...additional)
}

describe('refused requirements files', () => {
  const cases: [why: string, target: string, line: number | undefined, message: RegExp][] = [
    ['an empty file', '', 1, /is empty, so it is not a list of requirements/],
    ['a page', '<html>\n<body>', undefined, /This is an HTML page, not a list of requirements/],
    ['a lock of another tool', '\n{\n"dependencies": [', 2, /not a list of requirements/],
    ['a pyproject.toml', '[project]\nname = "a"\n', undefined, /This is a pyproject\.toml, not a list of requirements/],
    ['binary data', '\0\0\0', 1, /not a list of requirements/],
    ['more lines than the limit', 'a\n'.repeat(2_001), undefined, /more than 2000 lines/],
  ]
  for (const [why, target, line, message] of cases) {
    test(`requirements.txt is refused: ${why}`, async () => {
      await assert.rejects(readAlone(target), (error) => {
        assert.ok(error instanceof Unreadable, String(error))
        assert.match(error.message, message)
        assert.deepEqual([error.file, error.line], ['target', line])
        return true
      })
    })
  }
})

describe('large and odd requirements files', () => {
  const cases: [why: string, files: string[], packages: number, named: number][] = [
    ['only comments', ['# a\n\n  # b'], 0, 0],
    ['a byte order mark and carriage returns', ['\uFEFFa\r\n\r\n'], 1, 0],
    ['every end of a line that Python knows', ['a\v#\f#\x1c#\x1d#\x1e#\x85#\u2028#\u2029#\r'], 1, 0],
    ['a comment of ten million characters', [`a # ${long}`], 1, 0],
    ['ten million blanks', [`a${' '.repeat(10_000_000)}\n`], 1, 0],
    ['a name of ten million characters', [`a\n${long}\n`], 1, 1],
    ['a range of ten million characters', [`a\na==${long}\n`], 1, 1],
    ['a million commas', [`a\nb>=1${','.repeat(1_000_000)}\n`], 1, 1],
    ['a million backslashes', [`a\n${'\\\n'.repeat(1_000_000)}`], 1, 0],
    ['a million hyphens', [`a\n${'-'.repeat(1_000_000)}\n`], 1, 1],
    ['a million words of options', [`a\na ${'--hash=x '.repeat(200_000)}\n`], 1, 0],
    ['a quote without end', [`a\n-r "${long}\n`], 1, 1],
    ['brackets a hundred deep', [`a; ${'('.repeat(100)}os_name == "posix"${')'.repeat(100)}`], 1, 0],
    ['brackets without end', [`a\nb; ${'('.repeat(5_000)}os_name == "posix"${')'.repeat(5_000)}`], 1, 1],
    ['a marker of a thousand conditions', [`a; ${Array(600).fill('os_name == "posix"').join(' and ')}`], 1, 0],
    ['a file that includes itself', ['-r b.txt\n', 'a\n-r b.txt\n-r ./x/../b.txt\n'], 1, 2],
    ['files that include each other', ['-r b.txt\n', 'a\n-r c.txt\n', '-r b.txt\n'], 1, 1],
    ['a file above the project', ['a\n-r ../../../etc/passwd\n-r /etc/passwd\n-c ~/x\n-r file:///etc/passwd'], 1, 4],
    ['prototype keys', ['a\n__proto__\nconstructor==1\n-r __proto__\n-r constructor\n'], 2, 4],
  ]
  for (const [why, files, packages, problemCount] of cases) {
    test(`requirements.txt is read, its rest reported: ${why}`, async () => {
      const [target, ...additional] = files
      const { graph, unresolved } = await readAlone(target!, ...additional)
      assert.equal(graph.nodes.length - 1, packages)
      assert.equal(unresolved.length, problemCount, JSON.stringify(unresolved).slice(0, 500))
    })
  }

  test('requirements.txt: a chain of a thousand included files is read', async () => {
    const files = Array.from({ length: 1_000 }, (_, at) => (at === 999 ? 'a\n' : `-r f${at + 1}.txt\n`))
    const { graph, unresolved } = await readAlone(files[0]!, ...files.slice(1))
    assert.deepEqual([graph.nodes.length - 1, unresolved], [1, []])
  })

  test('requirements.txt: a file included hundreds of times is read once', async () => {
    const many = Array.from({ length: 600 }, () => '-r all.txt').join('\n')
    assert.equal((await readAlone(many, `${many.replaceAll('all', 'b')}\na\n`, 'a\n')).graph.nodes.length - 1, 1)
  })

  test('requirements.txt: reported lines contain no secrets and are cut', async () => {
    const target = `a\n--index-url https://user:hunter2@registry.example/?token=hunter2\nb @ https://user:hunter2@registry.example/b.zip?token=hunter2\n-e git+https://hunter2@registry.example/c#egg=c\n-r https://user:hunter2@registry.example/r.txt\n!! https://user:hunter2@registry.example\nhttps://registry.example/${long}\n`
    const { unresolved } = await readAlone(target)
    const text = JSON.stringify(unresolved)
    assert.equal(unresolved.length, 6)
    assert.ok(!text.includes('hunter2'), text.slice(0, 2_000))
    assert.ok(text.length < 5_000)
  })
})

describe('registries that cause work', () => {
  test('pip resolution: versions that all conflict with each other terminate and are reported', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `p${at}`)
    const content = Object.fromEntries(
      names.map((name, at) => [
        name,
        Object.fromEntries(
          Array.from({ length: 12 }, (_, version) => [
            `${version}.0`,
            { requires: names.slice(at + 1).map((other) => `${other}==${(version * 7 + at) % 12}.0`) },
          ]),
        ),
      ]),
    )
    const { unresolved } = await read(content, names.join('\n'))
    assert.ok(unresolved.length > 0)
  })

  test('pip resolution: more conflicts than the limit: every pin is kept and the limit reported', async () => {
    const pairs = Array.from({ length: 160 }, (_, at) => [`a${at}`, `b${at}`, `shared${at}`] as const)
    const content = Object.fromEntries(
      pairs.flatMap(([a, b, shared]) => [
        [a, { '1.0': { requires: [`${shared}==1.0`] } }],
        [b, { '1.0': { requires: [`${shared}==2.0`] } }],
        [shared, { '1.0': {}, '2.0': {} }],
      ]),
    )
    const { graph, unresolved } = await read(content, pairs.map(([a, b]) => `${a}==1.0\n${b}==1.0\n`).join(''))
    const names = new Set(graph.nodes.map(({ package: { name } }) => name))
    assert.ok(pairs.every(([a, b, shared]) => names.has(a) && names.has(b) && names.has(shared)))
    assert.ok(unresolved.some(({ code }) => code === 'bound-met'))
  })

  test('pip resolution: an endless chain of projects ends at the limit, which is reported', async () => {
    const requests = new Set<string>()
    const reader = pypiReaderOf({})
    const { unresolved, graph } = await pip.read(
      { target: 'p0\n', additional: [] },
      registriesOf({
        pypi: {
          ...reader,
          project: async (name) => {
            requests.add(name)
            return {
              files: [{ filename: `${name}-1.0-py3-none-any.whl`, version: '1.0', yanked: false, hasMetadata: true }],
            }
          },
          metadata: async ({ project }) => ({
            requiresDist: [`p${Number(project.slice(1)) + 1}`, `q${project.slice(1)}`],
            provides: [],
          }),
        },
      }),
      options,
    )
    assert.ok(requests.size < 6_000)
    assert.ok(unresolved.some(({ code }) => code === 'bound-met'))
    assert.ok(graph.nodes.length > 100)
  })

  test('pip resolution: a project that requires itself with every extra terminates', async () => {
    const extras = Array.from({ length: 8 }, (_, at) => `e${at}`)
    const requires = extras.map((extra, at) => `a[${extras.slice(at + 1).join(',')}]; extra == '${extra}'`)
    const { graph, unresolved } = await read({ a: { '1.0': { requires, extras } } }, `a[${extras.join()}]\n`)
    assert.deepEqual([graph.nodes.length - 1, unresolved], [1, []])
  })

  test('pip resolution: a thousand versions with invalid metadata are skipped for a valid one', async () => {
    const bad = Array.from({ length: 1_000 }, (_, at) => [`2.${at}`, { requires: ['b >= 1.*'] }])
    const { graph, unresolved } = await read({ a: { '1.0': {}, ...Object.fromEntries(bad) } }, 'a\n')
    assert.deepEqual(graph.nodes[1]?.package, { name: 'a', version: '1.0' })
    assert.deepEqual(unresolved, [])
  })
})

test('requirements.txt: random changes give a result or a refusal and lose no intact package', async () => {
  const lines = [
    'a>=1,<2',
    'b[x, y] ; python_version > "3"',
    '-c limits.txt',
    '--pre',
    'c @ https://registry.example/c-1.0.zip',
    '-e .',
    'd==1.0 \\',
    '  --hash=sha256:00  # why',
    '-r more.txt',
  ]
  const piece = fc.constantFrom(
    '',
    '"',
    "'",
    '\\',
    '\n',
    ' ',
    ';',
    '[',
    '(',
    '#',
    '-',
    '--',
    '@',
    '$',
    '{X}',
    '\0',
    '\ud800',
    '=',
    ',',
    '-r ',
    '-c ',
  )
  const change = fc.record({ at: fc.nat(250), length: fc.nat(6), piece })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const changed = changes.reduce(
        (text, { at, length, piece }) => text.slice(0, at) + piece + text.slice(at + length),
        lines.join('\n'),
      )
      try {
        const { graph } = await read({ whole: { '1.0': {} } }, `${changed}\n#\nwhole\n`, 'e\n', 'f<2\n')
        assert.ok(
          graph.nodes.some((node) => node.package.name === 'whole'),
          'independent packages are found',
        )
      } catch (error) {
        assert.ok(error instanceof Unreadable, `${String(error)}: ${JSON.stringify(changed)}`)
      }
    }),
    { numRuns: volume(1_000) },
  )
})

test('pip resolution: random indexes give a consistent, reachable and repeatable result, or a report', async () => {
  await fc.assert(
    fc.asyncProperty(pythonWorlds, async ({ content, requirements, constraints }) => {
      const target = `${requirements}-c limits.txt\n`
      const limits = constraints || '# none\n'
      const reading = await read(content, target, limits)
      const { graph, unresolved } = reading
      if (unresolved.length === 0) {
        for (const { edges } of graph.nodes) {
          for (const { to, range } of edges) {
            const { version } = graph.nodes[to]!.package
            const isMet =
              pep440Versions.satisfies(version, range) || pep440Versions.satisfies(version, `${range},>=0.dev0`)
            assert.ok(isMet, `${version} for ${range}`)
          }
        }
      }
      const reached = new Set([0])
      for (const from of reached) for (const { to } of graph.nodes[from]!.edges) reached.add(to)
      assert.equal(reached.size, graph.nodes.length)
      assert.equal(new Set(graph.nodes.map((node) => node.package.name)).size, graph.nodes.length)
      assert.deepEqual(await read(content, target, limits), reading)
    }),
    { numRuns: volume(150) },
  )
})
