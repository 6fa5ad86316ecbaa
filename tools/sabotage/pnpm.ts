import { damagedTexts, spelling } from './lock-texts.ts'
import { askPnpm } from './lock-tools.ts'
import { REGISTRY } from './package-json.ts'
import type { Hidden, ProjectFiles, Sabotage, Spelling } from './spelling.ts'

const hidden: Hidden = { name: 'lodash', version: '4.17.4' }
const LOCK = "pnpm's lockfile types (@pnpm/lockfile.types)"
const SETTINGS = "pnpm's documentation, pnpm-workspace.yaml, Catalogs, Config dependencies"
const INTEGRITY = `sha512-${'a'.repeat(86)}==`
const resolution = `resolution: {integrity: ${INTEGRITY}}`

type Json = Readonly<Record<string, unknown>>

interface Written {
  readonly json?: Json
  readonly others?: ProjectFiles
  readonly tool?: Spelling['tool']
  readonly isAsked?: false
}

/** A project whose lock has this text below its version. */
function locked(
  name: string,
  lock: string,
  { json = asking('^4.0.0'), others = {}, ...options }: Written = {},
): Spelling {
  return spelling(name, LOCK, { 'package.json': JSON.stringify(json), 'pnpm-lock.yaml': lock, ...others }, options)
}

const asking = (range: string, name = 'lodash'): Json => ({ name: 'project', dependencies: { [name]: range } })
const V9 = "lockfileVersion: '9.0'\n"
const importer = (name: string, specifier: string, version: string, member = 'dependencies') =>
  `importers:\n  .:\n    ${member}:\n      ${name}:\n        specifier: ${specifier}\n        version: ${version}\n`
const entry = (key: string, more = resolution) => `packages:\n  ${key}:\n    ${more}\nsnapshots:\n  ${key}: {}\n`
const plain = `${V9}${importer('lodash', '^4.0.0', '4.17.4')}${entry('lodash@4.17.4')}`
const current = `${V9}${importer('lodash', '^4.0.0', '4.17.21')}${entry('lodash@4.17.21')}`
const below = (text: string) =>
  `${V9}${importer('async', '2.6.0', '2.6.0')}packages:\n  async@2.6.0:\n    ${resolution}\n  lodash@4.17.4:\n    ${resolution}\nsnapshots:\n  async@2.6.0:\n${text}  lodash@4.17.4: {}\n`
const async = asking('2.6.0', 'async')
const none = { name: 'project' }
const tarball = (version: string) => `${REGISTRY}/lodash/-/lodash-${version}.tgz`

