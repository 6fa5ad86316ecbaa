import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeLines, judgeRanges } from '#test/manifests/version-lines.ts'
import { pep440Versions } from './pep440.ts'

test('PEP 440: specifiers are satisfied as specified', () => {
  const faults = judgeRanges(pep440Versions, [
    ['', '0.1 2.0 1.0.post1', '1.0rc1 1.0.dev1'],
    ['==1.0', '1.0 1 1.0.0 1.0+local', '1.0.post1 1.0rc1 1.0.1'],
    ['==1.0+local.1', '1.0+local.1 1.0+LOCAL-01', '1.0 1.0+local.2'],
    ['==1.*', '1 1.0 1.9.9 1.0.post1 1.0+x', '2.0 0.9 1!1.0 1.0a1'],
    ['==1!1.*', '1!1.5', '1.5'],
    ['!=1.5', '1.4 1.5.1', '1.5 1.5.0 1.5+local'],
    ['!=1.5.*', '1.4 1.6', '1.5 1.5.1 1.5.post1'],
    ['~=1.4.5', '1.4.5 1.4.99 1.4.5.post1', '1.4.4 1.5.0 2.0'],
    ['~= 2.2', '2.2 2.99', '2.1 3.0'],
    ['~=2.2.post3', '2.2.post3 2.3', '2.2 3.0'],
    ['~=1.4.5a4', '1.4.5a4 1.4.5 1.4.9', '1.4.5a3 1.5'],
    ['>=1.0,<2', '1.0 1.9 1.0+x', '2.0 2.0rc1 0.9 1.1a1'],
    ['<=1.0', '1.0 1.0+local 0.1', '1.0.post1 1.1'],
    ['>1.0', '1.0.1 1.1', '1.0 1.0.post1 1.0+local'],
    ['>1.0.post1', '1.0.post2 1.1', '1.0.post1 1.0.post1+local'],
    ['>1.0a1', '1.0a2 1.0', '1.0a1 1.0a1.post1'],
    ['>1.0.dev1', '1.0.dev2 1.0', '1.0.dev1 1.0.dev1+x'],
    ['<1.0.post1', '1.0 0.9', '1.0.post1 1.0.post1.dev1'],
    ['<1.0rc1', '1.0b1 0.9 1.0rc1.dev1', '1.0rc1 1.0'],
    ['>=1.0rc1', '1.0rc1 1.0 2.0a1', '1.0b1'],
    ['!=1.0rc1', '1.0', '1.0b1 1.0rc1'],
    ['===1.0', '1.0', '1.0.0 1 1.0+x'],
    ['===Trunk', 'trunk TRUNK', 'trunk2 1.0'],
    ['===1.0rc1', '1.0rc1 1.0RC1', '1.0'],
    ['==1.0.*', '1 1.0.5', '1.1'],
    ['<1.0,>=0.9a1', '0.9 0.9a2', '1.0a1 1.0.dev1'],
    [' >= 1.0 , , != 1.5 ', '1.0', '1.5'],
    ['>=v1.0-1', '1.0.post1', '1.0'],
  ])
  assert.deepEqual(faults, [])
})

test('PEP 440: specifiers refused by packaging are not ranges', () => {
  for (const range of [
    '1.0',
    '=1.0',
    '=>1.0',
    '~=1',
    '>=1.*',
    '>1.0+local',
    '~=1.0+x',
    '==1.0a1.*',
    '>=trunk',
    '^1.0',
    '=== a b',
    '===;a',
    '===)a',
    '===a;b',
    '===a)b',
  ]) {
    assert.equal(pep440Versions.isRange(range), false, range)
    assert.equal(pep440Versions.satisfies('1.0', range), false, range)
  }
})

test('PEP 440: versions are valid as specified', () => {
  for (const version of [
    '1',
    ' 1.0\n',
    '1!2.0',
    'V1.0-RC.1',
    '1.0-1',
    '1.0+a-b_c.d',
    '1.0.post.dev',
    '\u00a01.0',
    '1.0+az',
  ]) {
    assert.ok(pep440Versions.isValid(version), version)
  }
  const refused = [
    '',
    'v',
    '1.',
    '1..0',
    '1.0+',
    '1.0+a..b',
    '1.0+a_',
    '1.0+a!b',
    '1.0+`',
    '1.0+{',
    '1!',
    '1!a',
    '1.0-final',
    '!1',
    '1.0 a1',
    '1.0+\u212a',
    '\ufeff1.0',
  ]
  for (const version of refused) assert.equal(pep440Versions.isValid(version), false, version)
})

test('PEP 440: versions may be surrounded by the whitespace of Python, nothing else', () => {
  const spaces = [...'\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u2028\u3000']
  for (const space of spaces) assert.ok(pep440Versions.isValid(`${space}1.0${space}`), JSON.stringify(space))
  for (const other of [...'\x00\x08\x0e\x1b\x7f\x84\x86\ufeff']) {
    assert.equal(pep440Versions.isValid(`${other}1.0`), false, JSON.stringify(other))
  }
})

test('PEP 440: in local parts, numbers come after text, and text compares as written', () => {
  const lines = [
    '1.0+a1 < 1.0+2',
    '1.0+0a < 1.0+a',
    '1.0+b > 1.0+aa',
    '1.0+01 = 1.0+1',
    '1.0 < 1.0+a',
    '1.0+a < 1.0+a.0',
  ]
  assert.deepEqual(judgeLines(pep440Versions, lines.join('\n')), { judged: lines.length, mismatches: [] })
})

test('PEP 440: long releases are ordered by every number', () => {
  const lines = [
    '1.2.3.4 < 1.2.3.4.5a1',
    '1.2.3.4.post1 < 1.2.3.4.5a1',
    '1.2.3.4.5 < 1.2.3.5.dev0',
    '1.2.3.4.0.0 = 1.2.3.4',
  ]
  assert.deepEqual(judgeLines(pep440Versions, lines.join('\n')), { judged: lines.length, mismatches: [] })
})
