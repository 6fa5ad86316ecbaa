import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { getEcosystem } from '../ecosystems/index.ts'
import { applyEdits } from './edit.ts'
import { planEdits } from './plan-edits.ts'
import { raiseGem, raiseRange } from './raise-range.ts'

type Files = Readonly<Record<string, string>>

/** Plans upgrades of `blue` and returns the lines that differ, `- before` and `+ after`. */
async function plan(id: string, texts: Files, { name = 'blue', from = '1.2.3', to = '1.3.0' } = {}) {
  const files = Object.entries(texts).map(([path, text]) => ({ path, text }))
  const [target, ...additional] = files.map(({ text }) => text)
  const [place, ...places] = files.map(({ path }) => path)
  const manifest = { target: target!, additional, places: { target: place!, additional: places } }
  const planned = await planEdits({ ecosystem: getEcosystem(id), manifest, files }, { name, from, to })
  if ('problem' in planned) return planned.problem
  return files.flatMap(({ path, text }) => {
    const after = applyEdits(
      text,
      planned.edits.filter((edit) => edit.path === path),
    )
    const [old, changed] = [text.split('\n'), after.split('\n')]
    return old.flatMap((line, at) => (line === changed[at] ? [] : [`- ${line}`, `+ ${changed[at]}`]))
  })
}

describe('raised ranges', () => {
  const cases = [
    ['npm', '^1.2.3', '^1.3.0'],
    ['npm', '~1.2.3', '~1.3.0'],
    ['npm', '1.2.3', '1.3.0'],
    ['npm', '>= 1.2', '>= 1.3.0'],
    ['npm', '1.x', '^1.3.0'],
    ['npm', '1.2.x', '~1.3.0'],
    ['npm', '>=1.2.3 <2.0.0', '>=1.3.0 <2.0.0'],
    ['npm', '>1.2 <2', '>=1.3.0 <2'],
    ['npm', '>1.2.3', '>=1.3.0'],
    ['npm', '1.2.3 - 1.9', '1.3.0 - 1.9'],
    ['npm', '~> 1.2.3', '~> 1.3.0'],
    ['npm', ' v1.2.3 ', ' v1.3.0 '],
    ['npm', '~1', '^1.3.0'],
    ['npm', '>=1.2.3 <1.3.0', /leaves no room/],
    ['npm', '^1 || ^2', /allows 1\.3\.0 already/],
    ['npm', '*', /names no version/],
    ['npm', 'github:a/b', /not a range/],
    ['npm', 'next', /not a range/],
    ['npm', 'catalog:web', /catalog/],
    ['pep508', '==1.2.3', '==1.3.0'],
    ['pep508', '>=1.2,<2', '>=1.3.0,<2'],
    ['pep508', '>=1.2, != 1.2.5, <2', '>=1.3.0, != 1.2.5, <2'],
    ['pep508', '>=1.2,<1.3', /leaves no room/],
    ['pep508', '~=1.2.0', '~=1.3.0'],
    ['pep508', '~=1.2', '~=1.3,>=1.3.0'],
    ['pep508', '==1.2.*', /leaves no room/],
    ['pep508', '!=1.2.3', /allows 1\.3\.0 already/],
    ['poetry', '^1.2', '^1.3.0'],
    ['poetry', '~1.2.3', '~1.3.0'],
    ['poetry', '1.2.3', '1.3.0'],
    ['poetry', '~1', '^1.3.0'],
    ['poetry', '^1.2 || ^2', /allows 1\.3\.0 already/],
    ['poetry', '^1.2|^2', /allows 1\.3\.0 already/],
  ] as const
  for (const [style, written, expected] of cases) {
    test(`${style} ${written} → ${expected}`, () => {
      const raised = raiseRange(style, written, '1.3.0')
      if (typeof expected === 'string') assert.deepEqual(raised, { text: expected })
      else assert.match('problem' in raised ? raised.problem : raised.text, expected)
    })
  }

  test('raised gem requirements keep their operators and add a minimum where needed', () => {
    assert.deepEqual(raiseGem(['~> 1.2.3'], '1.3.5'), [['~> 1.3.5']])
    assert.deepEqual(raiseGem(['~> 1.2'], '1.3.5'), [['~> 1.3', '>= 1.3.5']])
    assert.deepEqual(raiseGem(['~> 1.2', '>= 1.2.3'], '1.3.5'), [['~> 1.3'], ['>= 1.3.5']])
    assert.deepEqual(raiseGem(['>= 1.2', '< 2'], '1.3.5'), [['>= 1.3.5'], ['< 2']])
    assert.equal(raiseGem(['>= 1.2', '< 1.3'], '1.3.5'), undefined)
    assert.equal(raiseGem(['< 2'], '1.3.5'), undefined)
  })
})

