import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isInstalled } from './installed.ts'
import { npmLocks } from './npm-locks.ts'
import { asText, depending, inManifest, REGISTRY } from './package-json.ts'
import type { Hidden, Sabotage, Spelling } from './spelling.ts'

const hidden: Hidden = { name: 'lodash', version: '4.17.4' }
const DOCS = "npm's documentation, package.json"
const declare = inManifest(DOCS)

function asking(name: string, range: string, tool: Spelling['tool'] = 'installs'): Spelling {
  return declare(name, (json) => depending(json, { lodash: range }), { tool })
}

/** A source other than the registry, which a test does not have. */
function from(name: string, source: string, dependency = 'lodash'): Spelling {
  return declare(name, (json) => depending(json, { [dependency]: source }), { isAsked: false })
}

/** async 2.6.0 asks for lodash ^4.14.0. */
function overriding(name: string, overrides: object, tool: Spelling['tool'] = 'installs'): Spelling {
  return declare(name, (json) => depending(json, { async: '2.6.0' }, { overrides }), { tool })
}

const ranges: readonly Spelling[] = [
  asking('exact version', '4.17.4'),
  asking('exact version with v', 'v4.17.4'),
  asking('exact version with =', '=4.17.4'),
  asking('exact version with = and v', '=v4.17.4'),
  asking('white space around the version', '  4.17.4 '),
  asking('tabs and line breaks around the version', '\t4.17.4\n'),
  asking('hyphen range', '4.17.3 - 4.17.4'),
  asking('hyphen range of parts', '4.17.4 - 4.17.4 || 3 - 3.1'),
  asking('two bounds', '>=4.17.4 <4.17.5'),
  asking('two bounds with v', '>=v4.17.4 <v4.17.5'),
  asking('bounds with white space', '>= 4.17.4 <= 4.17.4'),
  asking('upper bound', '<4.17.5'),
  asking('upper bound, itself included', '<=4.17.4'),
  asking('upper bound of a pre-release', '<4.17.5-0'),
  asking('tilde and bound', '~4.17.0 <4.17.5'),
  asking('tilde with arrow and bound', '~>4.17.0 <=4.17.4'),
  asking('caret and bound', '^4.0.0 <4.17.5'),
  asking('x and bound', '4.17.x <4.17.5'),
  asking('X and bound', '4.X.X <4.17.5'),
  asking('star and bound', '* <4.17.5'),
  asking('part and bound', '4 <4.17.5'),
  asking('the same version twice', '4.17.4 4.17.4'),
  asking('alternatives', '99 || 4.17.4'),
  asking('alternatives without white space', '99||4.17.4||>98 <98'),
  asking('pre-release bounds', '>=4.17.4-alpha.1 <4.17.5-alpha'),
  asking('build metadata', '4.17.4+build'),
  asking('build metadata in a bound', '<=4.17.4+build.7'),
  asking('no range', '', 'ignores'),
  asking('star', '*', 'ignores'),
  asking('x', 'x', 'ignores'),
  asking('tag', 'latest', 'ignores'),
  asking('tag that nothing has', 'no-such-tag', 'refuses'),
]

