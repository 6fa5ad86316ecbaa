import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { noRegistries } from '#test/registries/registries.ts'
import { npm } from './index.ts'

const options = { includeDev: true, repositories: [], limits: { maxNodes: 100 } }
const project = '{"dependencies":{"a":"1"}}'
const aliasOfNothing = '{"lockfileVersion":1,"dependencies":{"a":{"version":"npm:"}}}'
const unnamed = '{"lockfileVersion":1,"dependencies":{"a":{"version":"1.0.0","dependencies":{"":{"version":"1.0.0"}}}}}'

function read(target: string, ...additional: string[]) {
  return npm.read({ target, additional }, noRegistries, options)
}

describe('refused npm files', () => {
  const cases: [why: string, files: [string, ...string[]], message: RegExp, file: 'target' | number, line?: number][] =
    [
      ['empty', [' \n'], /empty/, 'target', 1],
      ['truncated', ['{\n  "dependencies": {'], /unexpected end of the text at line 2, column 20/, 'target', 2],
      ['after a byte order mark and CRLF', ['\ufeff{\r\n  "a": x}'], /unexpected "x" at line 2, column 8/, 'target', 2],
      ['the lock of another tool, additional', [project, '# yarn lockfile v1'], /This is a yarn\.lock/, 0],
      ['a list', ['[]'], /expected a JSON object/, 'target', 1],
      ['a number', ['7'], /expected a JSON object/, 'target', 1],
      ['an object without members', ['{}'], /no member of the JSON object identifies one/, 'target', 1],
      ['dependencies as text', ['{"dependencies":"a"}'], /"dependencies" must be an object, not a string/, 'target'],
      [
        'dependencies as a list',
        ['{"devDependencies":["a"]}'],
        /"devDependencies" must be an object, not a list/,
        'target',
      ],
      [
        'packages of the wrong type',
        ['{"dependencies":{"a":{"version":1}},"packages":1}'],
        /"packages" must be an object, not a number/,
        'target',
      ],
      ['a number for a range', ['{"dependencies":{"a":1}}'], /must give a range for "a", not a number/, 'target'],
      ['two lockfiles', [project, '{"lockfileVersion":1}', '{"lockfileVersion":3,"packages":{}}'], /Two lockfiles/, 1],
      ['an override that is a number', ['{"overrides":{"a":1}}'], /must give a string for "a"/, 'target'],
      ['thousands of overrides', [overrides((index) => `p${index}`)], /more than 2000 rules/, 'target'],
      ['overrides of one package', [overrides((index) => `a@^${index}`)], /more than 20 for one/, 'target'],
      ['an override that refers to a missing dependency', ['{"overrides":{"a":"$b"}}'], /refers to "\$b"/, 'target'],
      [
        'overrides nested deeply',
        [`{"overrides":${'{"a":'.repeat(60)}"1"${'}'.repeat(60)}}`],
        /depth limit of 50/,
        'target',
      ],
      [
        'an entry that is text',
        [project, '{"lockfileVersion":3,"packages":{"node_modules/a":"1"}}'],
        /is not an object/,
        0,
      ],
      ['v3 without packages', [project, '{"lockfileVersion":3}'], /has no "packages"/, 0],
      [
        'an entry with a range of null',
        [project, '{"lockfileVersion":3,"packages":{"node_modules/a":{"version":"1.0.0","dependencies":{"b":null}}}}'],
        /"dependencies" of "node_modules\/a" must give a range for "b", not null/,
        0,
      ],
      ['a location without a name', [project, location('', '{"version":"1.0.0"}')], /without a name/, 0],
      ['a package without a name', [project, unnamed], /without a name/, 0],
      ['deeply nested dependencies', [project, nested(300)], /depth limit of 200/, 0],
      ['a deeply nested location', [project, deepLocation(300)], /depth limit of 200/, 0],
      ['a location of 100,000 characters', [project, location('x'.repeat(100_000))], /depth limit of [0-9]+/, 0],
      ['more packages than the limit', [flat(101).project, flat(101).lock], /more than 100 packages/, 0],
      [
        'brackets in brackets',
        [`{"a":${'['.repeat(1_600_000)}${']'.repeat(1_600_000)}}`],
        /Depth limit of 1000/,
        'target',
      ],
    ]
  for (const [why, [target, ...additional], message, file, line] of cases) {
    test(`npm file is refused: ${why}`, async () => {
      await assert.rejects(read(target, ...additional), (error) => {
        assert.ok(error instanceof Unreadable, String(error))
        assert.match(error.message, message)
        assert.equal(error.file, file)
        assert.equal(error.line, line)
        return true
      })
    })
  }
})

