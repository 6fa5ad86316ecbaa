import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeRanges } from '#test/manifests/version-lines.ts'
import { hexVersions } from './hex.ts'

test('requirements of Hex allow the versions of Elixir', () => {
  const violations = judgeRanges(hexVersions, [
    ['1.2.3', '1.2.3 1.2.3+1', '1.2.4 1.2.3-rc'],
    ['== 1.2.3+a', '1.2.3+b', '1.2.4'],
    ['~> 1.2', '1.2.0 1.99.0 1.3.0-rc', '1.1.9 1.2.0-rc 2.0.0 2.0.0-rc'],
    ['~>1.2.3', '1.2.3 1.2.99', '1.3.0 1.3.0-rc 1.2.2'],
    ['~> 1.2-rc', '1.2.0-rc 1.2.0-rc.1 1.9.0', '1.2.0-a 2.0.0'],
    ['~> 0.4 or ~> 1.0', '0.4.0 0.9.0 1.5.0', '0.3.9 2.0.0'],
    ['>= 1.0.0 and < 2.0.0', '1.0.0 2.0.0-rc', '2.0.0 0.9.9'],
    ['1.0.0 or 2.0.0 and 3.0.0', '1.0.0', '2.0.0 3.0.0'],
    ['!= 1.0.0', '1.0.1 1.0.0-rc', '1.0.0 1.0.0+1'],
    ['> 1.0.0 and <= 1.0.2', '1.0.1 1.0.2', '1.0.0'],
  ])
  assert.deepEqual(violations, [])
})

test('text that Elixir refuses is no requirement', () => {
  const refused = [
    ...['', ' ', '*', '1', '> 1', '== 1.0', '~> 1', '^1.0.0', '>= 1.0.0 and', 'or 1.0.0', '>= 1.0.0 < 2.0.0'],
    ...['>= >= 1.0.0', '1.0.0 1.0.0', '>=1.0.0 and<2.0.0', '>= 1.0.0\tand < 2.0.0', '~> 01.2', '> = 1.0.0'],
  ]
  assert.deepEqual(
    refused.filter((text) => hexVersions.isRange(text)),
    [],
  )
})