const sources: readonly Spelling[] = [
  asking('alias of itself', 'npm:lodash@4.17.4'),
  declare('alias under another name', (json) => depending(json, { harmless: 'npm:lodash@4.17.4' })),
  declare('alias with a scope', (json) => depending(json, { '@scope/harmless': 'npm:lodash@4.17.4' })),
  declare('alias of a range', (json) => depending(json, { harmless: 'npm:lodash@<4.17.5 >4.17.3' })),
  declare('alias of an optional dependency', (json) => ({
    ...json,
    optionalDependencies: { harmless: 'npm:lodash@4.17.4' },
  })),
  declare('two aliases', (json) => depending(json, { a: 'npm:lodash@4.17.21', b: 'npm:lodash@4.17.4' })),
  declare('alias without a version', (json) => depending(json, { harmless: 'npm:lodash' }), { tool: 'ignores' }),
  declare('alias of an alias', (json) => depending(json, { harmless: 'npm:npm:lodash@4.17.4' }), { tool: 'refuses' }),
  from('tarball of the registry', `${REGISTRY}/lodash/-/lodash-4.17.4.tgz`),
  from('tarball under another name', `${REGISTRY}/lodash/-/lodash-4.17.4.tgz`, 'harmless'),
  from('tarball of a local path', 'file:lodash-4.17.4.tgz'),
  from('tarball of a local path without protocol', './lodash-4.17.4.tgz'),
  from('git repository', 'git+https://git.example/lodash/lodash.git#4.17.4'),
  from('git repository with a range of tags', 'git+ssh://git@git.example/lodash/lodash.git#semver:4.17.4'),
  from('git repository in the manner of scp', 'git@git.example:lodash/lodash.git#4.17.4'),
  from('GitHub repository', 'github:lodash/lodash#4.17.4'),
  from('GitHub repository without host', 'lodash/lodash#4.17.4'),
  from('GitHub repository with a range of tags', 'lodash/lodash#semver:<4.17.5'),
  from('gist', 'gist:11081aaa281#4.17.4'),
  from('GitLab repository', 'gitlab:lodash/lodash#4.17.4', 'harmless'),
  from('Bitbucket repository', 'bitbucket:lodash/lodash#4.17.4'),
  ...['file:copy', './copy', 'file:./copy/'].map((path) =>
    declare(`folder ${path}`, (json) => depending(json, { lodash: path }), {
      others: { 'copy/package.json': '{"name":"lodash","version":"4.17.4"}' },
    }),
  ),
  declare('folder that asks for it', (json) => depending(json, { harmless: 'file:copy' }), {
    others: { 'copy/package.json': '{"name":"harmless","version":"1.0.0","dependencies":{"lodash":"4.17.4"}}' },
  }),
  declare('protocol of another tool', (json) => depending(json, { lodash: 'link:copy' }), {
    tool: 'refuses',
    others: { 'copy/package.json': '{"name":"lodash","version":"4.17.4"}' },
  }),
]

const member = (dependencies: object, name = 'member') => JSON.stringify({ name, version: '1.0.0', ...dependencies })
const asksForIt = { dependencies: { lodash: '4.17.4' } }

