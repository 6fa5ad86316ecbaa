import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isPermissive, judgeLicense, type LicensePolicy } from './judge-license.ts'
import { type LicenseExpression, parseLicense } from './license-expression.ts'

const policy: LicensePolicy = {
  rules: [
    { license: 'MIT', verdict: 'none' },
    { license: 'GPL-3.0-only', verdict: 'high', instructions: 'Ask the legal team.' },
    { license: 'AGPL-3.0-only', verdict: 'critical' },
    { license: 'GPL-2.0-only', verdict: 'medium' },
    { license: 'GPL-2.0-only WITH Classpath-exception-2.0', verdict: 'none' },
    { license: 'EPL-1.0', verdict: 'medium' },
  ],
  unlisted: 'none',
  unknown: 'low',
}
const strict: LicensePolicy = { ...policy, unlisted: 'high' }

const cases: [license: string | undefined, policy: LicensePolicy, offenses: [string | undefined, string][]][] = [
  ['MIT', policy, []],
  ['ISC', policy, []],
  ['ISC', strict, [['ISC', 'high']]],
  ['MIT', strict, []],
  ['GPL-3.0-only', policy, [['GPL-3.0-only', 'high']]],
  ['GPL-3.0', policy, [['GPL-3.0-only', 'high']]],
  ['GPL-3.0-or-later', policy, []],
  ['EPL-1.0+', policy, [['EPL-1.0+', 'medium']]],
  ['MIT OR GPL-3.0-only', policy, []],
  ['GPL-3.0-only OR AGPL-3.0-only', policy, [['GPL-3.0-only OR AGPL-3.0-only', 'high']]],
  ['MIT AND GPL-3.0-only', policy, [['GPL-3.0-only', 'high']]],
  [
    'GPL-3.0-only AND AGPL-3.0-only',
    policy,
    [
      ['GPL-3.0-only', 'high'],
      ['AGPL-3.0-only', 'critical'],
    ],
  ],
  ['GPL-3.0-only AND GPL-3.0-only', policy, [['GPL-3.0-only', 'high']]],
  ['(MIT OR GPL-3.0-only) AND AGPL-3.0-only', policy, [['AGPL-3.0-only', 'critical']]],
  ['GPL-3.0-only AND MIT OR AGPL-3.0-only', policy, [['GPL-3.0-only AND MIT OR AGPL-3.0-only', 'high']]],
  ['GPL-2.0-only WITH Classpath-exception-2.0', policy, []],
  ['GPL-2.0-only WITH Font-exception-2.0', policy, [['GPL-2.0-only WITH Font-exception-2.0', 'medium']]],
  [undefined, policy, [[undefined, 'low']]],
  ['SEE LICENSE IN x', policy, [[undefined, 'low']]],
  ['MIT OR My Own', policy, []],
  ['MIT AND My Own', policy, [[undefined, 'low']]],
  [undefined, { ...policy, unknown: 'none' }, []],
]

describe('licenses judged by a policy', () => {
  for (const [license, by, offenses] of cases) {
    test(`${license ?? 'no license'}: offenses if unlisted licenses are ${by.unlisted} and unknown ones ${by.unknown}`, () => {
      const judged = judgeLicense(license === undefined ? undefined : parseLicense(license), by)
      assert.deepEqual(
        judged.map(({ license: judgedLicense, severity }) => [judgedLicense, severity]),
        offenses,
      )
    })
  }

  test('an offense has the instructions of its rule', () => {
    const [offense] = judgeLicense(parseLicense('GPL-3.0-only OR AGPL-3.0-only'), policy)
    assert.deepEqual(offense!.instructions, ['Ask the legal team.'])
  })

  test('isPermissive: true only for a policy without objections', () => {
    assert.ok(isPermissive({ rules: [{ license: 'MIT', verdict: 'none' }], unlisted: 'none', unknown: 'none' }))
    for (const licensePolicy of [policy, { rules: [], unlisted: 'low' as const, unknown: 'none' as const }])
      assert.ok(!isPermissive(licensePolicy))
  })

  test('an AND is allowed only if all parts are, an OR if one is', () => {
    const leaf: fc.Arbitrary<LicenseExpression> = fc
      .constantFrom('MIT', 'ISC', 'GPL-3.0-only', 'AGPL-3.0-only', 'EPL-1.0')
      .map((id) => ({ kind: 'license', id }))
    const { tree } = fc.letrec<{ tree: LicenseExpression }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.record({
          kind: fc.constantFrom('and' as const, 'or' as const),
          parts: fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
        }),
      ),
    }))
    const isFine = (node: LicenseExpression): boolean => {
      if (node.kind === 'and') return node.parts.every(isFine)
      if (node.kind === 'or') return node.parts.some(isFine)
      return judgeLicense(node, policy).length === 0
    }
    fc.assert(fc.property(tree, (node) => assert.equal(judgeLicense(node, policy).length === 0, isFine(node))))
  })
})
