import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { parseSyml, stringifySyml } from '@yarnpkg/parsers'
import fc from 'fast-check'
import { yarn } from '../../src/analysis/ecosystems/javascript/yarn/index.ts'
import { readBlocks } from '../../src/analysis/ecosystems/javascript/yarn/lock-text.ts'
import { isBerryText } from '../../src/analysis/ecosystems/javascript/yarn/yarn-lock.ts'
import { noRegistries } from '../../test/support/registries/registries.ts'
import { sampleOf, volume } from '../../test/support/volume.ts'
import { lockedPart, toPlain, toTexts, walkV1, yarn1 } from './yarn-view.ts'

const projects = path.join(import.meta.dirname, '../../../shared/data/manifests/yarn')
const skip = existsSync(projects) ? false : 'needs ../shared'
const names = skip ? [] : sampleOf(readdirSync(projects))
const read = (project: string, file: string) => readFileSync(path.join(projects, project, file), 'utf8')

describe('text of real yarn.lock files, compared with Yarn', { skip }, () => {
  for (const project of names) {
    test(`${project}: yarn.lock is parsed as by Yarn`, () => {
      const text = read(project, 'yarn.lock')
      const isBerry = isBerryText(text)
      const expected = isBerry ? parseSyml(text) : yarn1.parse(text).object
      const own = readBlocks(text, isBerry ? 'berry' : 'v1', 'target')
      const plain = own.flatMap(({ keys, members }) => keys.map((key) => [key, toPlain(members)] as const))
      assert.ok(plain.length > 5)
      assert.deepEqual(Object.fromEntries(plain), toTexts(expected))
    })
  }
})

describe('packages and edges of real yarn.lock files, compared with Yarn 1', { skip }, () => {
  const withV1 = names.filter((project) => !isBerryText(read(project, 'yarn.lock')))
  for (const project of withV1) {
    test(`${project}: packages and edges are those of Yarn 1`, async () => {
      const folder = path.join(projects, project)
      const files = readdirSync(folder, { recursive: true }).map(String)
      const members = files.filter((file) => file.includes('/') && path.basename(file) === 'package.json')
      const text = read(project, 'yarn.lock')
      const lock = yarn1.parse(text).object
      // Ranges missing in the lock are reported, and the nearest version tested; here they are dropped.
      const manifests = ['package.json', ...members].map((file) => lockedPart(read(project, file), lock))
      const [target, ...others] = manifests
      const options = { includeDev: true, repositories: [], limits: { maxNodes: 50_000 } }
      const reading = await yarn.read({ target: target!, additional: [...others, text] }, noRegistries, options)
      const labels = reading.graph.nodes.map(({ package: lockedPackage }, index) =>
        index === 0 ? 'project' : `${lockedPackage.name}@${lockedPackage.version}`,
      )
      const own = reading.graph.nodes.flatMap(({ edges }, from) =>
        edges.map(({ to }) => `${labels[from]} → ${labels[to]}`),
      )
      const expected = walkV1(lock, manifests)
      assert.ok(expected.size > 5)
      assert.deepEqual([...new Set(own)].sort(), [...expected].sort())
    })
  }
})

describe('random yarn.lock files', () => {
  const word = fc.oneof(
    // Neither writer quotes leading or trailing blanks.
    fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((text) => text.trim() === text),
    fc.constantFrom(
      '__proto__',
      'constructor',
      'true',
      'false',
      '1',
      '0x1',
      '- a',
      '# b',
      'a: b',
      'a,b',
      '"',
      '\\',
      '@a/b',
    ),
  )
  const range = fc.constantFrom(
    '^1.0.0',
    '1 || 2',
    '>=1 <2',
    'npm:a@1',
    '',
    'workspace:^',
    'https://registry.example/a',
  )
  const texts = fc.dictionary(word, range, { maxKeys: 4, noNullPrototype: true })
  const key = fc.tuple(word, range).map(([name, selected]) => `${name}@${selected}`)
  const entry = fc.record({ version: fc.constantFrom('1.0.0', '2.0.0-a.1'), dependencies: texts })

  test('random yarn.lock: parsed as by Yarn 1', () => {
    fc.assert(
      fc.property(fc.dictionary(key, entry, { maxKeys: 5, noNullPrototype: true }), (lock) => {
        const text = yarn1.stringify(lock)
        const expected = orFault(() => yarn1.parse(text).object)
        // Yarn's parser cannot read everything its writer produces.
        fc.pre(expected !== undefined)
        const blocks = readBlocks(text, 'v1', 'target')
        const own = blocks.flatMap(({ keys, members }) => keys.map((key) => [key, toPlain(members)] as const))
        assert.deepEqual(Object.fromEntries(own), toTexts(expected))
      }),
      { numRuns: volume(300) },
    )
  })

  test('random yarn.lock: parsed as by Yarn from version 2', () => {
    fc.assert(
      fc.property(fc.dictionary(key, entry, { maxKeys: 5, noNullPrototype: true }), (lock) => {
        const text = stringifySyml(lock)
        const expected = orFault(() => parseSyml(text))
        fc.pre(expected !== undefined)
        const own = readBlocks(text, 'berry', 'target').map(({ keys, members }) => [keys[0], toPlain(members)] as const)
        assert.deepEqual(Object.fromEntries(own), toTexts(expected))
      }),
      { numRuns: volume(300) },
    )
  })
})

function orFault<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
