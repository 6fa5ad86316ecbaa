import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, test } from 'node:test'
import { settings } from '#foundation/settings.ts'

/** The layers that each layer may import besides itself. */
const layers: Record<string, readonly string[]> = {
  analysis: [],
  foundation: [],
  scanning: ['analysis', 'foundation'],
  features: ['analysis', 'foundation', 'scanning'],
  client: ['analysis', 'foundation', 'scanning', 'features'],
  composition: ['analysis', 'foundation', 'scanning', 'features'],
  src: ['analysis', 'foundation', 'scanning', 'features', 'composition', 'commands'],
  commands: ['analysis', 'foundation', 'scanning', 'features', 'composition', 'client', 'src'],
}

/** The features that each feature may import besides itself; none imports the routes of another. */
const featureArrows: Record<string, readonly string[]> = {
  advisories: ['issue-index'],
  'api-keys': ['credentials', 'members', 'user-sessions'],
  'app-installs': ['apps', 'credentials', 'roles', 'user-sessions'],
  apps: ['credentials', 'roles'],
  credentials: ['access-tokens', 'user-sessions'],
  dependencies: ['issue-index', 'license-policies', 'projects'],
  ignores: ['issue-index', 'projects'],
  imports: ['integrations', 'issue-index', 'policy-files', 'projects'],
  'issue-index': ['advisory-sync', 'license-policies', 'policy-files'],
  issues: ['issue-index', 'license-policies', 'projects', 'reports'],
  members: ['app-installs', 'credentials', 'passwords', 'roles', 'second-factors', 'user-sessions'],
  oauth: ['access-tokens', 'credentials', 'user-sessions'],
  organizations: ['app-installs', 'credentials', 'members', 'policy-files'],
  overview: ['issue-index'],
  'package-tests': ['issue-index', 'license-policies', 'policy-files', 'reports'],
  passwords: ['user-sessions'],
  policies: ['issue-index', 'issues'],
  projects: ['issue-index'],
  'projects-v1': ['dependencies', 'issue-index', 'issues', 'projects'],
  search: ['issue-index', 'issues', 'projects'],
  'second-factors': ['user-sessions'],
  self: ['credentials', 'organizations'],
  'service-accounts': ['credentials', 'roles'],
  setup: [
    'access-tokens',
    'apps',
    'credentials',
    'members',
    'organizations',
    'passwords',
    'policies',
    'second-factors',
    'secret-keys',
    'sign-in',
    'single-sign-on',
    'user-sessions',
  ],
  'sign-in': [
    'app-installs',
    'apps',
    'oauth',
    'organizations',
    'passwords',
    'second-factors',
    'single-sign-on',
    'user-sessions',
  ],
  'single-sign-on': ['members', 'roles', 'user-sessions'],
  triage: ['ignores', 'issue-index', 'projects'],
}

/** Lists and generated files, which grow with their content. */
const exemptFromSize = /\.generated\.ts$|^src\/foundation\/settings\.ts$/

const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))

interface Import {
  readonly file: string
  readonly target: string
}

const imports: Import[] = files.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s+'([^']+)'/g)].map(([, target]) => ({
    file,
    target: target!.startsWith('.') ? relative('.', join(dirname(file), target!)) : target!.replace(/^#/, 'src/'),
  })),
)

