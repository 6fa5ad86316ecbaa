import { damagedTexts, spelling } from './lock-texts.ts'
import { askBun } from './lock-tools.ts'
import { REGISTRY } from './package-json.ts'
import type { Hidden, ProjectFiles, Sabotage, Spelling } from './spelling.ts'

const hidden: Hidden = { name: 'lodash', version: '4.17.4' }
const LOCK = "Bun's documentation, Lockfile, Catalogs, Overrides and resolutions, Workspaces"
const INTEGRITY = `sha512-${'a'.repeat(86)}==`

type Json = Readonly<Record<string, unknown>>

interface Written {
  readonly json?: Json
  readonly tool?: Spelling['tool']
  readonly isAsked?: false
}

const asking = (range: string, name = 'lodash'): Json => ({ name: 'project', dependencies: { [name]: range } })
const entry = (identity: string, info: Json = {}) => [identity, '', info, INTEGRITY]
const toLock = (json: Json, packages: Json, more: Json = {}) => ({
  lockfileVersion: 1,
  workspaces: { '': json },
  ...more,
  packages,
})

function locked(name: string, lock: Json | string, { json = asking('^4.0.0'), ...options }: Written = {}): Spelling {
  const text = typeof lock === 'string' ? lock : JSON.stringify(lock, null, 2)
  return spelling(name, LOCK, { 'package.json': JSON.stringify(json), 'bun.lock': text }, options)
}

const old = { lodash: entry('lodash@4.17.4') }
const current = { lodash: entry('lodash@4.17.21') }
const plain = toLock(asking('^4.0.0'), old)
const text = JSON.stringify(plain, null, 2)
const async = asking('2.6.0', 'async')
const below = (dependencies: Json, packages: Json) =>
  toLock(async, { async: entry('async@2.6.0', dependencies), ...packages })
const archive = `${REGISTRY}/lodash/-/lodash-4.17.4.tgz`
const from = (specifier: string, identity: unknown[]) =>
  locked(`from ${specifier}`, toLock(asking(specifier), { lodash: identity }), {
    json: asking(specifier),
    isAsked: false,
  })

