import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { volume } from '#test/volume.ts'
import { publishedDependencies } from './dependency.ts'

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
