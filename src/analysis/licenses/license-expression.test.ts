import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import ids from 'spdx-license-ids/index.json' with { type: 'json' }
import { volume } from '#test/volume.ts'
import { isKnown, type LicenseExpression, parseLicense, writeLicense } from './license-expression.ts'

const said: [text: string, meant: string][] = [
  ['MIT', 'MIT'],
  ['mit', 'MIT'],
  [' ISC ', 'ISC'],
  ['apache-2.0', 'Apache-2.0'],
  ['Apache-2.0+', 'Apache-2.0+'],
  ['GPL-2.0', 'GPL-2.0-only'],
  ['GPL-2.0+', 'GPL-2.0-or-later'],
  ['AGPL-3.0-or-later', 'AGPL-3.0-or-later'],
  ['GPL-2.0-with-classpath-exception', 'GPL-2.0-only WITH Classpath-exception-2.0'],
  ['LicenseRef-scancode-public-domain', 'LicenseRef-scancode-public-domain'],
  ['DocumentRef-other:LicenseRef-one', 'DocumentRef-other:LicenseRef-one'],
  ['(MIT OR Apache-2.0)', 'MIT OR Apache-2.0'],
  ['MIT AND (ISC OR BSD-2-Clause)', 'MIT AND (ISC OR BSD-2-Clause)'],
  ['MIT OR ISC AND Zlib', 'MIT OR ISC AND Zlib'],
  ['((MIT))', 'MIT'],
  ['GPL-2.0-only WITH Classpath-exception-2.0 OR MIT', 'GPL-2.0-only WITH Classpath-exception-2.0 OR MIT'],
  ['mit or apache-2.0', 'MIT OR Apache-2.0'],
  ['MIT/Apache-2.0', 'MIT OR Apache-2.0'],
  ['MIT/X11', 'MIT'],
  ['MIT /\n    AGPL   v3', 'MIT OR AGPL-3.0-only'],
  ['MIT, ISC', 'MIT AND ISC'],
  ['GPL v2, LGPL v3', 'GPL-2.0-only AND LGPL-3.0-only'],
  ['GPL v3, LGPL v3', 'GPL-3.0-only AND LGPL-3.0-only'],
  ['The MIT License (MIT)', 'MIT'],
  ['GPL-3.0-only OR MIT', 'GPL-3.0-only OR MIT'],
  ['License :: OSI Approved :: MIT License', 'MIT'],
  ['License :: OSI Approved :: ISC License (ISCL)', 'ISC'],
  ['License :: OSI Approved :: Apache Software License', 'Apache-2.0'],
  ['The Apache Software License, Version 2.0', 'Apache-2.0'],
  ['Apache License, Version 2.0', 'Apache-2.0'],
  ['Apache v2', 'Apache-2.0'],
  ['Apache2', 'Apache-2.0'],
  ['http://www.apache.org/licenses/LICENSE-2.0.txt', 'Apache-2.0'],
  ['https://opensource.org/licenses/MIT', 'MIT'],
  ['https://opensource.org/licenses/BSD-3-Clause', 'BSD-3-Clause'],
  ['New BSD License', 'BSD-3-Clause'],
  ['BSD 3-Clause License', 'BSD-3-Clause'],
  ['BSD-2-Clause License', 'BSD-2-Clause'],
  ['Simplified BSD', 'BSD-2-Clause'],
  ['Mozilla Public License 2.0 (MPL 2.0)', 'MPL-2.0'],
  ['Eclipse Public License - v 1.0', 'EPL-1.0'],
  ['Eclipse Public License v2.0', 'EPL-2.0'],
  ['GNU General Public License v3 (GPLv3)', 'GPL-3.0-only'],
  ['GNU General Public License v2 or later (GPLv2+)', 'GPL-2.0-or-later'],
  ['GNU Lesser General Public License v2.1 or later', 'LGPL-2.1-or-later'],
  ['GNU Library or Lesser General Public License, Version 2.1 (LGPLv2)', 'LGPL-2.1-only'],
  ['GNU Affero General Public License v3', 'AGPL-3.0-only'],
  ['AGPLv3+', 'AGPL-3.0-or-later'],
  ['LGPL v2.1', 'LGPL-2.1-only'],
  ['gplv3', 'GPL-3.0-only'],
  ['Python Software Foundation License', 'PSF-2.0'],
  ['CDDL + GPLv2 with classpath exception', 'CDDL-1.1 OR GPL-2.0-only WITH Classpath-exception-2.0'],
  ['Apache License, Version 2.0 OR Eclipse Public License v1.0', 'Apache-2.0 OR EPL-1.0'],
]

