import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { parseCoreMetadata } from './core-metadata.ts'
import { requirementsOfEgg } from './egg-requires.ts'
import { parseVersionDocument } from './version-document.ts'

test('core metadata: headers are parsed, the description is not', () => {
  const text = [
    'Metadata-Version: 2.1',
    'Name: a',
    'Requires-Python: >=3.8',
    'Requires-Dist: b (>=1)',
    'REQUIRES-DIST: c ; extra == "Dev_x"',
    'Provides-Extra: Dev_x',
    'Provides-Extra: dev-x',
    'Classifier: Programming Language :: Python',
    'Classifier: License :: OSI Approved :: MIT License',
    'License: UNKNOWN',
    'Description: one',
    '        two: three',
    '',
    'Requires-Dist: d',
  ].join('\r\n')
  assert.deepEqual(parseCoreMetadata(text, 'a'), {
    requiresDist: ['b (>=1)', 'c ; extra == "Dev_x"'],
    provides: ['dev-x'],
    isStatic: false,
    requiresPython: '>=3.8',
    license: 'MIT License',
  })
})

const statics: [why: string, headers: string[], isStatic: boolean][] = [
  ['2.1 leaves it open', ['Metadata-Version: 2.1'], false],
  ['2.2 says what is dynamic', ['Metadata-Version: 2.2'], true],
  ['something else is dynamic', ['Metadata-Version: 2.4', 'Dynamic: License-File'], true],
  ['the dependencies are dynamic', ['Metadata-Version: 2.2', 'Dynamic: Requires-Dist'], false],
]
for (const [why, headers, isStatic] of statics) {
  test(`core metadata: whether dependencies apply to every build: ${why}`, () => {
    assert.equal(parseCoreMetadata(headers.join('\n'), 'a').isStatic, isStatic)
  })
}

test('core metadata: the license is the expression, else a word, else a classifier', () => {
  const license = (...headers: string[]) =>
    parseCoreMetadata(['Metadata-Version: 2.4', ...headers].join('\n'), 'a').license
  assert.equal(license('License-Expression: MIT OR Apache-2.0', 'License: other'), 'MIT OR Apache-2.0')
  assert.equal(license('License: BSD'), 'BSD')
  assert.equal(
    license(`License: ${'long '.repeat(100)}`, 'Classifier: License :: OSI Approved :: BSD License'),
    'BSD License',
  )
  assert.equal(license(), undefined)
})

test('core metadata: other documents throw RegistryUnreachable', () => {
  for (const text of ['', '<html>', 'Name: a\n', '\nMetadata-Version: 2.1\n']) {
    assert.throws(() => parseCoreMetadata(text, 'a'), RegistryUnreachable)
  }
})

test('version document: without a list, dependencies are unknown', () => {
  const parse = (info: object) =>
    parseVersionDocument(Buffer.from(JSON.stringify({ info: { name: 'A', ...info } })), 'a')
  assert.deepEqual(
    parse({ requires_dist: ['b>=1', 7], requires_python: '>=3', provides_extra: ['X_y'], license: 'MIT' }),
    {
      requiresDist: ['b>=1'],
      provides: ['x-y'],
      requiresPython: '>=3',
      license: 'MIT',
    },
  )
  assert.deepEqual(parse({ requires_dist: null, requires_python: '', license: null }), { provides: [] })
  for (const text of ['', '[]', 'null', '{"info":7}', '{"info":{"name":"b"}}']) {
    assert.throws(() => parseVersionDocument(Buffer.from(text), 'a'), RegistryUnreachable, text)
  }
})

test('requires.txt: sections become markers', () => {
  const text =
    'a>=1\n\n[:python_version < "3"]\nb\n\n[Dev_x]\nc\n# no\nd; os_name == "nt" or os_name == "posix"\n\n[x:sys_platform == "win32"]\ne\n'
  assert.deepEqual(requirementsOfEgg(text), {
    requiresDist: [
      'a>=1',
      'b ; (python_version < "3")',
      'c ; extra == "Dev_x"',
      'd; (os_name == "nt" or os_name == "posix") and extra == "Dev_x"',
      'e ; (sys_platform == "win32") and extra == "x"',
    ],
    provides: ['dev-x', 'x'],
  })
})
