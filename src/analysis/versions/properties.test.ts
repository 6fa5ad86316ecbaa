import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '#test/documents/any-text.ts'
import { versionPairs, versionsWithRange } from '#test/manifests/version-texts.ts'
import { volume } from '#test/volume.ts'
import { versionSchemes } from './index.ts'

const runs = { numRuns: volume(1000) }

for (const scheme of Object.values(versionSchemes)) {
  test(`${scheme.id}: compare is antisymmetric, and every text equals itself`, () => {
    const check = ([a, b]: readonly [string, string]) => {
      assert.equal(Math.sign(scheme.compare(a, b)) + Math.sign(scheme.compare(b, a)), 0)
      assert.equal(scheme.compare(a, a), 0)
    }
    fc.assert(fc.property(versionPairs(scheme.id), check), runs)
    fc.assert(fc.property(fc.tuple(anyText(), fc.string()), check), runs)
  })

  test(`${scheme.id}: invalid texts come first, ordered by code unit`, () => {
    const check = ([a, b]: readonly [string, string]) => {
      if (scheme.isValid(a)) return
      const expected = scheme.isValid(b) || a < b ? -1 : a === b ? 0 : 1
      assert.equal(Math.sign(scheme.compare(a, b)), expected)
    }
    fc.assert(fc.property(versionPairs(scheme.id), check), runs)
  })

  test(`${scheme.id}: satisfies never throws, and is false for an invalid range`, () => {
    const check = ([version, range]: readonly [string, string]) => {
      const answer = scheme.satisfies(version, range)
      assert.equal(typeof answer, 'boolean')
      if (!scheme.isRange(range)) assert.equal(answer, false)
    }
    fc.assert(fc.property(versionsWithRange(scheme.id), check), runs)
    fc.assert(fc.property(fc.tuple(fc.string(), anyText()), check), runs)
  })

  // Maven's order is not transitive, as its fixtures show, nor that of Conan, which compares numbers with words as text.
  if (scheme.id === 'maven' || scheme.id === 'conan') continue
  test(`${scheme.id}: compare is transitive`, () => {
    const near = fc.tuple(versionPairs(scheme.id), versionPairs(scheme.id)).map((pairs) => pairs.flat())
    const sorted = near.map((versions) => versions.sort(scheme.compare))
    const check = (versions: readonly string[]) => {
      for (const [i, a] of versions.entries()) {
        for (const b of versions.slice(i)) assert.ok(scheme.compare(a, b) <= 0, `${a} before ${b}`)
      }
    }
    fc.assert(fc.property(sorted, check), runs)
  })
}
