import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeLines, judgeRanges } from '#test/manifests/version-lines.ts'
import { mavenVersions } from './maven.ts'

test('Maven: ranges are satisfied as in Maven', () => {
  const faults = judgeRanges(mavenVersions, [
    ['[1,2)', '1 1.0 1.9 2-rc-1 1-1', '2 2.0 0.9 1-SNAPSHOT'],
    ['(1,2]', '1.0.1 2 2.0', '1 2.0.1'],
    ['[1.5]', '1.5 1.5.0 1.5.Final', '1.5.1 1.5-rc1'],
    ['(,1.0]', '0.1 1.0 1.0-SNAPSHOT', '1.0.1'],
    ['[1.5,)', '1.5 99', '1.4'],
    ['(,1],[1.2,)', '1 0.5 1.2 3', '1.1'],
    ['[1],[2]', '1 2', '1.5'],
    ['[1][2]', '1 2', '1.5'],
    ['[ 1 , 2 ] , [ 3 ]', '1.5 3', '2.5'],
    ['(,)', '1 anything', ''],
    ['[]', '0', '1'],
    ['1.0', '0.1 1.0 99', ''],
    ['[1,2],', '1', '3'],
    ['(,1),(1,)', '0.5 2', '1'],
    ['[1,2],[2,3]', '1 2 3', '4'],
    ['[1,1]', '1', '2'],
    ['[1!]', '1!', '1'],
    ['[!1]', '!1', '1'],
  ])
  assert.deepEqual(faults, [])
})

test('Maven: refused ranges are not ranges and satisfied by nothing', () => {
  for (const range of [
    '',
    '(1)',
    '[1)',
    '[1',
    '[1,2',
    '[2,1]',
    '[1,1)',
    '(1,1]',
    '[1,3],[2,4]',
    '[3],[1]',
    '[1,2]x',
    '[1],,[2]',
    '[1],(,2]',
  ]) {
    assert.equal(mavenVersions.isRange(range), false, range)
    assert.equal(mavenVersions.satisfies('1', range), false, range)
  }
})

test('Maven: every text except the empty one is a version', () => {
  for (const version of ['1', 'RELEASE', '1.0-ga', '...', 'constructor', '__proto__1'])
    assert.ok(mavenVersions.isValid(version))
  assert.equal(mavenVersions.isValid(''), false)
  assert.ok(mavenVersions.compare('', '0') < 0)
  assert.equal(mavenVersions.satisfies('', '1.0'), false)
})

test('Maven: names of object members are ordinary qualifiers', () => {
  assert.ok(mavenVersions.compare('1-constructor', '1') > 0)
  assert.ok(mavenVersions.compare('1-__proto__1', '1-zzz') < 0)
})

test('Maven: digits of other scripts count as digits, as in Java', () => {
  assert.equal(mavenVersions.compare('1.\u0663', '1.3'), 0)
  assert.equal(mavenVersions.compare('1.\u0966\uff19', '1.9'), 0)
})

test('Maven: characters next to digits in ASCII belong to qualifiers', () => {
  const lines = ['1/5 < 2', '1:5 < 2', '1.x2 = 1-x2', '1-0 < 1.sp.1', '1-0 = 1']
  assert.deepEqual(judgeLines(mavenVersions, lines.join('\n')), { judged: lines.length, mismatches: [] })
})
