import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { detectionPatterns } from './detection-patterns.ts'
import { guides } from './guides.ts'

describe('the patterns for scanners', () => {
  const document = readFileSync(new URL('../../../docs/detection.md', import.meta.url), 'utf8').replaceAll('\\|', '|')
  const facts = { baseUrl: 'https://gate.example', rateLimitPerMinute: 0, failedSecretsPerMinute: 0, bodyLimitBytes: 1 }

  for (const [kind, pattern] of detectionPatterns) {
    test(`${kind}: the guide and docs/detection.md show the pattern that the program uses`, async () => {
      const guide = guides.find(({ slug }) => slug === 'leaked-credentials')!
      const page = (await guide.content(facts)).html.replaceAll('&quot;', '"').replaceAll('&#39;', "'")
      assert.ok(page.includes(`<td>${kind}</td>\n<td><code>${pattern}</code></td>`))
      assert.ok(document.includes(`| ${kind} | \`${pattern}\` |`))
    })
  }
})
