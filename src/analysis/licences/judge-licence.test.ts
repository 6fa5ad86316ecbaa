import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isPermissive, judgeLicence, type LicencePolicy } from './judge-licence.ts'
import { type LicenceExpression, parseLicence } from './licence-expression.ts'

const policy: LicencePolicy = {
  rules: [
    { licence: 'MIT', verdict: 'none' },
    { licence: 'GPL-3.0-only', verdict: 'high', instructions: 'Ask the legal team.' },
    { licence: 'AGPL-3.0-only', verdict: 'critical' },
    { licence: 'GPL-2.0-only', verdict: 'medium' },
    { licence: 'GPL-2.0-only WITH Classpath-exception-2.0', verdict: 'none' },
    { licence: 'EPL-1.0', verdict: 'medium' },
  ],
  unlisted: 'none',
  unknown: 'low',
}
const strict: LicencePolicy = { ...policy, unlisted: 'high' }

const cases: [licence: string | undefined, policy: LicencePolicy, offences: [string | undefined, string][]][] = [
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

describe('licences judged by a policy', () => {
  for (const [licence, by, offences] of cases) {
    test(`${licence ?? 'no licence'} where others are ${by.unlisted} and unknown ones ${by.unknown}`, () => {
      const judged = judgeLicence(licence === undefined ? undefined : parseLicence(licence), by)
      assert.deepEqual(
        judged.map(({ licence: found, severity }) => [found, severity]),
        offences,
      )
    })
  }

  test('instructions of the rule go with the offence', () => {
    const [found] = judgeLicence(parseLicence('GPL-3.0-only OR AGPL-3.0-only'), policy)
    assert.deepEqual(found!.instructions, ['Ask the legal team.'])
  })

  test('a policy that objects to nothing is known as such', () => {
    assert.ok(isPermissive({ rules: [{ licence: 'MIT', verdict: 'none' }], unlisted: 'none', unknown: 'none' }))
    for (const each of [policy, { rules: [], unlisted: 'low' as const, unknown: 'none' as const }])
      assert.ok(!isPermissive(each))
  })

  test('an AND is fine only when all parts are, an OR when one is', () => {
    const leaf: fc.Arbitrary<LicenceExpression> = fc
      .constantFrom('MIT', 'ISC', 'GPL-3.0-only', 'AGPL-3.0-only', 'EPL-1.0')
      .map((id) => ({ kind: 'licence', id }))
    const { tree } = fc.letrec<{ tree: LicenceExpression }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.record({
          kind: fc.constantFrom('and' as const, 'or' as const),
          parts: fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
        }),
      ),
    }))
    const isFine = (node: LicenceExpression): boolean => {
      if (node.kind === 'and') return node.parts.every(isFine)
      if (node.kind === 'or') return node.parts.some(isFine)
      return judgeLicence(node, policy).length === 0
    }
    fc.assert(fc.property(tree, (node) => assert.equal(judgeLicence(node, policy).length === 0, isFine(node))))
  })
})
