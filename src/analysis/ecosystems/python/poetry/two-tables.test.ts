import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import { poetry } from './index.ts'

const python = { version: '3.12', platform: 'linux', basis: 'request' } as const

interface Entry {
  readonly version?: string
  readonly groups?: string
  readonly markers?: string
}

function entryOf(name: string, { version = '1.0', groups = '"main"', markers }: Entry = {}): string {
  const condition = markers === undefined ? '' : `markers = ${markers}\n`
  return `[[package]]\nname = "${name}"\nversion = "${version}"\noptional = false\npython-versions = ">=3.9"\ngroups = [${groups}]\n${condition}files = []\n\n`
}

const lockOf = (...entries: readonly string[]) =>
  `${entries.join('')}[metadata]\nlock-version = "2.1"\npython-versions = ">=3.9"\ncontent-hash = "0"\n`

async function read(target: string, ...additional: string[]) {
  const options = { includeDev: true, repositories: [], limits: { maxNodes: 100 }, python }
  const { graph, unresolved } = await poetry.read({ target, additional }, noRegistries, options)
  return {
    packages: graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`),
    // The hash is of no interest here.
    open: unresolved.filter(({ name }) => name !== 'poetry.lock').map(({ code, name }) => `${code} ${name}`),
  }
}

describe('pyproject.toml with dependencies in [project] and in tables of Poetry', () => {
  const project = (dependencies: string, more = '') =>
    `[project]\nname = "p"\nversion = "1"\n${dependencies}\n${more}\n[tool.poetry]\npackage-mode = false\n`
  const table = '[tool.poetry.dependencies]\nb = "^2.0"\n'
  const cases: [what: string, manifest: string, open: readonly string[]][] = [
    ['the table names another package', project('dependencies = ["a"]') + table, []],
    ['the table has another range', project('dependencies = ["a"]') + table.replace('b =', 'a ='), []],
    [
      'the group main has another package',
      project('dependencies = ["a"]') + table.replace('dep', 'group.main.dep'),
      [],
    ],
    ['[project] declares none', project('dependencies = []') + table, ['not-in-lockfile b']],
    ['the dependencies are dynamic', project('dynamic = ["dependencies"]') + table, ['not-in-lockfile b']],
    [
      'the dependencies are dynamic, the extras are not',
      project('dynamic = ["dependencies"]', '[project.optional-dependencies]\nx = ["a"]') + table,
      ['not-in-lockfile b'],
    ],
    [
      'the extras are dynamic, the dependencies are not',
      project('dynamic = ["optional-dependencies"]\ndependencies = ["a"]') +
        '[tool.poetry.dependencies]\nb = { version = "2.0", optional = true }\nc = "1.0"\n',
      ['not-in-lockfile b'],
    ],
    [
      'a group is in [dependency-groups] too',
      project('dependencies = ["a"]', '[dependency-groups]\nDev-Tools = ["a"]') +
        table.replace('dep', 'group.dev_tools.dep'),
      [],
    ],
    [
      'a group of [dependency-groups] only includes others',
      project('dependencies = ["a"]', '[dependency-groups]\ndev = [{ include-group = "x" }]\nx = ["a"]') +
        table.replace('dep', 'group.dev.dep'),
      ['not-in-lockfile b'],
    ],
  ]
  for (const [what, manifest, open] of cases) {
    test(`poetry.lock, ${what}: ${open.length > 0 ? 'the table declares it' : 'the table declares nothing'}`, async () => {
      assert.deepEqual(await read(lockOf(entryOf('a', { groups: '"main", "dev", "x", "dev-tools"' })), manifest), {
        packages: ['a@1.0'],
        open,
      })
    })
  }
})

describe('two versions of one package in poetry.lock', () => {
  test('poetry.lock, two versions of one package: both are tested where both apply, even if one would suffice', async () => {
    const lock = lockOf(
      entryOf('a', { groups: '"main", "dev"', markers: '{main = "extra == \\"x\\""}' }),
      entryOf('a', { version: '2.0', groups: '"dev"' }),
    )
    const manifest =
      '[project]\nname = "p"\nversion = "1"\n[project.optional-dependencies]\nx = ["a==1.0"]\n[dependency-groups]\ndev = ["a"]\n'
    assert.deepEqual(await read(lock, manifest), { packages: ['a@1.0', 'a@2.0'], open: [] })
  })

  test('poetry.lock, two versions of one package: the version for other Pythons is omitted', async () => {
    const lock = lockOf(
      entryOf('a', { markers: '"python_version < \\"3.12\\""' }),
      entryOf('a', { version: '2.0', markers: '"python_version >= \\"3.12\\""' }),
    )
    assert.deepEqual((await read(lock)).packages, ['a@2.0'])
  })
})