describe('edited manifests', () => {
  const cases: readonly [title: string, id: string, files: Files, expected: string[] | RegExp, upgrade?: object][] = [
    [
      'package.json: equal names elsewhere, CRLF, a byte order mark, an alias; npm demands equal overrides',
      'npm',
      {
        'package.json':
          '\uFEFF{"blue": "^1.2.3",\r\n  "overrides": {"blue": {".": "^1.2.3", "red": "^1.2.3"}},\r\n  "dependencies": {\r\n\t"blue" : "^1.2.3" },\r\n "devDependencies": {"x": "npm:blue@~1.2.3"}}',
        'package-lock.json': '{"lockfileVersion": 3, "packages": {"": {"dependencies": {"blue": "^1.2.3"}}}}',
      },
      [
        '-   "overrides": {"blue": {".": "^1.2.3", "red": "^1.2.3"}},\r',
        '+   "overrides": {"blue": {".": "^1.3.0", "red": "^1.2.3"}},\r',
        '- \t"blue" : "^1.2.3" },\r',
        '+ \t"blue" : "^1.3.0" },\r',
        '-  "devDependencies": {"x": "npm:blue@~1.2.3"}}',
        '+  "devDependencies": {"x": "npm:blue@~1.3.0"}}',
      ],
    ],
    [
      'package.json: another workspace has another version',
      'npm',
      {
        'package.json': '{"workspaces": ["a"], "dependencies": {"blue": "^1.2.3"}}',
        'a/package.json': '{"dependencies": {"blue": "0.9.0"}}',
      },
      [
        '- {"workspaces": ["a"], "dependencies": {"blue": "^1.2.3"}}',
        '+ {"workspaces": ["a"], "dependencies": {"blue": "^1.3.0"}}',
      ],
    ],
    [
      'package.json of Yarn: the protocol of its ranges, and an alias',
      'yarn',
      { 'package.json': '{"dependencies": {\n"blue": "npm:^1.2.3",\n"x": "npm:blue@1.2.3",\n"blue2": "npm:^1.2.3"}}' },
      ['- "blue": "npm:^1.2.3",', '+ "blue": "npm:^1.3.0",', '- "x": "npm:blue@1.2.3",', '+ "x": "npm:blue@1.3.0",'],
    ],
    ['package.json: any version', 'npm', { 'package.json': '{"dependencies": {"blue": "*"}}' }, /names no version/],
    ['package.json: not declared', 'npm', { 'package.json': '{"dependencies": {"red": "1"}}' }, /declares it/],
    [
      'requirements.txt: an included file, a marker and a comment',
      'pip',
      {
        'requirements.txt': '-r base.txt\n# blue==1.2.3\n',
        'base.txt': "Blue[x]==1.2.3 ; python_version>'3' # blue==1.2.3\n",
      },
      ["- Blue[x]==1.2.3 ; python_version>'3' # blue==1.2.3", "+ Blue[x]==1.3.0 ; python_version>'3' # blue==1.2.3"],
    ],
    [
      'requirements.txt: another marker has another version',
      'pip',
      { 'requirements.txt': 'blue==1.2.3 ; python_version>="3.8"\r\nblue==1.0 ; python_version<"3.8"\r\n' },
      ['- blue==1.2.3 ; python_version>="3.8"\r', '+ blue==1.3.0 ; python_version>="3.8"\r'],
    ],
    [
      'requirements.txt: the version is a constraint',
      'pip',
      { 'requirements.txt': '-c limits.txt\nblue\n', 'limits.txt': 'blue==1.2.3\n' },
      ['- blue==1.2.3', '+ blue==1.3.0'],
    ],
    [
      'requirements.txt: hashes',
      'pip',
      {
        'requirements.txt':
          'blue==1.2.3 --hash=sha256:0000000000000000000000000000000000000000000000000000000000000000\n',
      },
      /hashes/,
    ],
    [
      'pyproject.toml: lists, extras and groups',
      'pyproject',
      {
        'pyproject.toml':
          '[project]\nname = "x"\ndependencies = [\'blue>=1.2 ; python_version > "3"\'] # blue>=1.2\n[dependency-groups]\ndev = ["blue (>=1.2,<2)"]\n',
      },
      [
        '- dependencies = [\'blue>=1.2 ; python_version > "3"\'] # blue>=1.2',
        '+ dependencies = [\'blue>=1.3.0 ; python_version > "3"\'] # blue>=1.2',
        '- dev = ["blue (>=1.2,<2)"]',
        '+ dev = ["blue (>=1.3.0,<2)"]',
      ],
    ],
    [
      'pyproject.toml of Poetry beside its lock',
      'poetry',
      {
        'poetry.lock': '[[package]]\nname = "blue"\nversion = "1.2.3"\n',
        'pyproject.toml': '[tool.poetry.dependencies]\nblue = {version = "^1.2", extras = ["a"]} # x\n',
      },
      ['- blue = {version = "^1.2", extras = ["a"]} # x', '+ blue = {version = "^1.3.0", extras = ["a"]} # x'],
    ],
    ['Pipfile', 'pipenv', { Pipfile: "[packages]\nblue = '==1.2.3'\n" }, ["- blue = '==1.2.3'", "+ blue = '==1.3.0'"]],
    [
      'Gemfile: quotes, several requirements, options',
      'rubygems',
      { Gemfile: '# gem \'blue\', \'1\'\ngem "blue", "~> 1.2", "< 2", require: false # \'1\'\n' },
      [
        '- gem "blue", "~> 1.2", "< 2", require: false # \'1\'',
        '+ gem "blue", "~> 1.3", ">= 1.3.0", "< 2", require: false # \'1\'',
      ],
    ],
    [
      'Gemfile: requirements on lines of their own, in other quotes',
      'rubygems',
      { Gemfile: "gem 'blue',\n    '~> 1.2',\n    \"!= 1.2.5\", # '1'\n    require: false\n" },
      ["-     '~> 1.2',", "+     '~> 1.3', '>= 1.3.0',"],
    ],
    ['Gemfile: no version', 'rubygems', { Gemfile: "gem 'blue'\n" }, /bundle update blue/],
    [
      'go.mod: a block, comments and an exclusion',
      'gomodules',
      {
        'go.mod':
          'module m\n\nexclude example.com/blue v1.2.3\n\nrequire (\n\texample.com/blue v1.2.3 // example.com/blue v1.2.3\n)\n',
      },
      [
        '- \texample.com/blue v1.2.3 // example.com/blue v1.2.3',
        '+ \texample.com/blue v1.3.0 // example.com/blue v1.2.3',
      ],
      { name: 'example.com/blue', from: 'v1.2.3', to: 'v1.3.0' },
    ],
    [
      'go.mod: a comment without a blank',
      'gomodules',
      { 'go.mod': 'module m\n\nrequire example.com/blue v1.2.3//indirect\r\n' },
      ['- require example.com/blue v1.2.3//indirect\r', '+ require example.com/blue v1.3.0//indirect\r'],
      { name: 'example.com/blue', from: 'v1.2.3', to: 'v1.3.0' },
    ],
    [
      'go.mod: the version that a replacement sets',
      'gomodules',
      {
        'go.mod':
          'module m\n\nrequire example.com/blue v1.2.0\n\nreplace example.com/blue => example.com/blue v1.2.3 // => example.com/blue v1.2.3\n',
      },
      [
        '- replace example.com/blue => example.com/blue v1.2.3 // => example.com/blue v1.2.3',
        '+ replace example.com/blue => example.com/blue v1.3.0 // => example.com/blue v1.2.3',
      ],
      { name: 'example.com/blue', from: 'v1.2.3', to: 'v1.3.0' },
    ],
  ]
  for (const [title, id, files, expected, upgrade] of cases) {
    test(title, async () => {
      const result = await plan(id, files, upgrade)
      if (expected instanceof RegExp) assert.match(String(result), expected)
      else assert.deepEqual(result, expected)
    })
  }
})