const versions: readonly Spelling[] = [
  locked('9: entry', plain),
  spelling('9: lock without package.json', LOCK, { 'pnpm-lock.yaml': plain }, { isAsked: false }),
  locked('9: keys in quotes', plain.replaceAll('lodash@4.17.4:', "'lodash@4.17.4':")),
  locked('9: keys in double quotes', plain.replaceAll('lodash@4.17.4:', '"lodash@4.17.4":')),
  locked('9: key with an escape', plain.replaceAll('lodash@4.17.4:', '"lod\\u0061sh@4.17.4":')),
  locked(
    '9: maps in one line',
    `{lockfileVersion: '9.0', importers: {.: {dependencies: {lodash: {specifier: ^4.0.0, version: 4.17.4}}}}, packages: {lodash@4.17.4: {${resolution}}}, snapshots: {lodash@4.17.4: {}}}\n`,
  ),
  locked(
    '9: as JSON',
    JSON.stringify({
      lockfileVersion: '9.0',
      importers: { '.': { dependencies: { lodash: { specifier: '^4.0.0', version: '4.17.4' } } } },
      packages: { 'lodash@4.17.4': { resolution: { integrity: INTEGRITY } } },
      snapshots: { 'lodash@4.17.4': {} },
    }),
    { isAsked: false },
  ),
  locked('9: explicit key', plain.replace('  lodash@4.17.4: {}', '  ? lodash@4.17.4\n  : {}')),
  locked('9: text over lines', plain.replace('version: 4.17.4\n', 'version: >-\n          4.17.4\n')),
  locked(
    '9: anchor and alias',
    `${V9}x-version: &version 4.17.4\n${importer('lodash', '^4.0.0', '*version')}${entry('lodash@4.17.4')}`,
  ),
  locked('9: tag', plain.replace('version: 4.17.4\n', 'version: !!str 4.17.4\n'), { isAsked: false }),
  locked(
    '9: merge key with an alias',
    `${V9}x-importer: &importer\n  dependencies:\n    lodash:\n      specifier: ^4.0.0\n      version: 4.17.4\nimporters:\n  .:\n    <<: *importer\n${entry('lodash@4.17.4')}`,
    { isAsked: false },
  ),
  locked(
    '9: merge key with a map',
    `${V9}importers:\n  <<:\n    .:\n      dependencies:\n        lodash:\n          specifier: ^4.0.0\n          version: 4.17.4\n${entry('lodash@4.17.4')}`,
    { isAsked: false },
  ),
  locked(
    '9: merge key in one line',
    `${V9}importers: {<<: {.: {dependencies: {lodash: {specifier: ^4.0.0, version: 4.17.4}}}}}\n${entry('lodash@4.17.4')}`,
    { isAsked: false },
  ),
  locked('9: key twice', `${plain}importers:\n  .: {}\n`, { tool: 'refuses' }),
  locked('9: comments', plain.replace('importers:', '# harmless\nimporters: # harmless')),
  locked('9: document marker', `---\n${plain}`),
  locked(
    '9: with a first document of pnpm itself',
    `---\n${V9}importers:\n  .:\n    configDependencies: {}\n---\n${plain}`,
    { isAsked: false },
  ),
  locked(
    '9: dependency of pnpm itself, which is for development',
    `---\n${V9}importers:\n  .:\n    configDependencies:\n      lodash:\n        specifier: 4.17.4\n        version: 4.17.4\npackages:\n  lodash@4.17.4:\n    ${resolution}\nsnapshots:\n  lodash@4.17.4: {}\n---\n${V9}importers:\n  .: {}\n`,
    { json: none, tool: 'ignores', isAsked: false },
  ),
  locked('9: optional dependency', plain.replace('    dependencies', '    optionalDependencies'), {
    json: { name: 'project', optionalDependencies: { lodash: '^4.0.0' } },
  }),
  locked('9: newer version than the key', plain.replace('    resolution', '    version: 4.17.21\n    resolution'), {
    isAsked: false,
  }),
  locked('9: older version than the key', current.replace('    resolution', '    version: 4.17.4\n    resolution'), {
    isAsked: false,
  }),
  // pnpm 12 refuses it.
  locked('9: without snapshot', plain.slice(0, plain.indexOf('snapshots:')), { isAsked: false }),
  // pnpm 10 fails, and pnpm 12 lists it.
  locked('9: without package', `${V9}${importer('lodash', '^4.0.0', '4.17.4')}snapshots:\n  lodash@4.17.4: {}\n`, {
    isAsked: false,
  }),
  locked(
    '9: archive of an older version',
    current.replace(resolution, `resolution: {integrity: ${INTEGRITY}, tarball: ${tarball('4.17.4')}}`),
    { isAsked: false },
  ),
  locked(
    '9: archive of the registry by a relative address',
    current.replace(resolution, `resolution: {integrity: ${INTEGRITY}, tarball: lodash/-/lodash-4.17.4.tgz}`),
    { isAsked: false },
  ),
  locked('9: alias', `${V9}${importer('harmless', 'npm:lodash@^4.0.0', 'lodash@4.17.4')}${entry('lodash@4.17.4')}`, {
    json: asking('npm:lodash@^4.0.0', 'harmless'),
  }),
  locked(
    '9: alias only in the lock',
    `${V9}${importer('harmless', '^1.0.0', 'lodash@4.17.4')}${entry('lodash@4.17.4')}`,
    { json: asking('^1.0.0', 'harmless'), isAsked: false },
  ),
  locked('9: alias below a package', below('    dependencies:\n      harmless: lodash@4.17.4\n'), {
    json: async,
    isAsked: false,
  }),
  locked('9: below a package', below('    dependencies:\n      lodash: 4.17.4\n'), { json: async }),
  locked('9: below a package as optional', below('    optionalDependencies:\n      lodash: 4.17.4\n'), { json: async }),
  locked(
    '9: as a transitive peer',
    below('    dependencies:\n      lodash: 4.17.4\n    transitivePeerDependencies:\n      - supports-color\n'),
    { json: async },
  ),
  locked(
    '9: below a package with peers',
    `${V9}${importer('async', '2.6.0', '2.6.0(lodash@4.17.4)')}packages:\n  async@2.6.0:\n    ${resolution}\n    peerDependencies:\n      lodash: '*'\n  lodash@4.17.4:\n    ${resolution}\nsnapshots:\n  async@2.6.0(lodash@4.17.4):\n    dependencies:\n      lodash: 4.17.4\n  lodash@4.17.4: {}\n`,
    { json: async },
  ),
  locked(
    '9: with a hash of peers',
    `${V9}${importer('lodash', '^4.0.0', `4.17.4(${'a'.repeat(64)})`)}packages:\n  lodash@4.17.4:\n    ${resolution}\nsnapshots:\n  lodash@4.17.4(${'a'.repeat(64)}): {}\n`,
  ),
  locked(
    '9: patched',
    `${V9}patchedDependencies:\n  lodash@4.17.4:\n    hash: abc\n    path: fix.patch\n${importer('lodash', '^4.0.0', '4.17.4(patch_hash=abc)')}packages:\n  lodash@4.17.4:\n    ${resolution}\nsnapshots:\n  lodash@4.17.4(patch_hash=abc): {}\n`,
    { isAsked: false },
  ),
  locked(
    '9: tarball of the registry',
    `${V9}${importer('lodash', tarball('4.17.4'), tarball('4.17.4'))}packages:\n  lodash@${tarball('4.17.4')}:\n    resolution: {tarball: ${tarball('4.17.4')}}\n    version: 4.17.4\nsnapshots:\n  lodash@${tarball('4.17.4')}: {}\n`,
    { json: asking(tarball('4.17.4')), isAsked: false },
  ),
  locked(
    '9: git repository',
    `${V9}${importer('lodash', 'github:lodash/lodash#4.17.4', `https://codeload.github.com/lodash/lodash/tar.gz/${'a'.repeat(40)}`)}packages:\n  lodash@https://codeload.github.com/lodash/lodash/tar.gz/${'a'.repeat(40)}:\n    resolution: {tarball: https://codeload.github.com/lodash/lodash/tar.gz/${'a'.repeat(40)}}\n    version: 4.17.4\nsnapshots:\n  lodash@https://codeload.github.com/lodash/lodash/tar.gz/${'a'.repeat(40)}: {}\n`,
    { json: asking('github:lodash/lodash#4.17.4'), isAsked: false },
  ),
  locked(
    '9: folder',
    `${V9}${importer('lodash', 'file:copy', 'file:copy')}packages:\n  lodash@file:copy:\n    resolution: {directory: copy, type: directory}\nsnapshots:\n  lodash@file:copy: {}\n`,
    { json: asking('file:copy'), isAsked: false },
  ),
  locked('9: linked folder', `${V9}${importer('lodash', 'link:../copy', 'link:../copy')}`, {
    json: asking('link:../copy'),
  }),
  locked(
    '9: member of the workspace',
    `${V9}importers:\n  .: {}\n  packages/member:\n    dependencies:\n      lodash:\n        specifier: ^4.0.0\n        version: 4.17.4\n${entry('lodash@4.17.4')}`,
    { json: none, isAsked: false },
  ),
  locked(
    '9: bundled in a package',
    `${V9}${importer('async', '2.6.0', '2.6.0')}packages:\n  async@2.6.0:\n    ${resolution}\n    bundledDependencies:\n      - lodash\nsnapshots:\n  async@2.6.0: {}\n`,
    { json: async, isAsked: false },
  ),
  locked('9: version that is none', plain.replaceAll('4.17.4', 'latest'), { tool: 'refuses' }),
  locked(
    '6: entry',
    `lockfileVersion: '6.0'\ndependencies:\n  lodash:\n    specifier: ^4.0.0\n    version: 4.17.4\npackages:\n  /lodash@4.17.4:\n    ${resolution}\n`,
    { isAsked: false },
  ),
  locked(
    '6: alias',
    `lockfileVersion: '6.0'\ndependencies:\n  harmless:\n    specifier: npm:lodash@^4.0.0\n    version: /lodash@4.17.4\npackages:\n  /lodash@4.17.4:\n    ${resolution}\n`,
    { json: asking('npm:lodash@^4.0.0', 'harmless'), isAsked: false },
  ),
  locked(
    '6: host of another registry',
    `lockfileVersion: '6.0'\ndependencies:\n  lodash:\n    specifier: ^4.0.0\n    version: npm.example/lodash@4.17.4\npackages:\n  npm.example/lodash@4.17.4:\n    ${resolution}\n`,
    { isAsked: false },
  ),
  locked(
    '6: name of another package',
    `lockfileVersion: '6.0'\ndependencies:\n  harmless:\n    specifier: ^4.0.0\n    version: 4.17.4\npackages:\n  /harmless@4.17.4:\n    ${resolution}\n    name: lodash\n    version: 4.17.4\n`,
    { json: asking('^4.0.0', 'harmless'), isAsked: false },
  ),
  locked(
    '5.4: entry',
    `lockfileVersion: 5.4\nspecifiers:\n  lodash: ^4.0.0\ndependencies:\n  lodash: 4.17.4\npackages:\n  /lodash/4.17.4:\n    ${resolution}\n`,
    { isAsked: false },
  ),
  locked(
    '5.4: peers',
    `lockfileVersion: 5.4\nspecifiers:\n  lodash: ^4.0.0\ndependencies:\n  lodash: 4.17.4_async@2.6.0\npackages:\n  /lodash/4.17.4_async@2.6.0:\n    ${resolution}\n`,
    { isAsked: false },
  ),
  locked(
    '5.4: alias',
    `lockfileVersion: 5.4\nspecifiers:\n  harmless: npm:lodash@^4.0.0\ndependencies:\n  harmless: /lodash/4.17.4\npackages:\n  /lodash/4.17.4:\n    ${resolution}\n`,
    { json: asking('npm:lodash@^4.0.0', 'harmless'), isAsked: false },
  ),
  locked(
    '5.4 with specifiers in place',
    `lockfileVersion: 5.4-inlineSpecifiers\ndependencies:\n  lodash:\n    specifier: ^4.0.0\n    version: 4.17.4\npackages:\n  /lodash/4.17.4:\n    ${resolution}\n`,
    { isAsked: false },
  ),
  locked('version that is not known', plain.replace('9.0', '10.0'), { isAsked: false }),
]