/** Returns the files that load with others: those of types and of `import()` do not. */
function loadedBy(roots: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    const statements = readFileSync(file, 'utf8').matchAll(
      /^(?:import|export) (?!type )(?:[^;'()]*? from )?'([^']+)'/gm,
    )
    for (const [, specifier] of statements) if (/^[.#]/.test(specifier!)) visit(toPath(file, specifier!))
  }
  for (const root of roots) visit(root)
  return seen
}

function layerOf(path: string): string {
  const parts = path.split('/')
  return parts.length === 2 ? 'src' : parts[1]!
}

describe('architecture', () => {
  test('imports point from commands to clients and features to scanning to foundation and analysis, never back', () => {
    const wrong = imports
      .filter(({ target }) => target.startsWith('src/'))
      .filter(({ file, target }) => {
        const [from, to] = [layerOf(file), layerOf(target)]
        return from !== to && !layers[from]?.includes(to)
      })
    assert.deepEqual(wrong, [])
  })

  test('the client loads no server code: only discovery, readers of folders and writers of reports', () => {
    const allowed = [
      /^src\/(client|analysis)\//,
      /^src\/foundation\/(make-folder|product|problem|problem-codes)\.ts$/,
      /^src\/foundation\/repositories\//,
      /^src\/foundation\/git\/(list-tree|read-blobs|git-failure)\.ts$/,
      /^src\/scanning\/reading\/(choose-projects|source-tree|survey-tree)\.ts$/,
      /^src\/features\/reports\//,
    ]
    const roots = files.filter((file) => file.startsWith('src/client/'))
    const commands = ['completion', 'login', 'logout', 'profiles', 'program', 'test', 'whoami']
    const own = [
      ...commands.map((name) => `src/commands/${name}.ts`),
      ...files.filter((file) => file.startsWith('src/commands/server/')),
    ]
    const loaded = [...loadedBy([...roots, ...own])].filter((file) => !allowed.some((exp) => exp.test(file)))
    const beside = [
      ...['command-list', 'completion/completion-scripts', 'interrupt', 'nearest-word'],
      ...['repeatable', 'report-failure'],
    ]
    assert.deepEqual(loaded.sort(), [...own, ...beside.map((name) => `src/commands/${name}.ts`)].sort())
  })

  test('a feature imports another only along a listed arrow, and never its routes', () => {
    const feature = (path: string) => path.split('/')[2]!
    const between = imports.filter(
      ({ file, target }) =>
        file.startsWith('src/features/') && target.startsWith('src/features/') && feature(file) !== feature(target),
    )
    assert.deepEqual(
      between.filter(({ target }) => target.endsWith('routes.ts')),
      [],
    )
    const arrows = Map.groupBy(between, ({ file }) => feature(file))
    assert.deepEqual(
      Object.fromEntries(
        [...arrows].map(([from, all]) => [from, [...new Set(all.map(({ target }) => feature(target)))].sort()]),
      ),
      featureArrows,
    )
  })

  test('analysis is pure: it uses no Node modules, clock, randomness, environment or network', () => {
    const impure = imports.filter(({ file, target }) => file.startsWith('src/analysis/') && target.startsWith('node:'))
    assert.deepEqual(impure, [])
    const uses = files
      .filter((file) => file.startsWith('src/analysis/'))
      .filter((file) =>
        /\bDate\.now\(|\bnew Date\(\)|Math\.random\(|\bprocess\.|\bfetch\(/.test(readFileSync(file, 'utf8')),
      )
    assert.deepEqual(uses, [])
  })

  test('SQL lives in stores, foundation/db, jobs, audit and events', () => {
    const allowed =
      /^src\/((features|scanning)\/[^/]+\/(?:[a-z-]+\/)?(store|[a-z-]+-store)\.ts|foundation\/(db|jobs|audit|events)\/|foundation\/http\/change\.ts|features\/health\/)/
    const elsewhere = files
      .filter((file) => !allowed.test(file))
      .filter((file) => /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql`/.test(readFileSync(file, 'utf8')))
    assert.deepEqual(elsewhere, [])
  })

  test('transactions go through foundation/db/in-transaction.ts, which repeats them after deadlocks', () => {
    const openers = files.filter((file) => /\.transaction\(\)/.test(readFileSync(file, 'utf8')))
    assert.deepEqual(openers, ['src/foundation/db/in-transaction.ts'])
  })

  test('features declare published operations with defineOperation', () => {
    const features = files.filter((file) => /^src\/features\/(?!documentation\/)/.test(file))
    // Operations of the console are hidden from the published document.
    const others = features.filter((file) => {
      const text = readFileSync(file, 'utf8')
      return /\boperationId\b/.test(text) && !/\bhide\b/.test(text)
    })
    assert.deepEqual(others, [])
  })

  test('the environment is read only by commands, which pass it to foundation/config.ts', () => {
    const readers = files.filter((file) => /process\.env/.test(readFileSync(file, 'utf8')))
    assert.deepEqual(
      readers.filter((file) => !file.startsWith('src/commands/')),
      [],
    )
  })

  test('outgoing requests of the server go through foundation/outgoing', () => {
    const asks = /from 'undici'|import [^;]*\b(request|get|Agent)\b[^;]* from 'node:https?'|[^.\w]fetch\(/
    const direct = files.filter((file) => asks.test(readFileSync(file, 'utf8').replaceAll('async fetch(', '')))
    assert.deepEqual(
      // The client requests only the server that its user named.
      direct.filter((file) => !/^src\/(?:foundation\/outgoing|client)\//.test(file)),
      [],
    )
  })

  test('beforeEach and afterEach of tests are inside suites, as files of one process share those outside', () => {
    const tests = globSync('{src,test,tools,web}/**/*.test.{ts,tsx}', { exclude: ['**/node_modules/**'] })
    const shared = tests.filter((file) => /^(?:before|after)Each\(/m.test(readFileSync(file, 'utf8')))
    assert.deepEqual(shared, [])
    assert.ok(tests.length > 500)
  })

  test('no source file exceeds 400 lines', () => {
    const long = files
      .filter((file) => !exemptFromSize.test(file))
      .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > 400)
    assert.deepEqual(long, [])
  })

  test('settings: at most 50, each named in a test', () => {
    const variables = Object.values(settings).map(({ env }) => env)
    const tests = globSync('{src,test,web}/**/*.test.{ts,tsx}', { exclude }).map((path) => readFileSync(path, 'utf8'))
    assert.ok(variables.length <= 50, 'A constant in src/foundation/limits.ts is enough if no installation changes it.')
    assert.deepEqual(
      variables.filter((variable) => !tests.some((text) => text.includes(variable))),
      [],
    )
  })

  test('no file or folder has a meaningless name', () => {
    const empty = /(^|\/)(utils?|helpers?|common|shared|misc|manager|service|handler|types|constants)(\.ts|\/)/
    assert.deepEqual(
      globSync('{src,test,tools,verification}/**/*', { exclude: ['**/node_modules/**'] }).filter((path) =>
        empty.test(path),
      ),
      [],
    )
  })

  test('no folder of code has more than 40 files', () => {
    const counts = Map.groupBy(globSync('{src,web,test,tools,verification}/**/*.{ts,tsx}', { exclude }), dirname)
    const large = [...counts].filter(([, { length }]) => length > 40).map(([folder, { length }]) => [folder, length])
    assert.deepEqual(large, [])
  })

  for (const [folder, budget] of [
    ['tools', 5_000],
    ['verification', 12_000],
  ] as const) {
    test(`${folder}: its code has at most ${budget} lines`, () => {
      const code = globSync(`${folder}/**/*.{ts,mjs,cjs,js}`, { exclude })
      const lines = code.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0)
      assert.ok(lines > 0 && lines <= budget, `${folder} has ${lines} lines`)
    })
  }

  for (const root of ['src', 'web', 'test/support']) {
    test(`${root}: neither sibling folders nor their neighboring files form an import cycle`, () => {
      const imports = importsOf(root)
      const cycles = foldersOf(root).flatMap((folder) => cyclesIn(folder, imports))
      assert.deepEqual(
        cycles.filter((cycle) => !knownCycles.has(cycle)),
        [],
      )
    })
  }
})

test('no files of src and web import each other in a circle, types included', () => {
  const cycles = circlesOf([...importsOf('src'), ...importsOf('web')])
  assert.deepEqual(cycles, [])
})

function exclude(path: string): boolean {
  return /(^|\/)(node_modules|dist|fixtures)(\/|$)/.test(path)
}

/** Accepted cycles, with the reason. */
const knownCycles = new Set([
  // Kinds of files are detected with the ecosystems' parsers; ecosystems look up the kind of a file.
  'src/analysis: discovery, ecosystems',
])

function importsOf(root: string): Import[] {
  return globSync(`${root}/**/*.{ts,tsx}`, { exclude })
    .filter((file) => !file.includes('.test.'))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?:from|import) '([^']+)'|import\('([^']+)'\)/g)].map(
        ([, from, dynamic]) => ({ file, target: toPath(file, (from ?? dynamic)!) }),
      ),
    )
}

function toPath(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return join(dirname(file), specifier)
  return specifier.replace(/^#test\//, 'test/support/').replace(/^#/, 'src/')
}

function foldersOf(root: string): string[] {
  return [root, ...globSync(`${root}/**/`, { exclude }).map((folder) => folder.replace(/\/$/, ''))]
}

/** Returns the sets of children of a folder that import each other in a circle, folders among them. */
function cyclesIn(folder: string, all: readonly Import[]): string[] {
  const childOf = (path: string) => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0]! : '')
  const below = all
    .map(({ file, target }) => ({ file: childOf(file), target: childOf(target) }))
    .filter(({ file, target }) => file !== '' && target !== '' && file !== target)
  const withFolder = circlesOf(below).filter((circle) => circle.some((child) => !child.includes('.')))
  return withFolder.map((circle) => `${folder}: ${circle.join(', ')}`)
}

/** Returns the sets of files that lead to each other (Tarjan's strongly connected components of more than one file). */
function circlesOf(all: readonly Import[]): string[][] {
  const edges = Map.groupBy(all, ({ file }) => file)
  const [order, lowest] = [new Map<string, number>(), new Map<string, number>()]
  const path: string[] = []
  const circles: string[][] = []
  const visit = (file: string): number => {
    order.set(file, order.size)
    lowest.set(file, order.get(file)!)
    path.push(file)
    for (const { target } of edges.get(file) ?? []) {
      if (!order.has(target)) lowest.set(file, Math.min(lowest.get(file)!, visit(target)))
      else if (path.includes(target)) lowest.set(file, Math.min(lowest.get(file)!, order.get(target)!))
    }
    if (lowest.get(file) === order.get(file)) {
      const circle = path.splice(path.indexOf(file))
      if (circle.length > 1) circles.push(circle.sort())
    }
    return lowest.get(file)!
  }
  for (const file of edges.keys()) if (!order.has(file)) visit(file)
  return circles
}
