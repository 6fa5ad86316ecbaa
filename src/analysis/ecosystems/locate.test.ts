import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fixtureRegistries } from '#test/registries/fixture-registries.ts'
import { getEcosystem } from './index.ts'

/** Files whose expected lines end with `<name>` marks, which are removed before reading. */
interface Layout {
  readonly title: string
  readonly ecosystem: string
  readonly target: string
  readonly additional?: readonly string[]
  /** The registry's spelling, where the mark is another. */
  readonly names?: Readonly<Record<string, string>>
}

const json = (text: string) => `\uFEFF${text}`.replaceAll('\n', '\r\n')

const layouts: readonly Layout[] = [
  {
    title: 'package.json: byte order mark, CRLF, equal names elsewhere, unicode before it, an alias',
    ecosystem: 'npm',
    target: json(`{
  "name": "blue", "description": "\\"blue\\": \\u00e9é🎈 { ] \\\\",
  "scripts": { "blue": "1", "dependencies": "blue" },
  "overrides": { "blue": { "dependencies": { "blue": "2" } } },
  "devDependencies": { "red": "1",
    "green": "^1" «green»
  },
  "dependencies":
  {
    "blue"
      : "^1.0.0", «blue-»
    "other": "npm:@scope/real@~2.0.0" «@scope/real»
  }
}
`),
    names: { 'blue-': 'blue' },
  },
  {
    title: 'package.json beside its lockfile: the manifest comes first',
    ecosystem: 'npm',
    target: '{"lockfileVersion": 3,\n "packages": {"": {"dependencies": {"blue": "^1"}}}}',
    additional: ['{\n "dependencies": {\n  "blue": "^1" «blue»\n }}'],
  },
  {
    title: 'package-lock.json alone',
    ecosystem: 'npm',
    target: `{
  "name": "x", "lockfileVersion": 3,
  "packages": {
    "node_modules/blue": { "version": "1.0.0" },
    "": {
      "dependencies": {
        "blue": "^1.0.0" «blue»
      }
    }
  }
}`,
  },
  {
    title: 'yarn.lock alone: the entry with the version',
    ecosystem: 'yarn',
    target: `# yarn lockfile v1

"@a/blue@^1.0.0", "@a/blue@^1.1.0": «@a/blue»
  version "1.2.0"
  dependencies:
    red "^2"

red@^2: «red»
  version "2.0.0"
`,
  },
  {
    title: 'pnpm-lock.yaml alone: importers, not packages',
    ecosystem: 'pnpm',
    target: `lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      '@a/blue': «@a/blue»
        specifier: ^1.0.0
        version: 1.0.0
    devDependencies:
      red: «red»
        specifier: ^1
        version: 1.0.0

packages:

  '@a/blue@1.0.0':
    resolution: {integrity: sha512-x}
`,
  },
  {
    title: 'bun.lock alone: trailing commas',
    ecosystem: 'bun',
    target: `{
  "lockfileVersion": 1,
  "workspaces": {
    "": {
      "name": "x",
      "dependencies": {
        "blue": "^1", «blue»
      },
    },
  },
  "packages": { "blue": ["blue@1.0.0", "", {}, "sha512-x"], },
}`,
  },
  {
    title: 'requirements.txt: comments, continuations, options, other spellings, CRLF',
    ecosystem: 'pip',
    target: json(`# blue==1.0
--index-url https://packages.example/simple
red==1 ; python_version > "2" «red»

Bl_ue \\ «bl-ue»
  [extra] \\
  == 1.0 \\
  --hash=sha256:00  # blue
green @ https://files.example/green-1.0.tar.gz «green»
`),
  },
  {
    title: 'requirements.txt: an included file',
    ecosystem: 'pip',
    target: '-r base.txt\nred==1 «red»\n',
    additional: ['# file: base.txt\n\nblue==1 «blue»\n'],
  },
  {
    title: 'pyproject.toml: lists over several lines, extras, groups, equal words in comments and texts',
    ecosystem: 'pyproject',
    target: json(`# dependencies = ["blue"]
[project]
name = "é🎈"
description = """
dependencies = ["blue>=9"]
[project]
"""
dependencies = [ # "blue"
  "red[a,b]>=1,<2 ; python_version < '4'", «red»
  'Blue~=1.0', «blue»
]
[project.optional-dependencies]
"a.b" = ["green (>=1)"] «green»
[dependency-groups]
dev = [{include-group = "x"}, "pink"] «pink»
x = []
`),
  },
  {
    title: 'pyproject.toml of Poetry: tables, dotted keys, multiple constraints',
    ecosystem: 'pyproject',
    target: `[tool.poetry.dependencies]
python = "^3.10"
Blue = "^1.0" «blue»
red = { extras = ["x"], version = "~2.0" } «red»
[tool.poetry.dependencies.gray]
version = "*" «gray»
[tool.poetry]
group.dev.dependencies.pink = "1.0" «pink»
`,
  },
  {
    title: 'poetry.lock with its pyproject.toml: the manifest comes first, the lock tells the rest',
    ecosystem: 'poetry',
    target: `[[package]]
name = "blue"
version = "1.0.0"

[[package]]
version = "2.0.0"
name = "red" «red»
[package.dependencies]
name = ">=1"
`,
    additional: ['[tool.poetry.dependencies]\n\nblue = "1.0.0" «blue»\n'],
  },
  {
    title: 'Pipfile: categories; other tables are none',
    ecosystem: 'pipenv',
    target: `[[source]]
name = "blue"
[scripts]
red = "blue"
[packages]
blue = "*" «blue»
[dev-packages]
"Re.d" = {version = "==1.0", markers = "x"} «re-d»
`,
  },
  {
    title: 'Pipfile.lock alone',
    ecosystem: 'pipenv',
    target: '{"_meta": {"blue": 1},\n "default": {\n  "blue": {"version": "==1"} «blue»\n }}',
  },
  {
    title: 'Gemfile: groups, several lines, comments, heredoc-like comments',
    ecosystem: 'rubygems',
    target: json(`# gem 'blue'
source 'https://gems.example'
=begin
gem 'blue'
=end
gem "red", «red»
  '~> 1.0'
group :test do
  gem('blue', '1.0') if true «blue»
end
`),
  },
  {
    title: 'Gemfile.lock alone: DEPENDENCIES, not the sources',
    ecosystem: 'rubygems',
    target: `GEM
  remote: https://gems.example/
  specs:
    blue (1.0)
      red (>= 1)
    red (1.0)

PLATFORMS
  ruby

DEPENDENCIES
  blue (~> 1.0)! «blue»

BUNDLED WITH
   2.5.0
`,
  },
  {
    title: 'go.mod: blocks, comments, replacements',
    ecosystem: 'gomodules',
    target: json(`module example.com/app // example.com/blue v1.0.0

go 1.22

// require example.com/blue v1.0.0
exclude example.com/blue v1.0.0
require example.com/red v1.0.0 «example.com/red»
require (
	example.com/blue v1.1.0 // indirect «example.com/blue»
	example.com/old v1.0.0 «example.com/new»
)
replace example.com/old => example.com/new v2.0.0+incompatible
`),
  },
  {
    title: 'modules.txt alone',
    ecosystem: 'gomodules',
    target: '# example.com/blue v1.0.0 «example.com/blue»\n## explicit\nexample.com/blue/x\n',
  },
  {
    title: 'vendor.json: the module of a package',
    ecosystem: 'govendor',
    target: '{\n "package": [\n  {"revision": "00", "path": "example.com/a/blue/x"} «example.com/a/blue»\n ]}',
  },
  {
    title: 'build.sbt: a list, a suffix for Scala, overrides',
    ecosystem: 'sbt',
    target: `// "org.blue" % "blue" % "1"
dependencyOverrides += "org.blue" % "blue" % "2"
libraryDependencies ++= Seq(
  "org.red" %% "red" % "1.0", «org.red:red»
  /* "org.blue" % "blue" */ "org.blue" % «org.blue:blue»
    "blue" % "1.0" % Test
)
`,
  },
  {
    title: 'gradle.lockfile alone',
    ecosystem: 'gradle',
    target: '# org.blue:blue:1=x\norg.blue:blue:1.0=runtimeClasspath «org.blue:blue»\nempty=\n',
  },
  {
    title: 'CycloneDX: entries, not references to them',
    ecosystem: 'sbom',
    target: `{"bomFormat": "CycloneDX", "specVersion": "1.6",
 "dependencies": [{"ref": "pkg:npm/blue@1.0.0"}],
 "components": [
  {"bom-ref": "pkg:npm/blue@1.0.0",
   "type": "library", "name": "blue", "purl": "pkg:npm/blue@1.0.0" «blue»
  }]}`,
  },
  {
    title: 'SPDX tags',
    ecosystem: 'sbom',
    target: 'SPDXVersion: SPDX-2.3\nExternalRef: PACKAGE-MANAGER purl pkg:npm/%40a/blue@1.0.0 «@a/blue»\n',
  },
]