const workspace = (text: string): ProjectFiles => ({ 'pnpm-workspace.yaml': text })
const catalogLock = (specifier: string, version: string, name = 'default') =>
  `${V9}catalogs:\n  ${name}:\n    lodash:\n      specifier: ${specifier}\n      version: ${version}\n${importer('lodash', name === 'default' ? "'catalog:'" : `catalog:${name}`, version)}${entry(`lodash@${version}`)}`

const stale: readonly Spelling[] = [
  locked('range changed after the lock', current, { json: asking('4.17.4'), tool: 'refuses' }),
  locked('added after the lock', `${V9}importers:\n  .: {}\n`, { tool: 'refuses' }),
  locked('override added after the lock', current, {
    json: { ...asking('^4.0.0'), pnpm: { overrides: { lodash: '4.17.4' } } },
    tool: 'refuses',
  }),
  locked('resolution added after the lock', current, {
    json: { ...asking('^4.0.0'), resolutions: { lodash: '4.17.4' } },
    tool: 'refuses',
  }),
  locked('override of the workspace added after the lock', current, {
    others: workspace('overrides:\n  lodash: 4.17.4\n'),
    tool: 'refuses',
  }),
  locked(
    'override changed after the lock',
    `${V9}overrides:\n  lodash: 4.17.21\n${importer('lodash', '4.17.21', '4.17.21')}${entry('lodash@4.17.21')}`,
    { json: { ...asking('^4.0.0'), pnpm: { overrides: { lodash: '4.17.4' } } }, tool: 'refuses' },
  ),
  locked(
    'override dropped after the lock',
    `${V9}overrides:\n  lodash: 4.17.21\n${importer('lodash', '4.17.21', '4.17.21')}${entry('lodash@4.17.21')}`,
    { json: asking('4.17.4'), others: workspace('packages: []\n'), tool: 'refuses' },
  ),
  locked(
    'override to an older version',
    `${V9}overrides:\n  lodash: 4.17.4\n${importer('lodash', '4.17.4', '4.17.4')}${entry('lodash@4.17.4')}`,
    { json: { ...asking('4.17.21'), pnpm: { overrides: { lodash: '4.17.4' } } } },
  ),
  locked(
    'override by an alias',
    `${V9}overrides:\n  harmless: npm:lodash@4.17.4\n${importer('harmless', 'npm:lodash@4.17.4', 'lodash@4.17.4')}${entry('lodash@4.17.4')}`,
    { json: { ...asking('^1.0.0', 'harmless'), pnpm: { overrides: { harmless: 'npm:lodash@4.17.4' } } } },
  ),
  locked('catalog', catalogLock('4.17.4', '4.17.4'), {
    json: asking('catalog:'),
    others: workspace('catalog:\n  lodash: 4.17.4\n'),
  }),
  locked('named catalog', catalogLock('4.17.4', '4.17.4', 'old'), {
    json: asking('catalog:old'),
    others: workspace('catalogs:\n  old:\n    lodash: 4.17.4\n'),
  }),
  locked('catalog changed after the lock', catalogLock('4.17.21', '4.17.21'), {
    json: asking('catalog:'),
    others: workspace('catalog:\n  lodash: 4.17.4\n'),
    tool: 'refuses',
  }),
  locked('named catalog changed after the lock', catalogLock('4.17.21', '4.17.21', 'old'), {
    json: asking('catalog:old'),
    others: workspace('catalogs:\n  old:\n    lodash: 4.17.4\n'),
    tool: 'refuses',
  }),
  locked('extension added after the lock', current, {
    json: { ...asking('^4.0.0'), pnpm: { packageExtensions: { lodash: { dependencies: { lodash: '4.17.4' } } } } },
    tool: 'refuses',
  }),
  locked('extension of the workspace added after the lock', current, {
    others: workspace('packageExtensions:\n  lodash:\n    dependencies:\n      lodash: 4.17.4\n'),
    tool: 'refuses',
  }),
  locked('configuration dependency', current, {
    others: workspace(`configDependencies:\n  lodash: 4.17.4+${INTEGRITY}\n`),
    isAsked: false,
  }),
  locked('optional dependency added after the lock', `${V9}importers:\n  .: {}\n`, {
    json: { name: 'project', optionalDependencies: { lodash: '4.17.4' } },
    tool: 'refuses',
  }),
]

