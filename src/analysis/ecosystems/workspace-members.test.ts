import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import { filesBeside, findProjects, isWanted, projectsBelow } from '../discovery/projects-in-tree/find-projects.ts'
import type { Tree } from '../discovery/projects-in-tree/tree.ts'
import { folderOf, resolve, seenFrom } from '../discovery/projects-in-tree/tree-paths.ts'
import { getEcosystem } from './index.ts'

/** Reads the only project below a folder of a tree, as the test of that folder does. */
async function readBelow(folder: string, files: Readonly<Record<string, string>>, includeDev: boolean) {
  const tree: Tree = {
    paths: new Set(Object.keys(files).filter(isWanted)),
    read: async (paths) => new Map(paths.flatMap((path) => (path in files ? [[path, files[path]!]] : []))),
  }
  const [project, ...others] = projectsBelow(await findProjects(tree), folder)
  assert.deepEqual(others, [])
  const { ecosystem, path, workspace } = project!
  const beside = await filesBeside(project!, tree)
  const manifest = {
    target: files[path]!,
    additional: beside.map((beside) => files[resolve(folderOf(path), beside.seen)!]!),
    places: {
      target: path,
      additional: beside.map(({ seen }) => seen),
      ...(workspace !== undefined && { member: seenFrom(workspace, folderOf(path)) }),
    },
  }
  const options = { includeDev, repositories: [], limits: { maxNodes: 100 } }
  const { graph, unresolved, filesRead, boundsMet } = await getEcosystem(ecosystem).read(
    manifest,
    noRegistries,
    options,
  )
  return {
    ecosystem,
    path,
    name: graph.nodes[0]!.package.name,
    packages: graph.nodes
      .slice(1)
      .map(({ package: { name, version } }) => `${name}@${version}`)
      .sort(),
    unresolved: unresolved.map(({ code, name }) => `${code} ${name}`),
    filesRead,
    boundsMet,
  }
}

const json = (content: object) => JSON.stringify(content)

/** A workspace: a requires c, whose devDependencies do not count; b is another member. */
function javaScript(own: string): Record<string, string> {
  const members = {
    a: { dependencies: { lodash: '^4.17.0', c: own }, devDependencies: { minimist: '0.0.8' } },
    b: { dependencies: { minimist: '1.2.0' } },
    c: { dependencies: { debug: '2.6.8' }, devDependencies: { qs: '6.5.1' } },
  }
  return {
    'package.json': json({ name: 'root', private: true, workspaces: ['packages/*'], dependencies: { once: '1.4.0' } }),
    ...Object.fromEntries(
      Object.entries(members).map(([name, member]) => [
        `packages/${name}/package.json`,
        json({ name, version: '1.0.0', ...member }),
      ]),
    ),
  }
}

const versions = { debug: '2.6.8', lodash: '4.17.4', ms: '2.0.0', once: '1.4.0', qs: '6.5.1' }
const below = (name: string) => (name === 'debug' ? { dependencies: { ms: '2.0.0' } } : {})

const packageLock = json({
  name: 'root',
  lockfileVersion: 3,
  packages: {
    '': { name: 'root', workspaces: ['packages/*'], dependencies: { once: '1.4.0' } },
    ...Object.fromEntries(
      Object.entries(versions).map(([name, version]) => [`node_modules/${name}`, { version, ...below(name) }]),
    ),
    'node_modules/minimist': { version: '1.2.0' },
    'node_modules/a': { resolved: 'packages/a', link: true },
    'node_modules/b': { resolved: 'packages/b', link: true },
    'node_modules/c': { resolved: 'packages/c', link: true },
    'packages/a': {
      version: '1.0.0',
      dependencies: { c: '1.0.0', lodash: '^4.17.0' },
      devDependencies: { minimist: '0.0.8' },
    },
    'packages/a/node_modules/minimist': { version: '0.0.8', dev: true },
    'packages/b': { version: '1.0.0', dependencies: { minimist: '1.2.0' } },
    'packages/c': { version: '1.0.0', dependencies: { debug: '2.6.8' }, devDependencies: { qs: '6.5.1' } },
  },
})

const ranges: Readonly<Record<string, string>> = { ...versions, lodash: '^4.17.0' }
const twice = [...Object.entries(versions), ['minimist', '0.0.8'], ['minimist', '1.2.0']] as const
const rangeOf = (name: string, version: string) => (name === 'minimist' ? version : ranges[name]!)
const yarnV1 = `# yarn lockfile v1\n\n${twice
  .map(
    ([name, version]) =>
      `${name}@${rangeOf(name, version)}:\n  version "${version}"\n  resolved "https://registry.example/${name}/-/${name}-${version}.tgz"\n${name === 'debug' ? '  dependencies:\n    ms "2.0.0"\n' : ''}\n`,
  )
  .join('')}`
