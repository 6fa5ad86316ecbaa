import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isInstalled } from './installed.ts'
import { asText, depending, inManifest, type PackageJson, REGISTRY } from './package-json.ts'
import type { Hidden, Sabotage, Spelling } from './spelling.ts'
import { yarnLocks } from './yarn-locks.ts'

const hidden: Hidden = { name: 'lodash', version: '4.17.4' }
const declare = inManifest("Yarn's documentation, package.json (1.x)")
const inBerry = inManifest("Yarn's documentation, manifest fields and protocols (4.x)")

/** Yarn 2 and later, of which the field and the settings are. */
const BERRY = { packageManager: 'yarn@4.9.2' }

function asking(name: string, range: string, tool: Spelling['tool'] = 'installs'): Spelling {
  return declare(name, (json) => depending(json, { lodash: range }), { tool })
}

function askingBerry(name: string, range: string, more: Parameters<typeof inBerry>[2] = {}): Spelling {
  return inBerry(`berry: ${name}`, (json) => depending(json, { lodash: range }, BERRY), more)
}

/** async 2.6.0 asks for lodash ^4.14.0. */
function resolving(name: string, resolutions: object, tool: Spelling['tool'] = 'installs'): Spelling {
  return declare(name, (json) => depending(json, { async: '2.6.0' }, { resolutions }), { tool })
}

function resolvingBerry(name: string, resolutions: object, tool: Spelling['tool'] = 'installs'): Spelling {
  const change = (json: PackageJson) => depending(json, { async: '2.6.0' }, { ...BERRY, resolutions })
  return inBerry(`berry: ${name}`, change, { tool })
}

const copy = { 'copy/package.json': '{"name":"lodash","version":"4.17.4"}' }
const member = (members: object) => ({
  'packages/member/package.json': JSON.stringify({ name: 'member', version: '1.0.0', ...members }),
})
const workspaces = { private: true, workspaces: ['packages/*'] }
const asksForIt = { dependencies: { lodash: '4.17.4' } }

const classic: readonly Spelling[] = [
  asking('exact version', '4.17.4'),
  asking('exact version with v', 'v4.17.4'),
  asking('white space around the version', ' 4.17.4 '),
  asking('hyphen range', '4.17.3 - 4.17.4'),
  asking('bounds with white space', '>= 4.17.4 <= 4.17.4'),
  asking('tilde and bound', '~4.17.0 <4.17.5'),
  asking('alternatives', '99 || 4.17.4'),
  asking('no range', '', 'refuses'),
  asking('star', '*', 'ignores'),
  asking('alias of itself', 'npm:lodash@4.17.4'),
  declare('alias under another name', (json) => depending(json, { harmless: 'npm:lodash@4.17.4' })),
  declare('alias with a scope', (json) => depending(json, { '@scope/harmless': 'npm:lodash@<4.17.5' })),
  declare('tarball', (json) => depending(json, { harmless: `${REGISTRY}/lodash/-/lodash-4.17.4.tgz` })),
  declare('git repository', (json) => depending(json, { lodash: 'https://git.example/lodash.git#4.17.4' }), {
    isAsked: false,
  }),
  declare('GitHub repository', (json) => depending(json, { lodash: 'lodash/lodash#4.17.4' }), { isAsked: false }),
  ...['file:copy', './copy', 'link:copy'].map((path) =>
    declare(`folder ${path}`, (json) => depending(json, { lodash: path }), { others: copy }),
  ),
  declare('optional dependency', (json) => ({ ...json, optionalDependencies: { lodash: '4.17.4' } })),
  declare('peer dependency', (json) => ({ ...json, peerDependencies: { lodash: '4.17.4' } }), { tool: 'ignores' }),
  declare('optional beside required', (json) => ({
    ...depending(json, { lodash: '4.17.21' }),
    optionalDependencies: { lodash: '4.17.4' },
  })),
  declare(
    'development beside required',
    (json) => ({ ...depending(json, { lodash: '4.17.21' }), devDependencies: { lodash: '4.17.4' } }),
    { tool: 'ignores' },
  ),
  declare('required beside development', (json) => ({
    ...depending(json, { lodash: '4.17.4' }),
    devDependencies: { lodash: '4.17.21' },
  })),
  declare('flat', (json) => depending(json, { lodash: '4.17.4' }, { flat: true })),
  declare('workspace', (json) => ({ ...json, ...workspaces }), { others: member(asksForIt) }),
  declare(
    'workspaces as an object',
    (json) => ({ ...json, private: true, workspaces: { packages: ['packages/*'], nohoist: ['**'] } }),
    { others: member(asksForIt) },
  ),
  resolving('resolution', { lodash: '4.17.4' }),
  resolving('resolution anywhere', { '**/lodash': '4.17.4' }),
  resolving('resolution below a package', { 'async/lodash': '4.17.4' }),
  resolving('resolution deep below a package', { 'async/**/lodash': '4.17.4' }),
  resolving('resolution below a package anywhere', { '**/async/lodash': '4.17.4' }),
  resolving('resolution below a pattern', { 'a*/lodash': '4.17.4' }),
  resolving('resolution below alternatives', { '{async,other}/lodash': '4.17.4' }),
  resolving('resolution below one character', { 'asyn?/lodash': '4.17.4' }),
  resolving('resolution below any package', { '*/lodash': '4.17.4' }),
  resolving('resolution by a range', { lodash: '<4.17.5' }),
  resolving('resolution by an alias', { lodash: 'npm:lodash@4.17.4' }),
  resolving('resolution below another package', { 'other/lodash': '4.17.4' }, 'ignores'),
  resolving('resolution of a place before another', { 'other/async/lodash': '4.17.21', 'async/lodash': '4.17.4' }),
  declare('resolution of other places', (json) =>
    depending(json, { lodash: '4.17.4' }, { resolutions: { 'other/**/lodash': '4.17.21' } }),
  ),
  declare('resolution below a pattern of other packages', (json) =>
    depending(json, { lodash: '4.17.4' }, { resolutions: { 'other*/lodash': '4.17.21' } }),
  ),
  declare('resolution of a direct dependency, which does not hold', (json) =>
    depending(json, { lodash: '4.17.4' }, { resolutions: { lodash: '4.17.21' } }),
  ),
  declare('resolution of a direct dependency anywhere, which does not hold', (json) =>
    depending(json, { lodash: '4.17.4' }, { resolutions: { '**/lodash': '4.17.21' } }),
  ),
  declare(
    'overrides, which are those of another tool',
    (json) => depending(json, { async: '2.6.0' }, { overrides: { lodash: '4.17.4' } }),
    { tool: 'ignores' },
  ),
  asText('byte order mark', 'Yarn 1.x strips it', '\uFEFF{"name":"project","dependencies":{"lodash":"4.17.4"}}'),
  asText(
    'member written with an escape',
    'RFC 8259 §7',
    '{"name":"project","dep\\u0065ndencies":{"lod\\u0061sh":"4.17.4"}}',
  ),
]

