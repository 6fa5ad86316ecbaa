import { type PackageJson, REGISTRY, withoutLocks } from './package-json.ts'
import type { ProjectFiles, Spelling } from './spelling.ts'

const DOCS = "npm's documentation, package-lock.json"

interface Entry {
  readonly [member: string]: unknown
}

interface Lock {
  readonly [member: string]: unknown
  readonly packages: Readonly<Record<string, Entry>>
}

interface Written {
  readonly range?: string
  readonly dependency?: string
  readonly tool?: Spelling['tool']
  readonly isAsked?: false
  readonly file?: string
  /** The package.json repeated in the lock, if it differs. */
  readonly repeated?: Entry
  /** Members of the lockfile itself. */
  readonly lock?: object
}

const archive = (version: string) => `${REGISTRY}/lodash/-/lodash-${version}.tgz`
const old: Entry = { version: '4.17.4', resolved: archive('4.17.4') }
const current: Entry = { version: '4.17.21', resolved: archive('4.17.21') }
const key = 'node_modules/lodash'

/** A lock of version 3 whose entries a project's own lock gets; a project without lock has no dependencies of its own. */
function locked(name: string, entries: Readonly<Record<string, Entry>>, written: Written = {}): Spelling {
  const { range = '^4.0.0', dependency = 'lodash', tool = 'installs', file = 'package-lock.json' } = written
  return {
    name: `lock: ${name}`,
    source: DOCS,
    tool,
    ...(written.isAsked === false && { isAsked: false }),
    plant(files) {
      const own = lockOf(files)
      if (own === undefined) return undefined
      const json = JSON.parse(files['package.json']!) as PackageJson
      const dependencies = { ...json.dependencies, [dependency]: range }
      const root = { ...own.packages[''], dependencies, ...written.repeated }
      const lock = { ...own, ...written.lock, packages: { ...own.packages, '': root, ...entries } }
      return {
        ...withoutLocks(files),
        'package.json': JSON.stringify({ ...json, dependencies }),
        [file]: JSON.stringify(lock),
      }
    },
  }
}

/** The project's own lock where it has `packages`, or an empty one for a project that asks for nothing. */
function lockOf(files: ProjectFiles): Lock | undefined {
  const { 'package-lock.json': text } = files
  if (text !== undefined) {
    const lock = JSON.parse(text) as Lock
    // Tests would take the project's own lodash for the planted one.
    return lock.packages === undefined || Object.hasOwn(lock.packages, key) ? undefined : lock
  }
  const { dependencies, devDependencies } = JSON.parse(files['package.json']!) as PackageJson
  if (dependencies !== undefined || devDependencies !== undefined) return undefined
  return { lockfileVersion: 3, requires: true, packages: { '': { name: 'project', version: '1.0.0' } } }
}

/** A whole project that replaces the present one. */
function whole(name: string, files: ProjectFiles, { tool = 'installs', isAsked }: Written = {}): Spelling {
  return { name: `lock: ${name}`, source: DOCS, tool, ...(isAsked === false && { isAsked }), plant: () => files }
}

const manifest = (dependencies: object) => JSON.stringify({ name: 'project', version: '1.0.0', dependencies })
const oldLayout = (dependencies: object) =>
  JSON.stringify({ name: 'project', version: '1.0.0', lockfileVersion: 1, requires: true, dependencies })