const module = { name: 'org.blue:one' }

describe('edited pom.xml', () => {
  const dependency = (version: string) =>
    `<dependency><groupId>org.blue</groupId><artifactId>one</artifactId>${version}</dependency>`
  const pom = (text: string) => `<project>\n<groupId>g</groupId><version>1.2.3</version>\n${text}\n</project>\n`
  const own = `<dependencies>${dependency('')}</dependencies>`

  test('pom.xml: only the version of the dependency is raised, not that of a comment or another artifact', async () => {
    const text = pom(
      `<!-- ${dependency('<version>1.2.3</version>')} -->\n<dependencies>\n${dependency('<version> 1.2.3\n</version>')}\n${dependency('<version>1.2.3</version>').replace('one', 'two')}</dependencies>`,
    )
    const result = await plan('maven', { 'pom.xml': text }, module)
    assert.deepEqual(
      [result.length, String(result[1]).includes('<version> 1.3.0'), String(result[1]).includes('one')],
      [2, true, true],
    )
  })

  test('pom.xml: the version of a POM with a prefix is raised', async () => {
    const text = pom(`<dependencies>${dependency('<version>1.2.3</version>')}</dependencies>`)
      .replaceAll(/<(\/?)(\w)/g, '<$1m:$2')
      .replace('<m:project>', '<m:project xmlns:m="http://maven.apache.org/POM/4.0.0">')
    assert.match(String((await plan('maven', { 'pom.xml': text }, module))[1]), /<m:version>1\.3\.0<\/m:version>/)
  })

  test('pom.xml: a property of the parent, used in dependencyManagement, is raised', async () => {
    const parent = pom(
      `<properties>\n<blue.version>1.2.3</blue.version>\n</properties><dependencyManagement><dependencies>${dependency('<version>${blue.version}</version>')}</dependencies></dependencyManagement>`,
    )
    assert.deepEqual(await plan('maven', { 'app/pom.xml': pom(own), '../pom.xml': parent }, module), [
      '- <blue.version>1.2.3</blue.version>',
      '+ <blue.version>1.3.0</blue.version>',
    ])
  })

  test("pom.xml: versions set by an imported BOM or by the project's own version are not changed", async () => {
    assert.match(String(await plan('maven', { 'pom.xml': pom(own) }, module)), /BOM/)
    const self = pom(`<dependencies>${dependency('<version>${project.version}</version>')}</dependencies>`)
    assert.match(String(await plan('maven', { 'pom.xml': self }, module)), /written as \$\{project\.version\}/)
    const indirect = self
      .replace('${project.version}', '${one.version}')
      .replace('<dependencies>', '<properties><one.version>${project.version}</one.version></properties>$&')
    assert.match(String(await plan('maven', { 'pom.xml': indirect }, module)), /the version of the project/)
    const revision = indirect
      .replace('<version>1.2.3<', '<version>${one.version}<')
      .replace('>${project.version}<', '>1.2.3<')
    assert.match(String(await plan('maven', { 'pom.xml': revision }, module)), /the version of the project/)
  })

  test('pom.xml: a property is raised in profiles too, a hard requirement within its brackets', async () => {
    const text = pom(
      `<properties>\n<one>1.2.3</one></properties><profiles><profile><id>p</id><properties>\n<one>1.2.3</one></properties></profile>\n<profile><id>q</id><properties><one>1.1</one></properties></profile></profiles>\n<dependencies>${dependency('<version>${one}</version>')}\n${dependency('<version>[1.2.3]</version>')}\n${dependency('<version><![CDATA[1.2.3]]></version>')}</dependencies>`,
    )
    const result = await plan('maven', { 'pom.xml': text }, module)
    assert.deepEqual(
      (result as string[]).filter((line) => line.startsWith('+')).map((line) => /[[<>]1\.[\d.]+[\]<]+/.exec(line)?.[0]),
      ['>1.3.0<', '>1.3.0<', '[1.3.0]<'],
    )
  })

  test('pom.xml: a version in CDATA is not changed but quoted', async () => {
    const data = pom(`<dependencies>${dependency('<version><![CDATA[1.2.3]]></version>')}</dependencies>`)
    assert.match(String(await plan('maven', { 'pom.xml': data }, module)), /as <!\[CDATA\[1\.2\.3\]\]>, not/)
  })
})