describe('odd npm files', () => {
  const entry = '{"version":"1.0.0"}'
  const cases: [why: string, files: [string, ...string[]], packages: string[]][] = [
    ['a byte order mark and CRLF', [`\ufeff${project}\r\n`, `\ufeff${location('a', entry)}\r\n`], ['a@1.0.0']],
    [
      'equal keys, of which the last counts',
      ['{"dependencies":{"x":"1"},"dependencies":{"a":"1"}}', location('a', entry)],
      ['a@1.0.0'],
    ],
    ['null and empty lists of dependencies', ['{"dependencies":null,"devDependencies":[]}', location('a', entry)], []],
    [
      'other members of any type',
      ['{"name":[],"version":{},"workspaces":5,"overrides":null,"dependencies":{"a":"1"}}', location('a', entry)],
      ['a@1.0.0'],
    ],
    ['a license of any type', [project, location('a', '{"version":"1.0.0","license":[1],"name":7}')], ['a@1.0.0']],
    [
      'an empty name beside the name of its place',
      [project, location('a', '{"version":"1.0.0","name":""}')],
      ['a@1.0.0'],
    ],
    ['an alias without a package', [project, aliasOfNothing], []],
    ['a link to itself', [project, location('a', '{"link":true,"resolved":"node_modules/a"}')], []],
    ['as many packages as the limit', [flat(100).project, flat(100).lock], flat(100).packages],
    [
      "npm's hidden lockfile, which has no root entry",
      [`{"lockfileVersion":3,"packages":{"node_modules/a":${entry}}}`],
      ['a@1.0.0'],
    ],
    ['an empty lockfile', ['{"name":"p"}', '{"lockfileVersion":3,"packages":{}}'], []],
  ]
  for (const [why, [target, ...additional], packages] of cases) {
    test(`npm file is read: ${why}`, async () => {
      const { graph } = await read(target, ...additional)
      const actual = graph.nodes.slice(1).map((node) => `${node.package.name}@${node.package.version}`)
      assert.deepEqual(actual, packages)
    })
  }
})

test('package-lock.json: lookups of distant packages are limited', async () => {
  const asks = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`far${index}`, '*']))
  const packages: Record<string, object> = {}
  for (let depth = 1, at = ''; depth <= 150; depth++) {
    at += `${at === '' ? '' : '/'}node_modules/a`
    for (let sibling = 0; sibling < 9; sibling++) {
      packages[`${at}/node_modules/b${sibling}`] = { version: `2.${depth}.0`, optionalDependencies: asks }
    }
    packages[at] = { version: `1.0.${depth}`, dependencies: { a: '*', ...bees } }
  }
  const lock = JSON.stringify({ lockfileVersion: 3, packages })
  const manifest = { target: project, additional: [lock] }
  const wide = { ...options, includeDev: false, limits: { maxNodes: 10_000 } }
  await assert.rejects(npm.read(manifest, noRegistries, wide), /takes more than \d+ look-ups/)
})

const bees = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`b${index}`, '*']))

function location(name: string, entry = '{"version":"1.0.0"}'): string {
  return `{"lockfileVersion":3,"packages":{"":{},"node_modules/${name}":${entry}}}`
}

function nested(depth: number): string {
  return `{"lockfileVersion":1,${'"dependencies":{"a":{"version":"1.0.0",'.repeat(depth)}"x":1${'}}'.repeat(depth)}}`
}

function deepLocation(depth: number): string {
  return location(Array.from({ length: depth }, () => 'a').join('/node_modules/'))
}

function overrides(key: (index: number) => string): string {
  const rules = Array.from({ length: 2_001 }, (_, index) => [key(index), '1'])
  return JSON.stringify({ overrides: Object.fromEntries(rules) })
}

function flat(count: number) {
  const names = Array.from({ length: count }, (_, index) => `p${index}`)
  const packages = Object.fromEntries(names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }]))
  const dependencies = Object.fromEntries(names.map((name) => [name, '*']))
  return {
    project: JSON.stringify({ dependencies }),
    lock: JSON.stringify({ lockfileVersion: 3, packages }),
    packages: names.map((name) => `${name}@1.0.0`),
  }
}
