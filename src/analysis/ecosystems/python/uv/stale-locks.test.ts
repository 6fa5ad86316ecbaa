import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import { pyproject } from '../pyproject/index.ts'
import { uv } from './index.ts'

const python = { version: '3.12', platform: 'linux', basis: 'request' } as const
const options = { includeDev: true, repositories: [], limits: { maxNodes: 100 }, python }
const source = 'source = { registry = "https://registry.example/simple" }'

interface LockParts {
  readonly head?: string
  readonly dependencies?: string
  readonly metadata?: string
}

/** A project that requires web 1.0, which requires base 1.0. */
function lockOf({ head = '', dependencies = '{ name = "web" }', metadata }: LockParts = {}): string {
  const recorded = metadata ?? 'requires-dist = [{ name = "web", specifier = ">=1" }]'
  return `version = 1
revision = 5
requires-python = ">=3.11"
${head}
[[package]]
name = "app"
version = "1.0"
source = { virtual = "." }
dependencies = [${dependencies}]

[package.metadata]
${recorded}

[[package]]
name = "base"
version = "1.0"
${source}

[[package]]
name = "web"
version = "1.0"
${source}
dependencies = [{ name = "base" }]
`
}

function projectOf(dependencies: readonly string[] = ['web>=1'], more = ''): string {
  return `[project]\nname = "app"\nversion = "1.0"\ndependencies = ${JSON.stringify(dependencies)}\n${more}`
}

async function openOf(lock: string, project: string): Promise<string[]> {
  const { unresolved } = await uv.read({ target: lock, additional: [project] }, noRegistries, options)
  return unresolved.map(({ code, name, reason }) => `${code} ${name}: ${reason.split(', and ')[0]}`)
}

const stale = (name: string, what: string) => [`not-in-lockfile ${name}: pyproject.toml ${what}`]
const excludes = (list: string) => `[tool.uv]\nexclude-dependencies = ${list}\n`
const overrides = (list: string) => `[tool.uv]\noverride-dependencies = ${list}\n`