const settings = (text: string) => ({ others: { '.yarnrc.yml': text } })

const berry: readonly Spelling[] = [
  askingBerry('exact version', '4.17.4'),
  askingBerry('protocol of the registry', 'npm:4.17.4'),
  askingBerry('protocol with a range', 'npm:<4.17.5'),
  askingBerry('protocol with white space', 'npm: >=4.17.4 <4.17.5', { tool: 'installs' }),
  askingBerry('alias of itself', 'npm:lodash@4.17.4'),
  askingBerry('alias of itself by a range', 'npm:lodash@~4.17.0 <4.17.5'),
  inBerry('berry: alias under another name', (json) => depending(json, { harmless: 'npm:lodash@4.17.4' }, BERRY)),
  askingBerry('patch', 'patch:lodash@npm%3A4.17.4#./fix.patch', { isAsked: false }),
  askingBerry('patch without encoding', 'patch:lodash@4.17.4#./fix.patch', { isAsked: false }),
  askingBerry('patch of a built-in', 'patch:lodash@npm%3A4.17.4#optional!builtin<compat/fsevents>', {
    isAsked: false,
  }),
  ...['portal:./copy', 'link:./copy', 'file:./copy'].map((range) =>
    askingBerry(`folder ${range}`, range, { others: copy }),
  ),
  askingBerry('program that writes it', 'exec:./write.js', { isAsked: false }),
  askingBerry('git repository', 'git@git.example:lodash/lodash.git#tag=4.17.4', { isAsked: false }),
  askingBerry('workspace of a repository', 'https://git.example/lodash.git#workspace=lodash&tag=4.17.4', {
    isAsked: false,
  }),
  askingBerry('tarball', `${REGISTRY}/lodash/-/lodash-4.17.4.tgz`),
  askingBerry('registry of another scope', 'jsr:4.17.4', { isAsked: false }),
  askingBerry('catalog', 'catalog:', settings('catalog:\n  lodash: 4.17.4\n')),
  askingBerry('named catalog', 'catalog:old', settings('catalogs:\n  old:\n    lodash: 4.17.4\n')),
  askingBerry('catalog in quotes', 'catalog:', settings('"catalog":\n  "lodash": "npm:4.17.4"\n')),
  askingBerry('catalog in one line', 'catalog:', settings('{catalog: {lodash: 4.17.4}}\n')),
  inBerry(
    'berry: extension of a package',
    (json) => depending(json, { ms: '2.0.0' }, BERRY),
    settings('packageExtensions:\n  "ms@*":\n    dependencies:\n      lodash: 4.17.4\n'),
  ),
  inBerry(
    'berry: extension in quotes',
    (json) => depending(json, { ms: '2.0.0' }, BERRY),
    settings('nodeLinker: node-modules\n"packageExtensions":\n  "ms@*":\n    dependencies:\n      lodash: 4.17.4\n'),
  ),
  inBerry(
    'berry: extension in one line',
    (json) => depending(json, { ms: '2.0.0' }, BERRY),
    settings('{nodeLinker: node-modules, packageExtensions: {"ms@*": {dependencies: {lodash: 4.17.4}}}}\n'),
  ),
  askingBerry('default protocol', '4.17.4', settings('defaultProtocol: "npm:"\n')),
  inBerry('berry: development beside required', (json) => ({
    ...depending(json, { lodash: '4.17.21' }, BERRY),
    devDependencies: { lodash: '4.17.4' },
  })),
  inBerry('berry: resolution of a direct dependency', (json) =>
    depending(json, { lodash: '4.17.21' }, { ...BERRY, resolutions: { lodash: '4.17.4' } }),
  ),
  inBerry('berry: optional dependency', (json) => ({ ...json, ...BERRY, optionalDependencies: { lodash: '4.17.4' } })),
  inBerry('berry: optional by its meta', (json) =>
    depending(json, { lodash: '4.17.4' }, { ...BERRY, dependenciesMeta: { lodash: { optional: true } } }),
  ),
  inBerry('berry: peer dependency', (json) => ({ ...json, ...BERRY, peerDependencies: { lodash: '4.17.4' } }), {
    tool: 'ignores',
  }),
  inBerry('berry: workspace', (json) => ({ ...json, ...BERRY, ...workspaces }), { others: member(asksForIt) }),
  inBerry(
    'berry: workspace that the project asks for',
    (json) => depending(json, { member: 'workspace:^' }, { ...BERRY, ...workspaces }),
    { others: member(asksForIt) },
  ),
  inBerry(
    'berry: workspace by its path',
    (json) => depending(json, { member: 'workspace:packages/member' }, { ...BERRY, ...workspaces }),
    { others: member(asksForIt) },
  ),
  inBerry(
    'berry: workspace of the name of the package',
    (json) => depending(json, { lodash: 'npm:4.17.4' }, { ...BERRY, ...workspaces }),
    { others: { 'packages/member/package.json': '{"name":"lodash","version":"4.17.21"}' } },
  ),
  resolvingBerry('resolution', { lodash: '4.17.4' }),
  resolvingBerry('resolution with the protocol', { lodash: 'npm:4.17.4' }),
  resolvingBerry('resolution of a descriptor', { 'lodash@npm:^4.14.0': '4.17.4' }),
  resolvingBerry('resolution of a range', { 'lodash@^4.14.0': 'npm:4.17.4' }),
  resolvingBerry('resolution below a package', { 'async/lodash': '4.17.4' }),
  resolvingBerry('resolution below a version', { 'async@npm:2.6.0/lodash': '4.17.4' }),
  resolvingBerry('resolution below a version without protocol', { 'async@2.6.0/lodash': '4.17.4' }),
  resolvingBerry('resolution below a descriptor', { 'async/lodash@npm:^4.14.0': '4.17.4' }),
  resolvingBerry('resolution by an alias', { lodash: 'npm:lodash@4.17.4' }),
  resolvingBerry('resolution anywhere, which is none', { '**/lodash': '4.17.21' }, 'ignores'),
  resolvingBerry('resolution of another range', { 'lodash@npm:^3.0.0': '4.17.4' }, 'ignores'),
  resolvingBerry('resolution below another version', { 'async@npm:3.0.0/lodash': '4.17.4' }, 'ignores'),
]

