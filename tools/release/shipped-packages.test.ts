import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedPart } from './shipped-packages.ts'

const lockfile = {
  name: 'gate',
  version: '1.0.0',
  packages: {
    '': { dependencies: { a: '^1.0.0', tool: '^1.0.0' } },
    'node_modules/a': { version: '1.0.0', license: 'MIT', dependencies: { b: '^1.0.0', '@x/c': '^1.0.0', tool: '*' } },
    'node_modules/a/node_modules/b': { version: '1.1.0', dependencies: { '@x/c': '*' } },
    'node_modules/@x/c': { version: '1.2.0' },
    'node_modules/b': { version: '2.0.0' },
    'node_modules/tool': { version: '1.0.0' },
  },
}

test("shippedPart: the lockfile's part for the shipped folders and their dependencies on each other", () => {
  const folders = ['a', 'a/node_modules/b', '@x/c'].map((name) => `/gate/node_modules/${name}`)
  assert.deepEqual(shippedPart(lockfile, '/gate', folders), {
    name: 'gate',
    version: '1.0.0',
    packages: {
      '': { version: '1.0.0', dependencies: { '@x/c': '1.2.0', a: '1.0.0' } },
      'node_modules/@x/c': { version: '1.2.0', dependencies: {} },
      'node_modules/a': { version: '1.0.0', license: 'MIT', dependencies: { b: '^1.0.0', '@x/c': '^1.0.0' } },
      'node_modules/a/node_modules/b': { version: '1.1.0', dependencies: { '@x/c': '*' } },
    },
  })
})

test('shippedPart: refuses a folder that the lockfile lacks', () => {
  assert.throws(() => shippedPart(lockfile, '/gate', ['/gate/node_modules/z']), /has no node_modules\/z/)
})