const members: readonly Spelling[] = [
  declare('optional dependency', (json) => ({ ...json, optionalDependencies: { lodash: '4.17.4' } })),
  declare('peer dependency', (json) => ({ ...json, peerDependencies: { lodash: '4.17.4' } })),
  declare(
    'optional peer dependency',
    (json) => ({
      ...json,
      peerDependencies: { lodash: '4.17.4' },
      peerDependenciesMeta: { lodash: { optional: true } },
    }),
    { tool: 'ignores' },
  ),
  declare('optional peer that is a dependency, too', (json) =>
    depending(
      json,
      { lodash: '4.17.4' },
      { peerDependencies: { lodash: '*' }, peerDependenciesMeta: { lodash: { optional: true } } },
    ),
  ),
  declare('peer that is not optional', (json) => ({
    ...json,
    peerDependencies: { lodash: '4.17.4' },
    peerDependenciesMeta: { lodash: { optional: false }, other: { optional: true } },
  })),
  declare('optional wins over required', (json) => ({
    ...depending(json, { lodash: '4.17.21' }),
    optionalDependencies: { lodash: '4.17.4' },
  })),
  declare('development wins over required', (json) => ({
    ...depending(json, { lodash: '4.17.21' }),
    devDependencies: { lodash: '4.17.4' },
  })),
  declare('development wins over optional', (json) => ({
    ...json,
    optionalDependencies: { lodash: '4.17.21' },
    devDependencies: { lodash: '4.17.4' },
  })),
  declare('required wins over peer', (json) =>
    depending(json, { lodash: '4.17.4' }, { peerDependencies: { lodash: '>=4' } }),
  ),
  declare('bundled dependency', (json) => depending(json, { lodash: '4.17.4' }, { bundleDependencies: ['lodash'] })),
  declare('all dependencies bundled', (json) => depending(json, { lodash: '4.17.4' }, { bundledDependencies: true })),
  declare('engines that nothing meets', (json) => depending(json, { lodash: '4.17.4' }, { engines: { node: '0.1' } })),
  declare('optional members that are null', (json) =>
    depending(json, { lodash: '4.17.4' }, { optionalDependencies: null, peerDependencies: null, overrides: null }),
  ),
  declare('workspace', (json) => ({ ...json, workspaces: ['packages/*'] }), {
    others: { 'packages/member/package.json': member(asksForIt) },
  }),
  declare('workspaces as an object', (json) => ({ ...json, workspaces: { packages: ['packages/member'] } }), {
    others: { 'packages/member/package.json': member(asksForIt) },
  }),
  declare('optional dependency of a workspace', (json) => ({ ...json, workspaces: ['./packages/member'] }), {
    others: { 'packages/member/package.json': member({ optionalDependencies: { lodash: '4.17.4' } }) },
  }),
  declare('peer dependency of a workspace', (json) => ({ ...json, workspaces: ['packages/**'] }), {
    others: { 'packages/member/package.json': member({ peerDependencies: { lodash: '4.17.4' } }) },
  }),
  declare('workspace without a name', (json) => ({ ...json, workspaces: ['packages/member'] }), {
    others: { 'packages/member/package.json': JSON.stringify(asksForIt) },
  }),
  declare(
    'workspace beside another version of the project',
    (json) => ({
      ...depending(json, { lodash: '4.17.21' }),
      workspaces: ['packages/*'],
    }),
    { others: { 'packages/member/package.json': member(asksForIt) } },
  ),
  declare('overrides of a workspace', (json) => ({ ...json, workspaces: ['packages/*'] }), {
    tool: 'ignores',
    others: {
      'packages/member/package.json': member({ dependencies: { async: '2.6.0' }, overrides: { lodash: '4.17.4' } }),
    },
  }),
]

const overrides: readonly Spelling[] = [
  overriding('override', { lodash: '4.17.4' }),
  overriding('override with white space', { lodash: ' =4.17.4 ' }),
  overriding('override by a range', { lodash: '<4.17.5' }),
  overriding('override by an alias', { lodash: 'npm:lodash@4.17.4' }),
  overriding('override of a package itself', { lodash: { '.': '4.17.4' } }),
  overriding('nested override', { async: { lodash: '4.17.4' } }),
  overriding('nested override with the package itself', { async: { '.': '2.6.0', lodash: '4.17.4' } }),
  overriding('override nested below a range', { 'async@2': { lodash: '4.17.4' } }, 'refuses'),
  overriding('override nested below a version', { 'async@2.6.0': { lodash: { '.': '4.17.4' } } }),
  overriding('override of a range', { 'lodash@^4.14.0': '4.17.4' }),
  overriding('override of a range that overlaps', { 'lodash@4.17.x': '4.17.4' }),
  overriding('override of another range', { 'lodash@^3': '4.17.4' }, 'ignores'),
  overriding('override below another version', { 'async@3': { lodash: '4.17.4' } }, 'ignores'),
  overriding('override below another package', { other: { lodash: '4.17.4' } }, 'ignores'),
  overriding('the nearer override wins', { lodash: '4.17.21', async: { lodash: '4.17.4' } }),
  overriding('the first of two keys wins', { 'lodash@4': '4.17.4', lodash: '4.17.21' }),
  declare('override through a reference', (json) =>
    depending(json, { async: '2.6.0', lodash: '4.17.4' }, { overrides: { async: { lodash: '$lodash' } } }),
  ),
  declare('override of a direct dependency through a reference', (json) =>
    depending(json, { lodash: '4.17.4' }, { overrides: { lodash: '$lodash' } }),
  ),
  declare('override below an alias', (json) =>
    depending(json, { harmless: 'npm:async@2.6.0' }, { overrides: { lodash: '4.17.4' } }),
  ),
  declare(
    'override against a direct dependency',
    (json) => depending(json, { lodash: '^4.17.0' }, { overrides: { lodash: '4.17.4' } }),
    { tool: 'refuses' },
  ),
  declare(
    'override for a workspace',
    (json) => ({ ...json, workspaces: ['packages/*'], overrides: { lodash: '4.17.4' } }),
    {
      others: { 'packages/member/package.json': member({ dependencies: { async: '2.6.0' } }) },
    },
  ),
  declare(
    'resolutions, which are those of another tool',
    (json) => depending(json, { async: '2.6.0' }, { resolutions: { lodash: '4.17.4' } }),
    { tool: 'ignores' },
  ),
]

