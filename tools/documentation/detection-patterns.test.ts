import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Html } from '#foundation/pages/html.ts'
import { detectionPatterns } from './detection-patterns.ts'
import { guideValues } from './guide-values.ts'

describe('patterns for secret scanners', () => {
  const guide = readFileSync(new URL('../../docs/guides/leaked-credentials.md', import.meta.url), 'utf8')

  for (const [kind, pattern] of detectionPatterns) {
    test(`${kind}: the guide has the pattern of the program`, () => {
      assert.match(guide, /^\{\{detectionPatterns\}\}$/m)
      const table = (guideValues()['detectionPatterns'] as Html).html.replaceAll('&quot;', '"').replaceAll('&#39;', "'")
      assert.ok(table.includes(`<td>${kind}</td>\n<td><code>${pattern}</code></td>`))
    })
  }
})