describe('edited build.gradle', () => {
  const cases: readonly [title: string, files: Files, expected: string[] | RegExp][] = [
    [
      'a notation is raised, not one in a comment or of another module',
      {
        'build.gradle':
          "// 'org.blue:one:1.2.3'\nimplementation 'org.blue:one:1.2.3'\napi 'org.blue:one-x:1.2.3' // 'org.blue:one:1.2.3'\n",
      },
      ["- implementation 'org.blue:one:1.2.3'", "+ implementation 'org.blue:one:1.3.0'"],
    ],
    [
      'a map, over two lines',
      { 'build.gradle': "implementation group: 'org.blue', name: 'one',\n  version: '1.2.3', transitive: false\n" },
      ["-   version: '1.2.3', transitive: false", "+   version: '1.3.0', transitive: false"],
    ],
    [
      'Kotlin: a variable',
      { 'build.gradle.kts': 'val blueVersion = "1.2.3"\nimplementation("org.blue:one:$blueVersion")\n' },
      ['- val blueVersion = "1.2.3"', '+ val blueVersion = "1.3.0"'],
    ],
    [
      'gradle.properties',
      {
        'build.gradle': 'implementation "org.blue:one:${blueVersion}"\n',
        'gradle.properties': 'x=1\nblueVersion = 1.2.3\n',
      },
      ['- blueVersion = 1.2.3', '+ blueVersion = 1.3.0'],
    ],
    [
      'a catalog: a reference, as a table and as text',
      {
        'build.gradle': 'implementation libs.one\n',
        'gradle/libs.versions.toml':
          '[versions]\nblue = "1.2.3" # x\n[libraries]\none = { module = "org.blue:one", version.ref = "blue" }\nagain = "org.blue:one:1.2.3"\n',
      },
      [
        '- blue = "1.2.3" # x',
        '+ blue = "1.3.0" # x',
        '- again = "org.blue:one:1.2.3"',
        '+ again = "org.blue:one:1.3.0"',
      ],
    ],
    ['the version is set by a platform', { 'build.gradle': "implementation 'org.blue:one'\n" }, /platform/],
  ]
  for (const [title, files, expected] of cases) {
    test(`build.gradle: ${title}`, async () => {
      const result = await plan('gradle', files, module)
      if (expected instanceof RegExp) assert.match(String(result), expected)
      else assert.deepEqual(result, expected)
    })
  }
})