const unclear: [text: string, written: string][] = [
  ['SEE LICENSE IN LICENSE.md', 'SEE LICENSE IN LICENSE.md'],
  ['UNLICENSED', 'UNLICENSED'],
  ['BSD', 'BSD'],
  ['GPL', 'GPL'],
  ['GNU General Public License v2 with the Bison exception', 'GNU General Public License v2 with the Bison exception'],
  ['MIT OR My Own', 'MIT OR My Own'],
  ['MIT OR', 'MIT OR'],
  ['MIT WITH', 'MIT WITH'],
  ['GPL2-later WITH r or GPL3 OR or GPL3', 'GPL2-later WITH r or GPL3 OR or GPL3'],
  ['constructor', 'constructor'],
  ['__proto__', '__proto__'],
  ['('.repeat(400), '('.repeat(400)],
]

describe('license expressions', () => {
  for (const [text, meant] of said) {
    test(`license "${text}" is read as ${meant}`, () => {
      const expression = parseLicense(text)!
      assert.equal(writeLicense(expression), meant)
      assert.ok(isKnown(expression))
    })
  }
  for (const [text, written] of unclear) {
    test(`license "${text.slice(0, 60)}" is not fully known`, () => {
      const expression = parseLicense(text)!
      assert.equal(writeLicense(expression), written)
      assert.ok(!isKnown(expression))
    })
  }

  test('parseLicense: empty and overlong texts give no license', () => {
    for (const text of ['', '  ', 'MIT OR '.repeat(1000)]) assert.equal(parseLicense(text), undefined)
  })

  test('parseLicense: a text whose normalized form is too long stays unknown', () => {
    const text = Array.from({ length: 120 }, () => 'GPL3').join(' OR ')
    assert.deepEqual(parseLicense(text), { kind: 'unknown', text })
    assert.deepEqual(parseLicense(writeLicense(parseLicense(text)!)), { kind: 'unknown', text })
  })

  test('writeLicense: a known random expression reads the same again', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('(', ')', ' ', 'MIT', 'ISC+', 'AND', 'or', 'WITH', 'x', '/', ',', 'GPL v2', '::'), {
          maxLength: 40,
        }),
        (words) => {
          const expression = parseLicense(words.join(' '))
          if (expression === undefined || !isKnown(expression)) return
          assert.deepEqual(parseLicense(writeLicense(expression)), expression)
        },
      ),
      { numRuns: volume(2000) },
    )
  })

  test('parseLicense: valid expressions mean the same as in spdx-expression-parse', () => {
    const parse = createRequire(import.meta.url)('spdx-expression-parse') as (text: string) => Theirs
    const leaf = fc.oneof(
      fc.constantFrom(...ids.filter((id) => !id.endsWith('+'))),
      fc.constantFrom('GPL-2.0-only WITH Classpath-exception-2.0', 'LicenseRef-own', 'Apache-2.0+'),
    )
    const { expression } = fc.letrec<{ expression: string }>((tie) => ({
      expression: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.tuple(tie('expression'), fc.constantFrom('AND', 'OR'), tie('expression')).map((parts) => parts.join(' ')),
        tie('expression').map((inner) => `(${inner})`),
      ),
    }))
    fc.assert(
      fc.property(expression, (text) => {
        fc.pre(text.length <= 1000)
        assert.equal(shapeOfOurs(parseLicense(text)!), shapeOfTheirs(parse(text)))
      }),
      { numRuns: volume(500) },
    )
  })
})

type Theirs =
  | { license: string; plus?: true; exception?: string }
  | { conjunction: 'and' | 'or'; left: Theirs; right: Theirs }

/** Flattens chains of one operator, since both are associative. */
function shapeOfTheirs(node: Theirs): string {
  if ('conjunction' in node) return `${node.conjunction}(${flat(node, node.conjunction).join(',')})`
  return `${node.license}${node.plus ? '+' : ''}${node.exception === undefined ? '' : ` WITH ${node.exception}`}`
}

function flat(node: Theirs, conjunction: string): string[] {
  if (!('conjunction' in node) || node.conjunction !== conjunction) return [shapeOfTheirs(node)]
  return [...flat(node.left, conjunction), ...flat(node.right, conjunction)]
}

function shapeOfOurs(node: LicenseExpression): string {
  if (node.kind === 'license' || node.kind === 'unknown') return writeLicense(node)
  return `${node.kind}(${node.parts.map(shapeOfOurs).join(',')})`
}