describe('rules of uv in pyproject.toml and uv.lock', () => {
  const scoped = '[{ package = { name = "web" }, dependencies = ["other"] }]'
  const cases: [what: string, head: string, settings: string, open: readonly string[]][] = [
    ['an excluded name', 'excludes = ["other"]', excludes('["Other"]'), []],
    ['an exclude that pyproject.toml has no more', 'excludes = ["other"]', '', stale('other', 'has other excludes')],
    ['a new exclude', '', excludes('["base"]'), stale('base', 'has other excludes')],
    ['a new exclude of what the lock does not hold', '', excludes('["nothing"]'), []],
    ['an exclude for one package', `excludes = ${scoped}`, excludes(scoped), []],
    [
      'an exclude for one package that is now for all',
      `excludes = ${scoped}`,
      excludes('["other"]'),
      stale('other', 'has other excludes'),
    ],
    [
      'an exclude for one version of a package',
      `excludes = ${scoped}`,
      excludes(scoped.replace('"web"', '"web", version = "1.0"')),
      stale('other', 'has other excludes'),
    ],
    [
      'an override for one package',
      'overrides = [{ package = { name = "web" }, dependencies = [{ name = "base", specifier = "==1.0" }] }]',
      overrides('[{ package = { name = "web" }, dependencies = ["base == 1.0"] }]'),
      [],
    ],
    [
      'another override for one package',
      'overrides = [{ package = { name = "web" }, dependencies = [{ name = "base", specifier = "==1.0" }] }]',
      overrides('[{ package = { name = "web" }, dependencies = ["base == 1.1"] }]'),
      stale('base', 'has other overrides'),
    ],
    [
      'an override whose marker uv wrote anew',
      'overrides = [{ name = "base", marker = "python_full_version >= \'3.1\' and sys_platform == \'win32\'" }]',
      overrides('["base ; platform_system == \'Windows\'"]'),
      [],
    ],
    [
      'an override with another marker',
      'overrides = [{ name = "base", marker = "sys_platform == \'win32\'" }]',
      overrides('["base ; sys_platform == \'linux\'"]'),
      stale('base', 'has other overrides'),
    ],
    [
      'an override that pyproject.toml has no more',
      'overrides = [{ name = "base", specifier = "==1.0" }]',
      '',
      stale('base', 'has other overrides'),
    ],
    [
      'a constraint that pyproject.toml has no more',
      'constraints = [{ name = "base", specifier = "<2" }]',
      '',
      stale('base', 'has other constraints'),
    ],
    [
      'the metadata of a package',
      'dependency-metadata = [{ name = "web", version = "1.0", requires-dist = ["base==1.0"] }]',
      '[[tool.uv.dependency-metadata]]\nname = "Web"\nversion = "1.0"\nrequires-dist = ["base == 1.0"]\n',
      [],
    ],
    [
      'metadata that pyproject.toml has no more',
      'dependency-metadata = [{ name = "web", version = "1.0", requires-dist = [] }]',
      '',
      stale('web', 'has other dependency metadata'),
    ],
    [
      'metadata with another dependency',
      'dependency-metadata = [{ name = "web", version = "1.0", requires-dist = ["base==1.0"] }]',
      '[[tool.uv.dependency-metadata]]\nname = "web"\nversion = "1.0"\nrequires-dist = ["base==1.0", "more"]\n',
      stale('more', 'has other dependency metadata'),
    ],
    [
      'new metadata of a version that the lock does not hold',
      '',
      '[[tool.uv.dependency-metadata]]\nname = "web"\nversion = "2.0"\nrequires-dist = []\n',
      [],
    ],
  ]
  for (const [what, head, settings, open] of cases) {
    test(`uv.lock, ${what}: ${open.length > 0 ? 'reported' : 'nothing is reported'}`, async () => {
      assert.deepEqual(await openOf(lockOf({ head: `[manifest]\n${head}\n` }), projectOf(undefined, settings)), open)
    })
  }

  test('uv.lock: settings for the next resolution are not compared', async () => {
    const settings = `[tool.uv]\nbuild-constraint-dependencies = ["setuptools<70"]\nexclude-newer = "2024-01-01T00:00:00Z"\nresolution = "lowest"\nrequired-environments = ["sys_platform == 'darwin'"]\n`
    assert.deepEqual(await openOf(lockOf(), projectOf(undefined, settings)), [])
  })

  test('uv.lock: a member sent alone is not reported for lacking the rules of its workspace', async () => {
    const lock = lockOf({ head: '[manifest]\nmembers = ["app", "part"]\nexcludes = ["other"]\n' })
    const part =
      '\n[[package]]\nname = "part"\nversion = "1.0"\nsource = { editable = "part" }\n\n[package.metadata]\nrequires-dist = []\n'
    assert.deepEqual(await openOf(lock + part, '[project]\nname = "part"\nversion = "1.0"\n'), [])
  })

  test('pyproject.toml without uv.lock: excludes and metadata of uv are reported, not ignored', async () => {
    const settings = `${excludes('["base"]')}\n[[tool.uv.dependency-metadata]]\nname = "web"\nrequires-dist = []\n`
    const target = projectOf([], settings)
    const { unresolved } = await pyproject.read({ target, additional: [] }, noRegistries, options)
    assert.deepEqual(
      unresolved.map(({ code, name }) => `${code} ${name}`),
      ['not-static base', 'not-static web'],
    )
  })
})