const berry = `__metadata:\n  version: 8\n\n${twice
  .map(
    ([name, version]) =>
      `"${name}@npm:${rangeOf(name, version)}":\n  version: ${version}\n  resolution: "${name}@npm:${version}"\n${name === 'debug' ? '  dependencies:\n    ms: "npm:2.0.0"\n' : ''}  languageName: node\n  linkType: hard\n\n`,
  )
  .join('')}"a@workspace:packages/a":
  version: 0.0.0-use.local
  resolution: "a@workspace:packages/a"
  dependencies:
    c: "npm:1.0.0"
    lodash: "npm:^4.17.0"
    minimist: "npm:0.0.8"
  languageName: unknown
  linkType: soft

"b@workspace:packages/b":
  version: 0.0.0-use.local
  resolution: "b@workspace:packages/b"
  dependencies:
    minimist: "npm:1.2.0"
  languageName: unknown
  linkType: soft

"c@npm:1.0.0, c@workspace:packages/c":
  version: 0.0.0-use.local
  resolution: "c@workspace:packages/c"
  dependencies:
    debug: "npm:2.6.8"
    qs: "npm:6.5.1"
  languageName: unknown
  linkType: soft

"root@workspace:.":
  version: 0.0.0-use.local
  resolution: "root@workspace:."
  dependencies:
    once: "npm:1.4.0"
  languageName: unknown
  linkType: soft
`
const pin = (name: string, specifier: string, version: string) =>
  `      ${name}:\n        specifier: ${specifier}\n        version: ${version}\n`
const pnpmLock = `lockfileVersion: '9.0'

importers:

  .:
    dependencies:
${pin('once', '1.4.0', '1.4.0')}
  packages/a:
    dependencies:
${pin('c', 'workspace:*', 'link:../c')}${pin('lodash', '^4.17.0', '4.17.4')}    devDependencies:
${pin('minimist', '0.0.8', '0.0.8')}
  packages/b:
    dependencies:
${pin('minimist', '1.2.0', '1.2.0')}
  packages/c:
    dependencies:
${pin('debug', '2.6.8', '2.6.8')}    devDependencies:
${pin('qs', '6.5.1', '6.5.1')}
packages:

${twice.map(([name, version]) => `  ${name}@${version}:\n    resolution: {integrity: sha512-${name}${version}==}\n`).join('\n')}
snapshots:

${twice.map(([name, version]) => `  ${name}@${version}:${name === 'debug' ? '\n    dependencies:\n      ms: 2.0.0\n' : ' {}\n'}`).join('\n')}`
const bunLock = json({
  lockfileVersion: 1,
  workspaces: {
    '': { name: 'root', dependencies: { once: '1.4.0' } },
    'packages/a': {
      name: 'a',
      dependencies: { c: '1.0.0', lodash: '^4.17.0' },
      devDependencies: { minimist: '0.0.8' },
    },
    'packages/b': { name: 'b', dependencies: { minimist: '1.2.0' } },
    'packages/c': { name: 'c', dependencies: { debug: '2.6.8' }, devDependencies: { qs: '6.5.1' } },
  },
  packages: {
    ...Object.fromEntries(
      Object.entries(versions).map(([name, version]) => [
        name,
        [`${name}@${version}`, '', below(name), `sha512-${name}==`],
      ]),
    ),
    a: ['a@workspace:packages/a'],
    b: ['b@workspace:packages/b'],
    c: ['c@workspace:packages/c'],
    minimist: ['minimist@1.2.0', '', {}, 'sha512-m=='],
    'a/minimist': ['minimist@0.0.8', '', {}, 'sha512-n=='],
  },
})

const cases: [name: string, ecosystem: string, lock: string, files: Record<string, string>][] = [
  [
    'npm',
    'npm',
    '../../package-lock.json (lockfileVersion 3)',
    { ...javaScript('1.0.0'), 'package-lock.json': packageLock },
  ],
  ['Yarn 1', 'yarn', '../../yarn.lock (v1)', { ...javaScript('1.0.0'), 'yarn.lock': yarnV1 }],
  ['Yarn', 'yarn', '../../yarn.lock (version 8)', { ...javaScript('1.0.0'), 'yarn.lock': berry }],
  [
    'pnpm',
    'pnpm',
    '../../pnpm-lock.yaml (lockfileVersion 9.0)',
    {
      ...javaScript('workspace:*'),
      'pnpm-lock.yaml': pnpmLock,
      'pnpm-workspace.yaml': 'packages: ["packages/*"]\n',
    },
  ],
  ['Bun', 'bun', '../../bun.lock (lockfileVersion 1)', { ...javaScript('1.0.0'), 'bun.lock': bunLock }],
]

