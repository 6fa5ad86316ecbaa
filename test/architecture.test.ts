import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, test } from 'node:test'

/** What each layer may import besides itself. */
const layers: Record<string, readonly string[]> = {
  analysis: [],
  foundation: [],
  features: ['analysis', 'foundation'],
  commands: ['analysis', 'foundation', 'features', 'src'],
  src: ['analysis', 'foundation', 'features', 'commands'],
}

/** The features' diagram: who builds on whom, never on whose routes. */
const featureArrows = new Set([
  'credentials → access-tokens',
  'setup → access-tokens',
  'setup → credentials',
  'setup → organizations',
  'setup → sign-in',
  'imports → integrations',
  'imports → package-tests',
  'imports → projects',
  'self → credentials',
  'self → organizations',
  'api-keys → credentials',
  'api-keys → members',
  'apps → credentials',
  'app-installs → apps',
  'app-installs → credentials',
  'app-installs → roles',
  'service-accounts → credentials',
  'service-accounts → roles',
  'organizations → app-installs',
  'organizations → credentials',
  'organizations → members',
  'members → app-installs',
  'members → credentials',
  'members → roles',
  'oauth → access-tokens',
  'oauth → credentials',
  'ignores → projects',
  'package-tests → advisories',
  'package-tests → licence-policies',
  'package-tests → registries',
  'projects → advisories',
  'projects → licence-policies',
  'projects → package-tests',
  'sign-in → app-installs',
  'sign-in → apps',
  'sign-in → oauth',
  'sign-in → organizations',
])

/** Files that are lists, or generated, and grow with what they list. */
const exemptFromSize = new Set(['src/foundation/db/tables.generated.ts', 'src/foundation/settings.ts'])

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

function layerOf(path: string): string {
  const parts = path.split('/')
  return parts.length === 2 ? 'src' : parts[1]!
}

describe('architecture', () => {
  test('imports point from commands to features to foundation and analysis, never back', () => {
    const wrong = imports
      .filter(({ target }) => target.startsWith('src/'))
      .filter(({ file, target }) => {
        const [from, to] = [layerOf(file), layerOf(target)]
        return from !== to && !layers[from]?.includes(to)
      })
    assert.deepEqual(wrong, [])
  })

  test('a feature imports another only along a listed arrow, and never its routes', () => {
    const feature = (path: string) => path.split('/')[2]!
    const between = imports.filter(
      ({ file, target }) =>
        file.startsWith('src/features/') && target.startsWith('src/features/') && feature(file) !== feature(target),
    )
    const unlisted = between.filter(({ file, target }) => !featureArrows.has(`${feature(file)} → ${feature(target)}`))
    assert.deepEqual(unlisted, [])
    assert.deepEqual(
      between.filter(({ target }) => target.endsWith('routes.ts')),
      [],
    )
    const used = new Set(between.map(({ file, target }) => `${feature(file)} → ${feature(target)}`))
    assert.deepEqual(
      [...featureArrows].filter((arrow) => !used.has(arrow)),
      [],
      'arrows that nothing uses',
    )
  })

  test('analysis is pure: no machine, no clock, no chance', () => {
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
      /^src\/(features\/[^/]+\/(store|[a-z-]+-store)\.ts|foundation\/(db|jobs|audit|events)\/|foundation\/http\/change\.ts|features\/health\/)/
    const elsewhere = files
      .filter((file) => !allowed.test(file))
      .filter((file) => /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql`/.test(readFileSync(file, 'utf8')))
    assert.deepEqual(elsewhere, [])
  })

  test('the environment is read by commands only, and handed to foundation/config.ts', () => {
    const readers = files.filter((file) => /process\.env/.test(readFileSync(file, 'utf8')))
    assert.deepEqual(
      readers.filter((file) => !file.startsWith('src/commands/')),
      [],
    )
  })

  test('outgoing requests go through foundation/outgoing', () => {
    const asks = /from 'undici'|import [^;]*\b(request|get|Agent)\b[^;]* from 'node:https?'|[^.\w]fetch\(/
    const direct = files.filter((file) => asks.test(readFileSync(file, 'utf8').replaceAll('async fetch(', '')))
    assert.deepEqual(
      direct.filter((file) => !file.startsWith('src/foundation/outgoing/')),
      [],
    )
  })

  test('no file grows past 400 lines', () => {
    const long = files
      .filter((file) => !exemptFromSize.has(file))
      .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > 400)
    assert.deepEqual(long, [])
  })

  test('no file or folder has a name that says nothing', () => {
    const empty = /(^|\/)(utils?|helpers?|common|shared|misc|manager|service|handler|types|constants)(\.ts|\/)/
    assert.deepEqual(
      globSync('{src,test,tools,bench}/**/*').filter((path) => empty.test(path)),
      [],
    )
  })

  test('no cycles between files of different modules', () => {
    const module = (path: string) => path.split('/').slice(0, 3).join('/')
    const edges = new Map<string, Set<string>>()
    for (const { file, target } of imports) {
      if (!target.startsWith('src/') || module(file) === module(target) || layerOf(file) === 'src') continue
      edges.set(module(file), (edges.get(module(file)) ?? new Set()).add(module(target)))
    }
    const cycles: string[] = []
    const visit = (from: string, trail: string[]): void => {
      if (trail.includes(from)) return void cycles.push([...trail.slice(trail.indexOf(from)), from].join(' → '))
      for (const to of edges.get(from) ?? []) visit(to, [...trail, from])
    }
    for (const from of edges.keys()) visit(from, [])
    assert.deepEqual(
      [...new Set(cycles)].filter((cycle) => cycle.includes('features/')),
      [],
    )
  })
})
