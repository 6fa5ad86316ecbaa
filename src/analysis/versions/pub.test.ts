import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeRanges } from '#test/manifests/version-lines.ts'
import { pubVersions } from './pub.ts'

test('ranges of pub allow the versions of pub_semver', () => {
  const violations = judgeRanges(pubVersions, [
    ['any', '0.0.0 1.0.0-dev 9.9.9+1', '1.0'],
    ['1.2.3', '1.2.3', '1.2.3+1 1.2.4 1.2.3-dev'],
    ['^1.2.3', '1.2.3 1.2.3+1 1.99.0 1.3.0-dev', '1.2.2 1.2.3-dev 2.0.0 2.0.0-dev'],
    ['^ 0.2.3', '0.2.3 0.2.99', '0.3.0 0.3.0-dev 1.0.0'],
    ['^0.0.3', '0.0.3 0.0.9', '0.1.0'],
    ['^2.0.0-dev.1', '2.0.0-dev.1 2.0.0 2.5.0', '2.0.0-dev.0 3.0.0-0'],
    ['>=1.0.0 <2.0.0', '1.0.0 1.9.9 1.5.0-dev', '2.0.0 2.0.0-dev 0.9.9 1.0.0-dev'],
    ['>=1.0.0<2.0.0', '1.0.0', '2.0.0'],
    ['>=2.0.0-dev.1 <2.0.0', '2.0.0-dev.1 2.0.0-rc', '2.0.0 2.0.0-dev.0'],
    ['>2.0.4 <= 2.4.6', '2.0.4+1 2.4.6 2.4.6-dev', '2.0.4 2.4.6+1'],
    ['<2.0.0-dev', '1.0.0 2.0.0-alpha', '2.0.0-dev 2.0.0'],
    ['<2.0.0+1', '2.0.0 2.0.0-dev', '2.0.0+1'],
    ['>=1.0.0 >1.0.0', '1.0.1', '1.0.0'],
    ['>=1.0.0 1.5.0', '1.5.0', '1.0.0 1.6.0'],
  ])
  assert.deepEqual(violations, [])
})

test('text that pub_semver refuses is no range', () => {
  const refused = [
    '',
    ' ',
    '1',
    '1.x',
    '*',
    '~1.0.0',
    '^1.0',
    '^1.0.0 <2.0.0',
    '>=1.0.0, <2.0.0',
    '>= =1.0.0',
    'any any',
  ]
  assert.deepEqual(
    refused.filter((text) => pubVersions.isRange(text)),
    [],
  )
})