const locks: readonly Spelling[] = [
  locked('entry', plain),
  locked(
    'commas at the ends',
    text
      .replace(/([\]}"])\n/g, '$1,\n')
      .replace(/,\n$/, '\n')
      .replace(/"lockfileVersion": 1,,/, '"lockfileVersion": 1,'),
    { isAsked: false },
  ),
  locked('comments', `// harmless\n${text}`, { isAsked: false }),
  locked('key with an escape', text.replaceAll('lodash', 'lod\\u0061sh')),
  locked(
    'key twice, the last is older',
    text.replace('"lodash": [', '"lodash": ["lodash@4.17.21", "", {}, "x"],\n"lodash": ['),
    { isAsked: false },
  ),
  locked(
    'key twice, the first is older',
    JSON.stringify(toLock(asking('^4.0.0'), current), null, 2).replace(
      '"packages": {',
      `"packages": {"lodash": ["lodash@4.17.4", "", {}, "${INTEGRITY}"],`,
    ),
    { tool: 'refuses', isAsked: false },
  ),
  locked('alias', toLock(asking('npm:lodash@^4.0.0', 'harmless'), { harmless: entry('lodash@4.17.4') }), {
    json: asking('npm:lodash@^4.0.0', 'harmless'),
  }),
  locked('alias only in the lock', toLock(asking('^1.0.0', 'harmless'), { harmless: entry('lodash@4.17.4') }), {
    json: asking('^1.0.0', 'harmless'),
    isAsked: false,
  }),
  locked(
    'archive of an older version',
    toLock(asking('^4.0.0'), { lodash: ['lodash@4.17.21', archive, {}, INTEGRITY] }),
    { isAsked: false },
  ),
  locked(
    'archive by a relative address',
    toLock(asking('^4.0.0'), { lodash: ['lodash@4.17.21', 'lodash/-/lodash-4.17.4.tgz', {}, INTEGRITY] }),
    { isAsked: false },
  ),
  locked('below a package', below({ dependencies: { lodash: '^4.14.0' } }, old), { json: async }),
  locked(
    'below a package, in its folder',
    toLock(
      { ...asking('^4.0.0'), dependencies: { async: '2.6.0', lodash: '4.17.21' } },
      {
        async: entry('async@2.6.0', { dependencies: { lodash: '4.17.4' } }),
        lodash: entry('lodash@4.17.21'),
        'async/lodash': entry('lodash@4.17.4'),
      },
    ),
    { json: { name: 'project', dependencies: { async: '2.6.0', lodash: '4.17.21' } }, isAsked: false },
  ),
  locked('below a package as optional', below({ optionalDependencies: { lodash: '^4.14.0' } }, old), { json: async }),
  locked('below a package as a peer', below({ peerDependencies: { lodash: '*' } }, old), {
    json: async,
    isAsked: false,
  }),
  locked(
    'below a package as an optional peer',
    toLock(
      { name: 'project', dependencies: { async: '2.6.0', lodash: '^4.0.0' } },
      { async: entry('async@2.6.0', { peerDependencies: { lodash: '*' }, optionalPeers: ['lodash'] }), ...old },
    ),
    { json: { name: 'project', dependencies: { async: '2.6.0', lodash: '^4.0.0' } }, isAsked: false },
  ),
  locked(
    'bundled in a package',
    below(
      { dependencies: { lodash: '^4.14.0' } },
      { 'async/lodash': ['lodash@4.17.4', '', { bundled: true }, INTEGRITY] },
    ),
    { json: async, isAsked: false },
  ),
  locked('optional dependency', toLock({ name: 'project', optionalDependencies: { lodash: '^4.0.0' } }, old), {
    json: { name: 'project', optionalDependencies: { lodash: '^4.0.0' } },
  }),
  locked('peer dependency', toLock({ name: 'project', peerDependencies: { lodash: '^4.0.0' } }, old), {
    json: { name: 'project', peerDependencies: { lodash: '^4.0.0' } },
  }),
  locked(
    'member of the workspace',
    {
      ...toLock({ name: 'project' }, { ...old, member: ['member@workspace:packages/member'] }),
      workspaces: {
        '': { name: 'project' },
        'packages/member': { name: 'member', dependencies: { lodash: '^4.0.0' } },
      },
    },
    { json: { name: 'project', workspaces: ['packages/*'] }, isAsked: false },
  ),
  locked(
    'patched',
    toLock(asking('^4.0.0'), old, { patchedDependencies: { 'lodash@4.17.4': 'patches/lodash.patch' } }),
    { isAsked: false },
  ),
  locked('override to an older version', toLock(asking('4.17.21'), old, { overrides: { lodash: '4.17.4' } }), {
    json: { ...asking('4.17.21'), overrides: { lodash: '4.17.4' } },
  }),
  locked('resolution to an older version', toLock(asking('4.17.21'), old, { overrides: { lodash: '4.17.4' } }), {
    json: { ...asking('4.17.21'), resolutions: { lodash: '4.17.4' } },
  }),
  locked('catalog', toLock(asking('catalog:'), old, { catalog: { lodash: '4.17.4' } }), {
    json: { ...asking('catalog:'), workspaces: { packages: [], catalog: { lodash: '4.17.4' } } },
    isAsked: false,
  }),
  locked('named catalog', toLock(asking('catalog:old'), old, { catalogs: { old: { lodash: '4.17.4' } } }), {
    json: { ...asking('catalog:old'), workspaces: { packages: [], catalogs: { old: { lodash: '4.17.4' } } } },
    isAsked: false,
  }),
  locked('no entry', toLock(asking('^4.0.0'), {}), { tool: 'refuses', isAsked: false }),
  locked('version that is not known', text.replace('"lockfileVersion": 1', '"lockfileVersion": 9'), { isAsked: false }),
  locked('entry of a text', toLock(asking('^4.0.0'), { lodash: 'lodash@4.17.4' }), { tool: 'refuses', isAsked: false }),
  from(archive, [`lodash@${archive}`, {}, INTEGRITY]),
  from('github:lodash/lodash#4.17.4', ['lodash@github:lodash/lodash#aaaaaaa', {}, 'lodash-lodash-aaaaaaa']),
  from('git+https://git.example/lodash.git#4.17.4', [
    'lodash@git+https://git.example/lodash.git#aaaaaaa',
    {},
    'aaaaaaa',
  ]),
  from('file:copy', ['lodash@file:copy', {}]),
  from('link:copy', ['lodash@link:copy', {}]),
  from('./lodash-4.17.4.tgz', ['lodash@./lodash-4.17.4.tgz', {}, INTEGRITY]),
]

const now = toLock(asking('^4.0.0'), current)
const stale: readonly Spelling[] = [
  locked('range changed after the lock', now, { json: asking('4.17.4'), tool: 'refuses' }),
  locked('added after the lock', toLock({ name: 'project' }, {}), { tool: 'refuses' }),
  locked('override added after the lock', now, {
    json: { ...asking('^4.0.0'), overrides: { lodash: '4.17.4' } },
    tool: 'refuses',
  }),
  locked('resolution added after the lock', now, {
    json: { ...asking('^4.0.0'), resolutions: { '**/lodash': '4.17.4' } },
    tool: 'refuses',
  }),
  locked('override dropped after the lock', toLock(asking('4.17.4'), current, { overrides: { lodash: '4.17.21' } }), {
    json: asking('4.17.4'),
    tool: 'refuses',
  }),
  locked('catalog changed after the lock', toLock(asking('catalog:'), current, { catalog: { lodash: '4.17.21' } }), {
    json: { ...asking('catalog:'), workspaces: { packages: [], catalog: { lodash: '4.17.4' } } },
    tool: 'refuses',
    isAsked: false,
  }),
]

const open = (name: string, json: Json, others: ProjectFiles = {}): Spelling =>
  spelling(`without a lock: ${name}`, LOCK, { 'package.json': JSON.stringify(json), ...others }, { isAsked: false })

const unlocked: readonly Spelling[] = [
  open('exact version', asking('4.17.4')),
  open('alias', asking('npm:lodash@4.17.4', 'harmless')),
  open('catalog', { ...asking('catalog:'), catalog: { lodash: '4.17.4' } }),
  open('named catalog of the workspaces', {
    ...asking('catalog:old'),
    workspaces: { packages: [], catalogs: { old: { lodash: '4.17.4' } } },
  }),
  open('catalog that does not exist', asking('catalog:')),
  open('override', { ...async, overrides: { lodash: '4.17.4' } }),
  open('resolution anywhere', { ...async, resolutions: { '**/lodash': '4.17.4' } }),
  open('override below a package', { ...async, overrides: { async: { lodash: '4.17.4' } } }),
]

export const bun: Sabotage = {
  ecosystem: 'bun',
  hidden,
  target: 'package.json',
  base: { 'package.json': '{"name":"project"}', 'bun.lock': JSON.stringify(toLock({ name: 'project' }, {})) },
  spellings: [
    ...locks,
    ...stale,
    ...unlocked,
    ...damagedTexts('bun.lock', {
      files: { 'package.json': JSON.stringify(asking('^4.0.0')), 'bun.lock': `${text}\n` },
      source: LOCK,
      cutAt: '"packages"',
    }),
  ],
  ask: askBun,
}
