import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { type Reading, RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { MavenReader } from '#analysis/registries/maven.ts'
import { anyText } from '#test/documents/any-text.ts'
import { type MavenContent, mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { volume } from '#test/volume.ts'
import { sbt } from './index.ts'
import { parseScala } from './scala/parser.ts'

const library = { 'org.scala-lang:scala-library:2.13.12': {} }
const options = { includeDev: true, repositories: [], limits: { maxNodes: 200 } }
const build = (...statements: string[]) => ['scalaVersion := "2.13.12"', ...statements, ''].join('\n')

function read(target: string, content: MavenContent | MavenReader = {}, ...additional: string[]): Promise<Reading> {
  const isReader = typeof content['pom'] === 'function'
  const reader = isReader ? (content as MavenReader) : mavenReaderOf({ ...library, ...(content as MavenContent) })
  return sbt.read({ target, additional }, registriesOf({ maven: reader }), options)
}

const packagesOf = ({ graph }: Reading) =>
  graph.nodes
    .slice(1)
    .map(({ package: { name, version } }) => `${name}@${version}`)
    .filter((label) => !label.startsWith('org.scala-lang'))
const codesOf = ({ unresolved }: Reading) => unresolved.map(({ name, code }) => `${name} ${code}`)

describe('refused sbt files', () => {
  const fine = build()
  const cases: [
    why: string,
    files: [string, ...string[]],
    message: RegExp,
    file: 'target' | number,
    line: number | undefined,
  ][] = [
    ['empty', [''], /not a build definition/, 'target', 1],
    ['nothing but comments', ['// nothing\n/* at /* all */ */'], /not a build definition/, 'target', 1],
    ['an unterminated string', [build('name := "x')], /Unterminated string$/, 'target', 2],
    [
      'an unterminated string in three quotes',
      [build('name := """x')],
      /Unterminated string in three quotes/,
      'target',
      2,
    ],
    ['an unterminated comment', [build('/* /* */')], /Unterminated comment/, 'target', 2],
    [
      'an unterminated interpolation',
      [build('name := s"${x')],
      /Unterminated \$\{…\} in an interpolated string/,
      'target',
      2,
    ],
    ['an unclosed bracket', [build('libraryDependencies ++= Seq(')], /Unclosed \(/, 'target', 2],
    ['brackets that cross', [build('a := (b]')], /Unmatched \]; expected \)/, 'target', 2],
    ['an unclosed XML element', [build('pomExtra := <a><b></b>')], /Unterminated XML element/, 'target', 2],
    ['a truncated additional file', [fine, 'object A {'], /Unclosed \{/, 0, 1],
    ['a line of 10 MB', [build('x '.repeat(5_000_000))], /limit of 200000 tokens/, 'target', undefined],
  ]
  for (const [why, [target, ...additional], message, file, line] of cases) {
    test(`sbt file is refused: ${why}`, async () => {
      await assert.rejects(read(target, {}, ...additional), (error) => {
        assert.ok(error instanceof Unreadable, String(error))
        assert.match(error.message, message)
        assert.deepEqual([error.file, error.line], [file, line])
        return true
      })
    })
  }
})

test('build.sbt: an empty one is read where its path is known, as sbt does', async () => {
  for (const target of ['', '// nothing yet\n']) {
    const places = { target: 'build.sbt', additional: ['dependencies.sbt'] }
    const additional = ['libraryDependencies += "g" % "a" % "1"\n']
    const registries = registriesOf({ maven: mavenReaderOf({ ...library, 'g:a:1': {} }) })
    assert.deepEqual(packagesOf(await sbt.read({ target, additional, places }, registries, options)), ['g:a@1'])
  }
})

test('build.sbt: an interpolation over several lines is read, and lines after it are counted', async () => {
  const target = build('val v = s"${', '  "1"', '}"', 'libraryDependencies += "g" % "a" % v', 'name := s"${x')
  await assert.rejects(read(target), (error) => error instanceof Unreadable && error.line === 6)
  const fine = target.slice(0, target.indexOf('name :='))
  assert.deepEqual(packagesOf(await read(fine, { 'g:a:1': {} })), ['g:a@1'])
})

test('build.sbt: an expression over thousands of lines is parsed once', () => {
  const statements = parseScala(`${'a ++\n'.repeat(5_000)}Nil\nb`, 'target')
  assert.deepEqual(
    statements.map((statement) => (statement.kind === 'expression' ? statement.value.kind : statement.kind)),
    ['unread', 'unread', 'unread', 'unread', 'infix', 'name'],
  )
})

describe('odd sbt files', () => {
  const good = { 'g:good:1': {} }
  const cases: [why: string, target: string, packages: string[], codes: string[]][] = [
    [
      'the value of a setting where settings are expected',
      build('version.value', 'libraryDependencies += "g" % "good" % "1"'),
      ['g:good@1'],
      ['settings not-static'],
    ],
    [
      'expressions that are nested deeply',
      build(
        `libraryDependencies += ${'('.repeat(5_000)}"g" % "a" % "1"${')'.repeat(5_000)}`,
        'libraryDependencies += "g" % "good" % "1"',
      ),
      ['g:good@1'],
      ['libraryDependencies not-static'],
    ],
    [
      'operators without end',
      build(`libraryDependencies ++= Nil${' ++ Nil'.repeat(5_000)}`, 'libraryDependencies += "g" % "good" % "1"'),
      ['g:good@1'],
      ['settings not-static'],
    ],
    [
      'placeholders without end',
      build(`name := f(${'_, '.repeat(60_000)}_)`, 'libraryDependencies += "g" % "good" % "1"'),
      ['g:good@1'],
      ['settings not-static'],
    ],
    [
      'values in a circle',
      build('val a = b', 'lazy val b = a', 'libraryDependencies ++= Seq("g" % "open" % a, "g" % "good" % "1")'),
      ['g:good@1'],
      ['g:open not-static'],
    ],
    [
      'an object that imports itself',
      build(
        'object O {',
        '  import O._',
        '  val v = "1"',
        '}',
        'libraryDependencies += "g" % "good" % O.v',
        'name := O.missing',
      ),
      ['g:good@1'],
      [],
    ],
    [
      'settings in a circle',
      build(
        'version := name.value',
        'name := version.value',
        'libraryDependencies ++= Seq("g" % "open" % version.value, "g" % "good" % "1")',
      ),
      ['g:good@1'],
      ['g:open not-static'],
    ],
    [
      'a function that calls itself',
      build('def f(n: Int): String = f(n + 1)', 'libraryDependencies ++= Seq("g" % "open" % f(1), "g" % "good" % "1")'),
      ['g:good@1'],
      ['g:open not-static'],
    ],
    [
      'lists that double',
      build(
        'val l0 = Seq("g" % "good" % "1")',
        ...Array.from({ length: 60 }, (_, at) => `val l${at + 1} = l${at} ++ l${at}`),
        'libraryDependencies ++= l60',
        'libraryDependencies += "g" % "good" % "1"',
      ),
      ['g:good@1'],
      ['libraryDependencies not-static'],
    ],
    [
      'names of object members',
      build(
        'libraryDependencies ++= Seq("g" % "good" % "1".constructor, "__proto__" % "toString" % "1", "g" % "good" % constructor)',
      ),
      ['__proto__:toString@1'],
      ['__proto__:toString not-in-registry', 'g:good not-static'],
    ],
    [
      'a path for a name',
      build('libraryDependencies ++= Seq("../.." % "etc" % "passwd", "g" % "good" % "1")'),
      ['../..:etc@passwd', 'g:good@1'],
      ['../..:etc not-in-registry'],
    ],
    [
      'projects that depend on each other',
      build(
        'lazy val a: Project = project.dependsOn(LocalProject("b")).settings(scalaVersion := "2.13.12")',
        'lazy val b = project.dependsOn(LocalProject("a")).settings(scalaVersion := "2.13.12", libraryDependencies += "g" % "good" % "1")',
      ),
      ['g:good@1'],
      [],
    ],
  ]
  const growing: [how: string, next: (value: string) => string][] = [
    ['an operator', (value) => `${value} + ${value}`],
    ['an interpolation', (value) => `s"$${value}$${value}$${value}"`],
    ['a method', (value) => `${value}.concat(${value})`],
    ['a replacement', (value) => `${value}.replace("x", ${value})`],
    ['a list', (value) => `Seq(${value}, ${value}).mkString(${value})`],
    ['a path', (value) => `${value} / ${value}`],
  ]
  for (const [how, next] of growing) {
    const levels = Array.from({ length: 39 }, (_, at) => `val v${at + 1} = ${next(`v${at}`)}`)
    const dependencies = 'libraryDependencies ++= Seq("g" % "open" % v39, "g" % "good" % "1")'
    cases.push([
      `a text that grows by ${how}`,
      build('val v0 = "xxxx"', ...levels, dependencies),
      ['g:good@1'],
      ['g:open not-static'],
    ])
  }
  for (const [why, target, packages, codes] of cases) {
    test(`build.sbt is read, its unknown parts reported: ${why}`, async () => {
      const reading = await read(target, good)
      assert.deepEqual(packagesOf(reading), packages)
      assert.deepEqual([...new Set(codesOf(reading))].sort(), codes)
    })
  }
})

describe('false or broken repositories', () => {
  const asking = build('libraryDependencies += "g" % "a" % "1"')
  const cases: [why: string, content: MavenContent | MavenReader, codes: RegExp][] = [
    ['a page instead of a POM', { 'g:a:1': '<html><body>x</body></html>' }, /^g:a not-in-registry$/],
    ['no answer', { 'g:a:1': 'unreachable' }, /^g:a registry-unreachable$/],
    ['a parent that is its own parent', { 'g:a:1': { parent: 'g:a:1' } }, /^g:a not-static$/],
    ['a package that requires itself', { 'g:a:1': { dependencies: ['g:a:1'] } }, /^$/],
    ['a package relocated to itself', { 'g:a:1': { relocation: 'g:a:1' } }, /^$/],
    ['packages relocated in a cycle', { 'g:a:1': { relocation: 'g:b:1' }, 'g:b:1': { relocation: 'g:a:1' } }, /^$/],
    ['a version that is an expression', { 'g:a:1': { dependencies: ['g:b:${x}'] } }, /^g:b not-static$/],
    ['a version that is missing', { 'g:a:1': { dependencies: ['g:b'] } }, /^g:b no-matching-version$/],
    [
      'packages without end',
      {
        pom: async ({ group, artifact, version }) => ({
          repository: 'https://registry.example',
          text: `<project><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version><dependencies><dependency><groupId>g</groupId><artifactId>${artifact}x</artifactId><version>1</version></dependency></dependencies></project>`,
        }),
        versions: async () => undefined,
      },
      /^build\.sbt bound-met$/,
    ],
    [
      'nothing but failures',
      {
        pom: () => Promise.reject(new RegistryUnreachable('429')),
        versions: () => Promise.reject(new RegistryUnreachable('429')),
      },
      /registry-unreachable/,
    ],
  ]
  for (const [why, content, codes] of cases) {
    test(`sbt with a repository with ${why}: reported or harmless`, async () => {
      const reading = await read(asking, content)
      assert.match(codesOf(reading).join('\n'), codes)
      assert.ok(reading.graph.nodes.length <= 201)
    })
  }
})

describe('random sbt builds', () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const repository = fc.array(
    fc.record({
      name: fc.constantFrom(...names),
      version: fc.constantFrom('1', '2', '3'),
      dependencies: fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom('1', '2', '3')), { maxLength: 3 }),
    }),
    { maxLength: 15 },
  )
  const direct = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), fc.constantFrom('1', '2', '3')), {
    selector: ([name]) => name,
    minLength: 1,
    maxLength: 3,
  })

  test('sbt: each package has one version that satisfies all dependents, and all are reachable', async () => {
    await fc.assert(
      fc.asyncProperty(repository, direct, async (published, requirements) => {
        const content: Record<string, { dependencies: string[] }> = {}
        for (const name of names)
          for (const version of ['1', '2', '3']) content[`g:${name}:${version}`] = { dependencies: [] }
        for (const { name, version, dependencies } of published) {
          content[`g:${name}:${version}`] = { dependencies: dependencies.map(([to, at]) => `g:${to}:${at}`) }
        }
        const modules = requirements.map(([name, version]) => `"g" % "${name}" % "${version}"`)
        const { graph, unresolved } = await read(build(`libraryDependencies ++= Seq(${modules})`), content)
        // Random packages may alternate between versions, which is reported.
        const others = unresolved.filter(({ code }) => code !== 'bound-met')
        assert.deepEqual(others, [])
        const nodes = graph.nodes.slice(1)
        assert.equal(new Set(nodes.map((node) => node.package.name)).size, nodes.length)
        for (const { edges } of graph.nodes) {
          for (const { to, range } of edges)
            assert.ok(Number(graph.nodes[to]!.package.version) >= Number(range) || range.includes('.'))
        }
        const reached = new Set([0])
        for (const at of reached) for (const { to } of graph.nodes[at]!.edges) reached.add(to)
        assert.equal(reached.size, graph.nodes.length)
      }),
      { numRuns: volume(200) },
    )
  })

  test('build.sbt: any text is read or refused as Unreadable', async () => {
    const words = fc.constantFrom(
      'libraryDependencies',
      '+=',
      '++=',
      ':=',
      'Seq(',
      ')',
      '{',
      '}',
      '"g"',
      '%',
      '%%',
      'val x =',
      'def f(a: Int) =',
      '.map(_ % "1")',
      'case',
      '=>',
      '\n',
      'if (a)',
      'else',
      's"${x}"',
      '<a>',
      '</a>',
      'lazy val p = project',
      '.settings(',
      '/*',
      '*/',
      'match {',
      '_',
      ',',
      '.value',
      'object O {',
      'import O._',
    )
    const text = fc.oneof(
      anyText({ maxLength: 200 }),
      fc.array(words, { maxLength: 40 }).map((parts) => parts.join(' ')),
    )
    await fc.assert(
      fc.asyncProperty(text, text, async (target, other) => {
        try {
          const reading = await read(`name := "n"\n${target}`, {}, other)
          assert.ok(reading.graph.nodes.length >= 1)
        } catch (error) {
          assert.ok(error instanceof Unreadable, String(error))
        }
      }),
      { numRuns: volume(500) },
    )
  })
})

test('build.sbt: a chain of 100 projects is read, one of 3,000 is refused', async () => {
  const chain = (length: number) =>
    `${Array.from({ length }, (_, at) => `lazy val p${at} = project.dependsOn(p${at + 1})\n`).join('')}lazy val p${length} = project.settings(libraryDependencies += "g" % "a" % "1")\n`
  const { graph } = await read(`autoScalaLibrary := false\n${chain(100)}`, { 'g:a:1': {} })
  assert.ok(graph.nodes.some((node) => node.package.name === 'g:a' && node.package.version === '1'))
  await assert.rejects(read(`autoScalaLibrary := false\n${chain(3_000)}`), (error) => {
    assert.ok(error instanceof Unreadable, String(error))
    assert.match(error.message, /depth limit of 1100/)
    return true
  })
})
