import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '#test/documents/any-text.ts'
import { versionPairs, versionsWithRange, versionTexts } from '#test/manifests/version-texts.ts'
import { volume } from '#test/volume.ts'
import { versionSchemes } from './index.ts'
import type { VersionScheme } from './version-scheme.ts'

const runs = { numRuns: volume(1000) }

/** Ordinary versions, oldest first: searches are fast if their coarse numbers differ. */
const ordinary: Readonly<Record<VersionScheme['id'], string>> = {
  npm: '0.0.1 0.1.0 1.0.0-alpha.1 1.0.0-alpha.2 1.0.0-beta.1 1.0.0-rc.1 1.0.0 1.0.1 1.2.10 4.17.20 4.17.21 10.0.0 2024.1.31 20240131.1.0',
  pep440:
    '0.0.1 0.1 1.0.dev1 1.0a1 1.0a2 1.0b1 1.0rc1 1.0 1.0.post1 1.0.1 1.2.10 2.31.0 10 2023.7.22 2024.1.31.1 20240131 1!0.1',
  rubygems:
    '0.0.1 0.1 1.0.alpha 1.0.beta 1.0.rc1 1.0.rc2 1.0 1.0.1 1.2.10 5.2.4.3 5.2.4.4 7.0.0.rc1 7.0.0 10.0 2024.1.31 20240131',
  maven: '0.0.1 0.1 1.0 1.0.1 1.2.10 2.9.10.7 2.9.10.8 2.13.4.1 2.13.4.2 10.0 2024.1.31 20240131',
  go: '0.0.1 0.1.0 1.0.0-alpha.1 1.0.0-alpha.2 1.0.0-beta.1 1.0.0-rc.1 1.0.0 1.0.1 1.2.10 1.22.1 10.0.0 2024.1.31 20240131.1.0',
}

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

  test(`${scheme.id}: coarse numbers are bounded integers that never contradict compare`, () => {
    const check = ([a, b]: readonly [string, string]) => {
      const [left, right] = [scheme.coarse(a), scheme.coarse(b)]
      assert.ok(Number.isSafeInteger(left) && left >= 0, String(left))
      if (left !== right) assert.equal(Math.sign(scheme.compare(a, b)), Math.sign(left - right))
    }
    fc.assert(fc.property(versionPairs(scheme.id), check), runs)
    fc.assert(fc.property(fc.tuple(fc.string(), versionTexts(scheme.id)), check), runs)
  })

  test(`${scheme.id}: ordinary versions have distinct coarse numbers`, () => {
    const numbers = ordinary[scheme.id].split(' ').map((version) => scheme.coarse(version))
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((a, b) => a - b),
    )
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

  if (scheme.id === 'maven') continue // Maven's order is not transitive, as its fixtures show.
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

for (const scheme of Object.values(versionSchemes)) {
  test(`${scheme.id}: an invalid text has the coarse number 0`, () => {
    assert.equal(scheme.coarse(scheme.id === 'maven' ? '' : 'no version!'), 0)
  })
}