const MARK = /[ \t]*«([^»]+)»/

/** Returns the text without marks, and the lines that have one. */
function readMarks(text: string) {
  const lines = text.split('\n')
  const marks = lines.flatMap((line, at) => {
    const name = MARK.exec(line)?.[1]
    return name === undefined ? [] : [[name, at + 1] as const]
  })
  return { text: lines.map((line) => line.replace(MARK, '')).join('\n'), marks }
}

describe('lines of direct dependencies', () => {
  for (const { title, ecosystem, target, additional = [], names = {} } of layouts) {
    test(`line of a direct dependency in ${title}`, async () => {
      const files = [target, ...additional].map(readMarks)
      const [first, ...others] = files.map(({ text }) => text)
      const declarations = await getEcosystem(ecosystem).locate!({ target: first!, additional: others })
      const expected = files.flatMap(({ marks }, at) =>
        marks.map(([mark, line]) => {
          // A key may begin on the line before its value.
          const isBefore = mark.endsWith('-')
          return [names[mark] ?? mark, at === 0 ? 'target' : at - 1, isBefore ? line - 1 : line] as const
        }),
      )
      assert.ok(expected.length > 0)
      for (const [name, file, line] of expected) {
        const match = declarations.find((declaration) => declaration.name === name)
        assert.deepEqual([match?.name, match?.file, match?.line], [name, file, line])
      }
    })
  }

  test('positions of ranges match the text', async () => {
    for (const { ecosystem, target, additional = [] } of layouts) {
      const [first, ...others] = [target, ...additional].map((text) => readMarks(text).text)
      for (const { range, file } of await getEcosystem(ecosystem).locate!({ target: first!, additional: others })) {
        const text = file === 'target' ? first! : others[file]!
        if (range !== undefined) assert.equal(text.slice(range.start, range.end), range.text)
      }
    }
  })
})

