import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { volume } from '#test/volume.ts'
import { isDynamic, matchesSelector } from './selectors.ts'
import { compareGradleVersions } from './version-order.ts'

describe("Gradle's order of versions", () => {
  // Examples from Gradle's user guide, "Declaring versions and ranges", and our own.
  const lines = [
    '1.0-dev < 1.0-alpha < 1.0-rc < 1.0-snapshot < 1.0-final < 1.0-ga < 1.0-release < 1.0-sp < 1.0',
    '1.a < 1.1',
    '1.0-zeta < 1.0-rc',
    '1.1.a < 1.1 < 1.1.0 < 1.1.1',
    '1.0-RC-1 < 1.0-RC-2 < 1.0.Final < 1.0',
    '1.9 < 1.10 < 1.100000000000000000000',
    '2.0-beta < 2.0-rc < 2.0 < 2.0.1',
    '1.0.alpha < 1.0.b',
  ]
  for (const line of lines) {
    test(`Gradle version order: ${line}`, () => {
      const versions = line.split(' < ')
      for (const [at, version] of versions.entries()) {
        assert.equal(compareGradleVersions(version, version), 0)
        for (const newer of versions.slice(at + 1)) {
          assert.ok(compareGradleVersions(version, newer) < 0, `${version} < ${newer}`)
          assert.ok(compareGradleVersions(newer, version) > 0, `${newer} > ${version}`)
        }
      }
    })
  }

  test('Gradle versions: separators and the case of special words do not matter', () => {
    assert.equal(compareGradleVersions('1.a.1', '1-a+1'), 0)
    assert.equal(compareGradleVersions('1a1', '1.a.1'), 0)
    assert.equal(compareGradleVersions('1-RC', '1-rc'), 0)
  })

  test('Gradle versions: the order is antisymmetric and sorts random texts', () => {
    const version = fc.string({ unit: fc.constantFrom('0', '1', '9', '.', '-', 'a', 'B', 'rc', 'dev') })
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        assert.equal(Math.sign(compareGradleVersions(a, b)) + Math.sign(compareGradleVersions(b, a)), 0)
        const [first, second, third] = [a, b, c].sort(compareGradleVersions)
        assert.ok(compareGradleVersions(first!, second!) <= 0 && compareGradleVersions(first!, third!) <= 0)
      }),
      { numRuns: volume(2_000) },
    )
  })
})

describe("Gradle's version selectors", () => {
  const cases: [selector: string, fits: string[], doesNot: string[]][] = [
    ['1.+', ['1.0', '1.9-rc'], ['10', '2.0', '1']],
    ['+', ['1', 'x'], []],
    ['latest.release', ['1', '2-rc'], ['3-SNAPSHOT']],
    ['latest.integration', ['1', '3-SNAPSHOT'], []],
    ['[1.0,2.0]', ['1.0', '1.5', '2.0', '2.0-rc'], ['0.9', '2.0.1']],
    ['[1.0,2.0)', ['1.0', '1.9'], ['2.0', '2.0-rc-1', '2.0.beta']],
    ['[1.0,2.0[', ['1.0', '1.9'], ['2.0', '2.0-rc-1']],
    [']1.0,2.0]', ['1.1', '2.0'], ['1.0']],
    ['(1.0,)', ['1.1', '99'], ['1.0']],
    ['(,2.0]', ['0.1', '2.0'], ['2.1']],
    ['[1.5]', ['1.5'], ['1.4', '1.6']],
    ['[1.0', [], ['1.0']],
  ]
  for (const [selector, fits, doesNot] of cases) {
    test(`Gradle selector ${selector}: dynamic, matches its versions only`, () => {
      assert.ok(isDynamic(selector))
      for (const version of fits) assert.ok(matchesSelector(version, selector), version)
      for (const version of doesNot) assert.ok(!matchesSelector(version, selector), version)
    })
  }

  test('Gradle selector 1.0: not dynamic, matches only itself', () => {
    assert.ok(!isDynamic('1.0'))
    assert.ok(matchesSelector('1.0', '1.0'))
    assert.ok(!matchesSelector('1.0.0', '1.0'))
  })
})