const entries: readonly Spelling[] = [
  locked('entry', { [key]: old }),
  locked(
    'older tree, which npm 7 and later pass over',
    { [key]: current },
    { lock: { lockfileVersion: 2, dependencies: { lodash: old } }, tool: 'ignores' },
  ),
  locked('entry without an address', { [key]: { version: '4.17.4' } }),
  locked('address false', { [key]: { version: '4.17.4', resolved: false } }),
  locked('newer version than the archive', { [key]: { ...old, version: '4.17.21' } }),
  locked('version with a fourth number', { [key]: { ...old, version: '4.17.4.0' } }, { tool: 'refuses' }),
  locked('version with v', { [key]: { version: 'v4.17.4' } }),
  locked('version with =', { [key]: { version: '=4.17.4', resolved: archive('4.17.4') } }),
  locked('version that is a tag', { [key]: { ...old, version: 'latest' } }, { tool: 'refuses' }),
  locked('encoded address', { [key]: { ...current, resolved: archive('4%2E17%2E4') } }),
  locked('name of another package', { [key]: { ...old, name: 'harmless' } }),
  locked('extraneous', { [key]: { ...old, extraneous: true } }),
  locked('flagged as a development dependency', { [key]: { ...old, dev: true } }),
  locked('flagged as optional for development', { [key]: { ...old, devOptional: true } }),
  locked('flagged as optional', { [key]: { ...old, optional: true } }),
  locked('flagged as a peer', { [key]: { ...old, peer: true } }),
  locked('flagged as bundled', { [key]: { ...old, inBundle: true } }),
  locked('for this platform', { [key]: { ...old, os: ['linux', 'darwin', 'win32'], cpu: ['x64', 'arm64'] } }),
  locked('deprecated', { [key]: { ...old, deprecated: 'harmless', engines: { node: '*' }, license: 'MIT' } }),
  locked(
    'alias',
    { 'node_modules/harmless': { name: 'lodash', ...old } },
    {
      dependency: 'harmless',
      range: 'npm:lodash@^4.0.0',
    },
  ),
  locked(
    'alias without its name',
    { 'node_modules/harmless': old },
    {
      dependency: 'harmless',
      range: 'npm:lodash@^4.0.0',
    },
  ),
  locked(
    'another package with its archive',
    { 'node_modules/harmless': { ...old, version: '1.0.0' } },
    {
      dependency: 'harmless',
      range: '1.0.0',
    },
  ),
  locked(
    'nested',
    {
      'node_modules/async': {
        version: '2.6.0',
        resolved: `${REGISTRY}/async/-/async-2.6.0.tgz`,
        dependencies: { lodash: '^4.14.0' },
      },
      'node_modules/async/node_modules/lodash': old,
      [key]: current,
    },
    { dependency: 'async', range: '2.6.0' },
  ),
  locked(
    'link to a folder',
    { [key]: { resolved: 'copy', link: true }, copy: { name: 'lodash', version: '4.17.4' } },
    {
      range: 'file:copy',
      isAsked: false,
    },
  ),
  locked(
    'archive of a local path',
    { [key]: { version: '4.17.4', resolved: 'file:lodash-4.17.4.tgz' } },
    {
      range: 'file:lodash-4.17.4.tgz',
      isAsked: false,
    },
  ),
  locked(
    'git repository',
    {
      [key]: { version: '4.17.4', resolved: `git+ssh://git@git.example/lodash/lodash.git#${'a'.repeat(40)}` },
    },
    { range: 'git+ssh://git@git.example/lodash/lodash.git', isAsked: false },
  ),
]

const files: readonly Spelling[] = [
  locked('its version as text', { [key]: old }, { lock: { lockfileVersion: '3' } }),
  locked('its version missing', { [key]: old }, { lock: { lockfileVersion: undefined } }),
  locked('its version unknown', { [key]: old }, { lock: { lockfileVersion: 99 } }),
  locked(
    'version 2 with an older list',
    { [key]: old },
    {
      lock: { lockfileVersion: 2, dependencies: { lodash: old } },
    },
  ),
  locked(
    'version 2 whose older list is harmless',
    { [key]: old },
    {
      lock: { lockfileVersion: 2, dependencies: { lodash: current } },
    },
  ),
  locked(
    'version 2 whose older list alone has it',
    { [key]: current },
    {
      tool: 'ignores',
      lock: { lockfileVersion: 2, dependencies: { lodash: old } },
    },
  ),
  locked('shrinkwrap', { [key]: old }, { file: 'npm-shrinkwrap.json' }),
  locked('package.json asks for another version', { [key]: current }, { range: '4.17.4' }),
  locked('package.json asks for more', {}, { range: '4.17.4', repeated: { dependencies: {} } }),
  locked(
    'package.json asks for more, under another name',
    {},
    {
      dependency: 'harmless',
      range: 'npm:lodash@4.17.4',
      repeated: { dependencies: {} },
    },
  ),
  locked('entry without what the project asks for', {}, { range: '<4.17.5' }),
  locked('key with a step', { './node_modules/lodash': old }),
  locked('key with a step up', { 'node_modules/x/../lodash': old }),
  locked('key with a slash at its end', { 'node_modules/lodash/': old }),
  locked('key with two slashes', { 'node_modules//lodash': old }),
  locked('two keys for one folder', { [key]: current, './node_modules/lodash': old }),
]