const texts: readonly Spelling[] = [
  asText(
    'member written with an escape',
    'RFC 8259 §7',
    '{"name":"project","version":"1.0.0","dep\\u0065ndencies":{"lod\\u0061sh":"4.17.4"}}',
  ),
  asText(
    'version written with escapes',
    'RFC 8259 §7',
    '{"name":"project","version":"1.0.0","dependencies":{"lodash":"\\u0034.17\\u002e4"}}',
  ),
  asText(
    'dependencies written twice, the last wins',
    'RFC 8259 §4',
    '{"name":"project","version":"1.0.0","dependencies":{"lodash":"4.17.21"},"dependencies":{"lodash":"4.17.4"}}',
  ),
  asText(
    'dependency written twice, the last wins',
    'RFC 8259 §4',
    '{"name":"project","version":"1.0.0","dependencies":{"lodash":"4.17.21","lodash":"4.17.4"}}',
  ),
  asText(
    'byte order mark',
    "npm's JSON reader strips it",
    '\uFEFF{"name":"project","version":"1.0.0","dependencies":{"lodash":"4.17.4"}}',
  ),
  asText('carriage returns', DOCS, '{\r\n"name":"project",\r"dependencies":\r\n{"lodash":"4.17.4"}}\r\n'),
  asText('neither name nor version', DOCS, '{"dependencies":{"lodash":"4.17.4"}}'),
  asText('dependencies as a list', DOCS, '{"dependencies":["lodash@4.17.4"]}', 'refuses'),
  asText('dependencies as text', DOCS, '{"dependencies":"lodash@4.17.4"}', 'refuses'),
  asText('optional dependencies as a list', DOCS, '{"optionalDependencies":["lodash@4.17.4"]}', 'refuses'),
  asText('dependency as an object', DOCS, '{"dependencies":{"lodash":{"version":"4.17.4"}}}', 'refuses'),
  asText('comment', DOCS, '{/* harmless */"dependencies":{"lodash":"4.17.4"}}', 'refuses'),
  asText('member in capitals', DOCS, '{"Dependencies":{"lodash":"4.17.4"}}', 'ignores'),
]

export const npm: Sabotage = {
  ecosystem: 'npm',
  hidden,
  target: 'package.json',
  base: { 'package.json': '{"name":"project","version":"1.0.0"}' },
  spellings: [...ranges, ...sources, ...members, ...overrides, ...texts, ...npmLocks],
  async ask(folder, { name, version }) {
    const run = promisify(execFile)
    const settings = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--prefer-offline']
    const { stdout } = await run('npm', ['config', 'get', 'registry'])
    for (const path of globSync('**/*.json', { cwd: folder })) {
      const text = await readFile(join(folder, path), 'utf8')
      await writeFile(join(folder, path), text.replaceAll(REGISTRY, stdout.trim().replace(/\/$/, '')))
    }
    const isLocked = globSync('{package-lock,npm-shrinkwrap}.json', { cwd: folder }).length > 0
    // `npm ci` refuses a lock that contradicts package.json; `npm install` then repairs it.
    for (const command of isLocked ? ['ci', 'install'] : ['install']) {
      try {
        await run('npm', [command, ...settings], { cwd: folder })
      } catch (error) {
        if ((error as { code?: unknown }).code === 'ENOENT') throw error
        continue
      }
      return (await isInstalled(folder, { name, version })) ? 'installs' : 'ignores'
    }
    return 'refuses'
  },
}