export const yarn: Sabotage = {
  ecosystem: 'yarn',
  hidden,
  target: 'package.json',
  base: { 'package.json': '{"name":"project","version":"1.0.0"}' },
  spellings: [...classic, ...berry, ...yarnLocks],
  /** Yarn 1 and 4 are those that GATEHOUSE_YARN_1 and GATEHOUSE_YARN_4 name: their programs for Node.js. */
  async ask(folder, { name, version }) {
    const run = promisify(execFile)
    const { stdout } = await run('npm', ['config', 'get', 'registry'])
    const registry = stdout.trim().replace(/\/$/, '')
    let isBerry = false
    for (const path of globSync(['**/package.json', 'yarn.lock'], { cwd: folder })) {
      const text = await readFile(join(folder, path), 'utf8')
      isBerry ||= /^\uFEFF?__metadata:|"packageManager":"yarn@4/m.test(text)
      await writeFile(join(folder, path), text.replaceAll(REGISTRY, registry))
    }
    const program = process.env[isBerry ? 'GATEHOUSE_YARN_4' : 'GATEHOUSE_YARN_1']
    if (program === undefined) throw new Error('Name the programs in GATEHOUSE_YARN_1 and GATEHOUSE_YARN_4.')
    const options = isBerry ? ['--mode=skip-build'] : ['--ignore-scripts', '--ignore-engines', '--non-interactive']
    const environment = { YARN_NODE_LINKER: 'node-modules', YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' }
    const settled = isBerry ? { ...environment, YARN_NPM_REGISTRY_SERVER: registry } : { YARN_REGISTRY: registry }
    try {
      await run(process.execPath, [program, 'install', ...options], {
        cwd: folder,
        env: { ...process.env, ...settled, ...(isBerry && { YARN_IGNORE_PATH: '1', YARN_ENABLE_TELEMETRY: '0' }) },
      })
    } catch {
      return 'refuses'
    }
    return (await isInstalled(folder, { name, version })) ? 'installs' : 'ignores'
  },
}
