import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import { volume } from '#test/volume.ts'
import { publishedDependencies } from './dependency.ts'
import { parseSpec } from './spec.ts'

describe('values of npm dependencies', () => {
  const fromRegistry: [text: string, name: string, wanted: string][] = [
    ['', 'a', '*'],
    [' ^1.0.0 || 2 ', 'a', '^1.0.0 || 2'],
    ['latest', 'a', 'latest'],
    ['1.2.3-beta.1', 'a', '1.2.3-beta.1'],
    ['npm:b@^1.0.0', 'b', '^1.0.0'],
    ['npm:@s/b@1', '@s/b', '1'],
    ['npm:b', 'b', '*'],
  ]
  for (const [text, name, selector] of fromRegistry) {
    test(`npm dependency ${JSON.stringify(text)} is from the registry`, () =>
      assert.deepEqual(parseSpec('a', text), { name, selector, elsewhere: undefined }))
  }

  const fromElsewhere: [text: string, source: string][] = [
    ['github:someone/a', 'a git repository'],
    ['someone/a#semver:^1.0.0', 'a git repository'],
    ['git+ssh://git@git.example/a.git', 'a git repository'],
    ['git@git.example:someone/a.git', 'a git repository'],
    ['https://git.example/a.git#main', 'a git repository'],
    ['https://files.example/a-1.0.0.tgz', 'a URL'],
    ['file:../a', 'a local path'],
    ['./a', 'a local path'],
    ['~/a', 'a local path'],
    ['C:\\a', 'a local path'],
    ['a-1.0.0.tgz', 'a local path'],
    ['some/where/else', 'a local path'],
    ['workspace:^', 'a source npm does not know ("workspace:")'],
    ['npm:', 'an alias without a package name'],
    ['npm:b@file:..', 'an alias without a package name'],
    [`>=1 ${'|| 1.2.3 '.repeat(200)}`, 'a range that is too long'],
  ]
  for (const [text, source] of fromElsewhere) {
    test(`npm dependency ${JSON.stringify(text.slice(0, 60))} is ${source}`, () =>
      assert.equal(parseSpec('a', text).elsewhere, source))
  }
})

describe('secrets in addresses', () => {
  const cases: [text: string, safe: string][] = [
    ['https://someone:hidden@git.example/a.git#1', 'https://git.example/a.git#1'],
    ['https://hidden@git.example/a.git', 'https://git.example/a.git'],
    ['git+ssh://git@git.example/a.git', 'git+ssh://git@git.example/a.git'],
    ['https://files.example/a.tgz?token=hidden#sha512', 'https://files.example/a.tgz#sha512'],
    ['npm:a@https://x:hidden@y.example', 'npm:a@https://y.example'],
    ['https://a:hid@den@git.example/a', 'https://git.example/a'],
    ['^1.0.0', '^1.0.0'],
  ]
  for (const [text, safe] of cases)
    test(`secrets are removed from ${text}`, () => assert.equal(withoutCredentials(text), safe))
})

const where = { file: 'target', entry: 'a' } as const

test('npm dependencies: those of one kind are read as beside empty lists of other kinds', () => {
  const name = fc.constantFrom('a', 'b', '@s/a', '__proto__', 'constructor', '1', '')
  const ranges = fc.dictionary(name, fc.constantFrom('^1.0.0', '*', '', 'npm:b@1'), { noNullPrototype: true })
  fc.assert(
    fc.property(ranges, (dependencies) => {
      const beside = { dependencies, peerDependencies: {}, optionalDependencies: {} }
      assert.deepEqual(publishedDependencies({ dependencies }, where), publishedDependencies(beside, where))
    }),
    { numRuns: volume(500) },
  )
})