const open = (name: string, json: Json, others: ProjectFiles = {}): Spelling =>
  spelling(`without a lock: ${name}`, SETTINGS, { 'package.json': JSON.stringify(json), ...others }, { isAsked: false })

const unlocked: readonly Spelling[] = [
  open('exact version', asking('4.17.4')),
  open('alias', asking('npm:lodash@4.17.4', 'harmless')),
  open('catalog', asking('catalog:'), workspace('catalog:\n  lodash: 4.17.4\n')),
  open('named catalog', asking('catalog:old'), workspace('catalogs: {old: {lodash: 4.17.4}}\n')),
  open('catalog by a merge key', asking('catalog:'), workspace('x: &x\n  lodash: 4.17.4\ncatalog:\n  <<: *x\n')),
  open('catalog that was not sent', asking('catalog:')),
  open('override', { ...async, pnpm: { overrides: { lodash: '4.17.4' } } }),
  open('override below a package', { ...async, pnpm: { overrides: { 'async>lodash': '4.17.4' } } }),
  open('override of a range', { ...async, pnpm: { overrides: { 'lodash@^4.14.0': '4.17.4' } } }),
  open('override of the workspace', async, workspace('overrides:\n  lodash: 4.17.4\n')),
  open('extension', {
    ...asking('2.0.0', 'ms'),
    pnpm: { packageExtensions: { ms: { dependencies: { lodash: '4.17.4' } } } },
  }),
  open('configuration dependency', none, workspace(`configDependencies:\n  lodash: 4.17.4+${INTEGRITY}\n`)),
  open('workspace protocol', asking('workspace:*')),
]

export const pnpm: Sabotage = {
  ecosystem: 'pnpm',
  hidden,
  target: 'package.json',
  base: { 'package.json': JSON.stringify(none), 'pnpm-lock.yaml': `${V9}importers:\n  .: {}\n` },
  spellings: [
    ...versions,
    ...stale,
    ...unlocked,
    ...damagedTexts('pnpm-lock.yaml', {
      files: { 'package.json': JSON.stringify(asking('^4.0.0')), 'pnpm-lock.yaml': plain },
      source: LOCK,
      cutAt: 'packages:',
    }),
  ],
  ask: askPnpm,
}