const texts: readonly Spelling[] = [
  whole('version 1', {
    'package.json': manifest({ lodash: '^4.0.0' }),
    'package-lock.json': oldLayout({ lodash: old }),
  }),
  whole('version 1, archive without a version', {
    'package.json': manifest({ lodash: '^4.0.0' }),
    'package-lock.json': oldLayout({ lodash: { version: archive('4.17.4') } }),
  }),
  whole('version 1, alias', {
    'package.json': manifest({ harmless: 'npm:lodash@^4.0.0' }),
    'package-lock.json': oldLayout({ harmless: { ...old, version: 'npm:lodash@4.17.4' } }),
  }),
  whole('version 1, nested', {
    'package.json': manifest({ async: '2.6.0', lodash: '^4.0.0' }),
    'package-lock.json': oldLayout({
      async: {
        version: '2.6.0',
        resolved: `${REGISTRY}/async/-/async-2.6.0.tgz`,
        requires: { lodash: '^4.14.0' },
        dependencies: { lodash: old },
      },
      lodash: current,
    }),
  }),
  whole('entry written with an escape', {
    'package.json': manifest({ lodash: '^4.0.0' }),
    'package-lock.json': `{"lockfileVersion":3,"packages":{"":{"name":"project","version":"1.0.0","dependencies":{"lodash":"^4.0.0"}},"node_modules\\u002flod\\u0061sh":${JSON.stringify(old)}}}`,
  }),
  whole('entry written twice, the last wins', {
    'package.json': manifest({ lodash: '^4.0.0' }),
    'package-lock.json': `{"lockfileVersion":3,"packages":{"":{"name":"project","version":"1.0.0","dependencies":{"lodash":"^4.0.0"}},"${key}":${JSON.stringify(current)},"${key}":${JSON.stringify(old)}}}`,
  }),
  whole('byte order mark', {
    'package.json': manifest({ lodash: '^4.0.0' }),
    'package-lock.json': `\uFEFF${oldLayout({ lodash: old })}`,
  }),
  whole('shrinkwrap wins over the lock', {
    'package.json': manifest({ lodash: '^4.0.0' }),
    'package-lock.json': oldLayout({ lodash: current }),
    'npm-shrinkwrap.json': oldLayout({ lodash: old }),
  }),
  whole('hidden lock of an older state', {
    'package.json': manifest({ lodash: '4.17.4' }),
    'node_modules/.package-lock.json': JSON.stringify({ lockfileVersion: 3, packages: { [key]: current } }),
  }),
  whole('workspace', {
    'package.json': '{"name":"project","version":"1.0.0","workspaces":["packages/*"]}',
    'packages/member/package.json': '{"name":"member","version":"1.0.0","dependencies":{"lodash":"^4.0.0"}}',
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { name: 'project', version: '1.0.0', workspaces: ['packages/*'] },
        'node_modules/member': { resolved: 'packages/member', link: true },
        'packages/member': { version: '1.0.0', dependencies: { lodash: '^4.0.0' } },
        'packages/member/node_modules/lodash': old,
        [key]: current,
      },
    }),
  }),
  whole('workspace that the lock does not know', {
    'package.json': '{"name":"project","version":"1.0.0","workspaces":["packages/*"]}',
    'packages/member/package.json': '{"name":"member","version":"1.0.0","dependencies":{"lodash":"4.17.4"}}',
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: { '': { name: 'project', version: '1.0.0', workspaces: ['packages/*'] } },
    }),
  }),
]

export const npmLocks: readonly Spelling[] = [...entries, ...files, ...texts]