describe('declarations in pyproject.toml and uv.lock', () => {
  const onWindows = '{ name = "web", marker = "sys_platform == \'win32\'" }'
  const metadata = `requires-dist = [${onWindows}]`
  const cases: [what: string, metadata: string, dependencies: readonly string[], open: readonly string[]][] = [
    [
      'a marker that uv wrote anew',
      metadata,
      ["web; os_name == 'nt' and python_version > '3.7' and sys_platform == 'win32'"],
      [],
    ],
    ['a marker that is gone', metadata, ['web'], stale('web', 'requires it')],
    ['another marker', metadata, ["web; sys_platform != 'win32'"], stale('web', 'requires it')],
    [
      'one of two versions that is gone',
      'requires-dist = [{ name = "web", specifier = "==1.0" }, { name = "web", specifier = "==1.1" }]',
      ['web==1.0'],
      stale('web', 'no longer requires it'),
    ],
    ['an extra that is new', 'requires-dist = [{ name = "web" }]', ['web[more]'], stale('web', 'requires it')],
    ['an extra that both have', 'requires-dist = [{ name = "web", extras = ["a-b", "c"] }]', ['web[C,a_b]'], []],
    [
      'a dependency that was one of an extra',
      'requires-dist = [{ name = "web", marker = "extra == \'more\'" }]',
      ['web'],
      stale('web', 'requires it'),
    ],
    [
      'an extra of the project that requires another',
      'requires-dist = [{ name = "web" }, { name = "app", extras = ["more"] }]',
      ['web', 'app[more]'],
      [],
    ],
  ]
  for (const [what, recorded, dependencies, open] of cases) {
    test(`uv.lock, ${what}: ${open.length > 0 ? 'reported' : 'nothing is reported'}`, async () => {
      assert.deepEqual(await openOf(lockOf({ metadata: recorded }), projectOf(dependencies)), open)
    })
  }

  const fromFolder = 'requires-dist = [{ name = "web", path = "web-1.0-py3-none-any.whl" }]'
  const sources: [what: string, metadata: string, settings: string, open: readonly string[]][] = [
    [
      'an index in place of a source',
      'requires-dist = [{ name = "web", specifier = ">=1" }]',
      'web = { url = "https://files.example/web-1.0-py3-none-any.whl" }',
      stale('web', 'requires it'),
    ],
    ['a source that is gone', fromFolder, '', stale('web', 'requires it')],
    ['the same source', fromFolder, 'web = { path = "web-1.0-py3-none-any.whl" }', []],
    [
      'a source for one system, an index for the others',
      `requires-dist = [{ name = "web", specifier = ">=1", marker = "sys_platform != 'linux'" }, { name = "web", path = "web-1.0-py3-none-any.whl", marker = "sys_platform == 'linux'" }]`,
      `web = { path = "web-1.0-py3-none-any.whl", marker = "sys_platform == 'linux'" }`,
      [],
    ],
  ]
  for (const [what, recorded, settings, open] of sources) {
    test(`uv.lock written for ${what}: ${open.length > 0 ? 'reported' : 'nothing is reported'}`, async () => {
      const project = projectOf(['web>=1'], `[tool.uv.sources]\n${settings}\n`)
      assert.deepEqual(await openOf(lockOf({ metadata: recorded }), project), open)
    })
  }

  test('uv.lock: a member sent alone is not reported for lacking the sources of its workspace', async () => {
    const lock = lockOf({ head: '[manifest]\nmembers = ["app", "part"]\n' })
    const part =
      '\n[[package]]\nname = "part"\nversion = "1.0"\nsource = { editable = "part" }\ndependencies = [{ name = "web" }]\n\n[package.metadata]\nrequires-dist = [{ name = "web", path = "web-1.0-py3-none-any.whl" }]\n'
    const places = { target: 'uv.lock', additional: ['part/pyproject.toml', 'other/pyproject.toml'] }
    const members = ['part', 'other'].map(
      (name) => `[project]\nname = "${name}"\nversion = "1.0"\ndependencies = ["web"]\n`,
    )
    const { unresolved } = await uv.read({ target: lock + part, additional: members, places }, noRegistries, options)
    assert.deepEqual(
      unresolved.map(({ name }) => name),
      ['other'],
    )
  })

  test('uv.lock: a dependency of the project itself that it excludes is not lost', async () => {
    const head = '[manifest]\nexcludes = [{ package = { name = "app" }, dependencies = ["six"] }]\n'
    const recorded = 'requires-dist = [{ name = "six" }, { name = "web", specifier = ">=1" }]'
    const settings = excludes('[{ package = { name = "app" }, dependencies = ["six"] }]')
    assert.deepEqual(await openOf(lockOf({ head, metadata: recorded }), projectOf(['web>=1', 'six'], settings)), [])
  })

  const groups = 'requires-dist = [{ name = "web", specifier = ">=1" }]\n\n[package.metadata.requires-dev]\n'
  test('uv.lock: a dependency of a removed group is reported', async () => {
    const lock = lockOf({ metadata: `${groups}dev = [{ name = "base" }]` })
    const open = await openOf(lock, projectOf())
    assert.deepEqual(open.slice(0, 1), stale('base', 'no longer requires it'))
  })

  test('uv.lock: the Python of a group, which uv adds to its markers, makes no difference', async () => {
    const recorded = `${groups}new = [{ name = "base", marker = "python_full_version >= '3.12'" }]`
    const dependencies = '{ name = "web" }]\n\n[package.dev-dependencies]\nnew = [{ name = "base" }'
    const settings = '[dependency-groups]\nnew = ["base"]\n'
    const lock = lockOf({ metadata: recorded, dependencies })
    const ruled = `${settings}[tool.uv.dependency-groups]\nnew = { requires-python = ">=3.12" }\n`
    assert.deepEqual(await openOf(lock, projectOf(undefined, ruled)), [])
    assert.deepEqual(await openOf(lock, projectOf(undefined, settings)), stale('base', 'requires it'))
  })

  for (const [what, members, open] of [
    ['a folder outside the workspace, which uv does not lock, are not', '', []],
    ['a workspace member are', '"lib"', ['not-in-lockfile more: uv.lock declares it for lib']],
  ] as const) {
    test(`uv.lock: lost dependencies in a group of ${what} reported`, async () => {
      const lib = `[[package]]\nname = "lib"\nversion = "1.0"\nsource = { editable = "../lib" }\n\n[package.metadata]\nrequires-dist = []\n\n[package.metadata.requires-dev]\ndev = [{ name = "more" }]\n`
      const lock = lockOf({
        head: `[manifest]\nmembers = ["app", ${members}]\n`,
        dependencies: '{ name = "web" }, { name = "lib" }',
        metadata: 'requires-dist = [{ name = "lib", editable = "../lib" }, { name = "web", specifier = ">=1" }]',
      })
      const problems = await openOf(lock + lib, projectOf(['web>=1', 'lib']))
      assert.deepEqual(
        problems.filter((problem) => problem.includes(' more: ')).map((problem) => problem.split(',')[0]),
        open,
      )
    })
  }

  test('uv.lock: groups of a root that is no project are compared', async () => {
    const lock = `version = 1\nrequires-python = ">=3.11"\n\n[manifest.dependency-groups]\ndev = [{ name = "base" }]\n\n[[package]]\nname = "base"\nversion = "1.0"\n${source}\n`
    const root = '[tool.uv.workspace]\nmembers = []\n[dependency-groups]\ndev = ["base"'
    assert.deepEqual(await openOf(lock, `${root}]\n`), [])
    assert.deepEqual(await openOf(lock, `${root}, "more"]\n`), stale('more', 'requires it'))
  })
})