describe('build.gradle: only the version in brackets is raised', () => {
  const lines = [
    "implementation 'org.blue:one:«1.2.3»!!'",
    "implementation name: 'one', version: '«1.2.3»', group: 'org.blue'",
    "implementation('org.blue:one') { version { strictly '«1.2.3»' } }",
    "def v = '«1.2.3»'; implementation group: 'org.blue', name: 'one', version: v",
    "def v = '«1.2.3»'; implementation 'org.blue:one:' + v",
    `ext['one.v'] = '«1.2.3»'; implementation "org.blue:one:\${ext['one.v']}"`,
    `ext.all = [one: '«1.2.3»']; ext.rest = [one: '1.2.3']; implementation "org.blue:one:\${all.one}"`,
    `println "v = '1.2.3'"; def v = '«1.2.3»'; implementation "org.blue:one:$v"`,
    "implementation('org.blue:one:«1.2.3»') { because 'org.blue:one:1.2.3' } /* /* */ // '1.2.3'",
  ]
  const kotlin = [
    'implementation("org.blue", "one", "«1.2.3»")',
    'val v: String = "«1.2.3»"; implementation("org.blue:one:$v") /* /* */ "org.blue:one:1.2.3" */',
    'extra["v"] = "«1.2.3»"; implementation("org.blue:one:${extra["v"]}")',
    'val all = mapOf("one" to "«1.2.3»"); val rest = mapOf("one" to "1.2.3"); api("org.blue:one:${all["one"]}")',
  ]
  const cases = [lines.map((line) => ['build.gradle', line]), kotlin.map((line) => ['build.gradle.kts', line])].flat()
  for (const [path, line] of cases) {
    test(line!, async () => {
      const result = await plan('gradle', { [path!]: `${line!.replace(/[«»]/g, '')}\r\n` }, module)
      assert.deepEqual(result[1], `+ ${line!.replace('«1.2.3»', '1.3.0')}\r`)
    })
  }

  test("build.gradle: the project's own version is not changed", async () => {
    const text = 'version = "1.2.3"\nimplementation "org.blue:one:$version"\n'
    assert.match(String(await plan('gradle', { 'build.gradle': text }, module)), /that of the project/)
  })
})