describe('lines in the graphs of Maven and Gradle', () => {
  const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }
  const registries = fixtureRegistries('Maven', { 'org.blue:one:1.0': {}, 'org.blue:two:1.0': {} })

  async function linesOf(ecosystem: string, target: string, additional: readonly string[] = []) {
    const { graph } = await getEcosystem(ecosystem).read({ target, additional }, registries, options)
    return Object.fromEntries(
      graph.nodes[0]!.edges.map(({ to, declaredAt }) => [
        graph.nodes[to]!.package.name,
        [declaredAt?.file, declaredAt?.line],
      ]),
    )
  }

  test('pom.xml: lines of a dependency and of a version that the parent manages by a property', async () => {
    const child = `<?xml version="1.0"?>
<!-- <dependency><artifactId>one</artifactId></dependency> -->
<project>
  <modelVersion>4.0.0</modelVersion>
  <parent><groupId>g</groupId><artifactId>up</artifactId><version>1</version></parent>
  <artifactId>app</artifactId>
  <dependencies>
    <dependency>
      <groupId>org.blue</groupId><artifactId>one</artifactId>
    </dependency>
  </dependencies>
</project>`
    const parent = `<project><modelVersion>4.0.0</modelVersion>
<groupId>g</groupId><artifactId>up</artifactId><version>1</version><packaging>pom</packaging>
<properties><v>1.0</v></properties>
<dependencyManagement><dependencies>
<dependency><groupId>org.blue</groupId><artifactId>one</artifactId><version>\${v}</version></dependency>
</dependencies></dependencyManagement>
<dependencies>
<dependency><groupId>org.blue</groupId><artifactId>two</artifactId><version>1.0</version></dependency>
</dependencies></project>`
    assert.deepEqual(await linesOf('maven', child, [parent]), {
      'org.blue:one': ['target', 8],
      'org.blue:two': [0, 8],
    })
  })

  test('build.gradle: lines of several modules in one call and of an alias of a catalog', async () => {
    const script = `// implementation 'org.blue:one:1.0'
dependencies {
    implementation(
        'org.blue:one:1.0'
    )
    implementation libs.second
}
`
    const catalog = '[libraries]\nsecond = { module = "org.blue:two", version = "1.0" }\n'
    assert.deepEqual(await linesOf('gradle', script, [catalog]), {
      'org.blue:one': ['target', 4],
      'org.blue:two': ['target', 6],
    })
    assert.deepEqual(await linesOf('gradle', catalog), { 'org.blue:two': ['target', 2] })
  })
})