describe('locks that were written for some environments only', () => {
  const reason = /^It was written for other environments than Python 3\.12 on Linux/
  const uvLock = lockOf({ head: 'supported-markers = [\n    "sys_platform == \'win32\'",\n]\n' })
  const pylock =
    'lock-version = "1.0"\nenvironments = ["sys_platform == \'win32\'"]\ncreated-by = "x"\n\n[[packages]]\nname = "web"\nversion = "1.0"\n'

  for (const [name, ecosystem, lock] of [
    ['uv.lock', uv, uvLock],
    ['pylock.toml', pyproject, pylock],
  ] as const) {
    test(`${name} for other environments only: tested as incomplete`, async () => {
      const { graph, unresolved } = await ecosystem.read({ target: lock, additional: [] }, noRegistries, options)
      assert.ok(graph.nodes.length > 1)
      assert.deepEqual(
        unresolved.map(({ code }) => code),
        ['other-environment'],
      )
      assert.match(unresolved[0]!.reason, reason)
    })

    test(`${name} for several environments including the tested one: complete`, async () => {
      const target = lock.replace("'win32'", "'win32' or os_name == 'posix'")
      const { unresolved } = await ecosystem.read({ target, additional: [] }, noRegistries, options)
      assert.deepEqual(unresolved, [])
    })
  }
})