test('workflow: tags become the tag of the version, and commits that tag with a note', async () => {
  const steps = (...lines: string[]) =>
    `on: push\njobs:\n  a:\n    steps:\n${lines.map((line) => `      - ${line}\n`).join('')}`
  const pinned = `blue/action@${'ab'.repeat(20)}`
  const ci = steps(
    "uses: 'blue/action/setup@v1.2.3' # tag",
    `uses: ${pinned} # v1.2.3, reviewed`,
    `uses: ${pinned}`,
    'uses: blue/action@1.2.3',
    'uses: blue/action@v1',
    'uses: red/action@v1.2.3',
  )
  assert.deepEqual(await plan('githubactions', { '.github/workflows/ci.yml': ci }, { name: 'blue/action' }), [
    "-       - uses: 'blue/action/setup@v1.2.3' # tag",
    "+       - uses: 'blue/action/setup@v1.3.0' # tag",
    `-       - uses: ${pinned} # v1.2.3, reviewed`,
    '+       - uses: blue/action@v1.3.0 # pin to the commit of this tag',
    '-       - uses: blue/action@1.2.3',
    '+       - uses: blue/action@1.3.0',
  ])
  const onlyBranch = { '.github/workflows/ci.yml': steps('uses: blue/action@main') }
  assert.match(
    String(await plan('githubactions', onlyBranch, { name: 'blue/action' })),
    /no version that can be replaced/,
  )
})

test('build.sbt: not changed, with an explanation', async () => {
  assert.match(String(await plan('sbt', { 'build.sbt': '"a" % "blue" % "1.2.3"' })), /build\.sbt/)
})