describe('a workspace member that is tested alone', () => {
  for (const [name, ecosystem, lock, files] of cases) {
    test(`${name}: has the versions of the workspace's lock, and what the members that it requires need`, async () => {
      const read = await readBelow('packages/a', files, true)
      assert.deepEqual(
        { ...read, filesRead: read.filesRead.includes(lock) },
        {
          ecosystem,
          path: 'packages/a/package.json',
          name: 'a',
          packages: ['debug@2.6.8', 'lodash@4.17.4', 'minimist@0.0.8', 'ms@2.0.0'],
          unresolved: [],
          filesRead: true,
          boundsMet: [],
        },
      )
      const production = await readBelow('packages/a', files, false)
      assert.deepEqual(production.packages, ['debug@2.6.8', 'lodash@4.17.4', 'ms@2.0.0'])
    })
  }

  test('npm: the overrides of the workspace hold without a lock too', async () => {
    const files = {
      'package.json': json({ workspaces: ['a'], overrides: { ms: 'https://elsewhere.example/ms.tgz' } }),
      'a/package.json': json({ name: 'a', dependencies: { ms: '^2.0.0' } }),
    }
    const { unresolved, filesRead } = await readBelow('a', files, false)
    assert.deepEqual([unresolved, filesRead], [['not-from-registry ms'], ['package.json', '../package.json']])
  })

  test('uv: has the versions of the workspace, without those of other members', async () => {
    const project = (name: string, more: string) => `[project]\nname = "${name}"\nversion = "1"\n${more}\n`
    const locked = (name: string, version: string, more = '') =>
      `[[package]]\nname = "${name}"\nversion = "${version}"\nsource = { registry = "https://registry.example/simple" }\n${more}\n`
    const own = (name: string, source: string, requires: string[]) =>
      `[[package]]\nname = "${name}"\nversion = "1"\nsource = { ${source} }\ndependencies = [${requires.map((require) => `{ name = "${require}" }`)}]\n`
    const lock = [
      'version = 1\nrequires-python = ">=3.9"\n',
      '[manifest]\nmembers = ["a", "b", "c", "root"]\n',
      own('root', 'virtual = "."', ['click-log']),
      own('a', 'editable = "packages/a"', ['jinja2', 'b']),
      own('b', 'editable = "packages/b"', ['click']),
      own('c', 'editable = "packages/c"', ['toml']),
      locked('click-log', '3.4'),
      locked('jinja2', '3.1.2', 'dependencies = [{ name = "colors" }]'),
      locked('colors', '2.1.5'),
      locked('click', '8.1.3'),
      locked('toml', '0.10.2'),
    ].join('\n')
    const read = await readBelow(
      'packages/a',
      {
        'pyproject.toml': project(
          'root',
          'dependencies = ["click-log"]\n[tool.uv.workspace]\nmembers = ["packages/*"]',
        ),
        'uv.lock': lock,
        'packages/a/pyproject.toml': project('a', 'dependencies = ["jinja2", "b"]'),
        'packages/b/pyproject.toml': project('b', 'dependencies = ["click"]'),
        'packages/c/pyproject.toml': project('c', 'dependencies = ["toml"]'),
      },
      true,
    )
    assert.deepEqual(
      [read.path, read.packages, read.boundsMet],
      ['packages/a/pyproject.toml', ['click@8.1.3', 'colors@2.1.5', 'jinja2@3.1.2'], []],
    )
    assert.ok(read.filesRead.includes('../../uv.lock'))
  })

  test('a member with its own lock, and a folder that the workspace does not name, are projects without it', async () => {
    const files = {
      ...javaScript('1.0.0'),
      'package-lock.json': packageLock,
      'packages/own/package.json': json({ name: 'own' }),
      'packages/own/package-lock.json': json({ lockfileVersion: 3, packages: { '': { name: 'own' } } }),
      'tools/package.json': json({ name: 'tools' }),
    }
    assert.deepEqual((await readBelow('packages/own', files, true)).packages, [])
    assert.deepEqual((await readBelow('tools', files, true)).filesRead, ['package.json'])
  })
})
