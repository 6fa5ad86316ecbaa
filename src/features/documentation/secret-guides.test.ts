import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { guides } from './guides.ts'
import { detectionPatterns } from './secret-guides.ts'

describe('the patterns for scanners', () => {
  const document = readFileSync(new URL('../../../docs/detection.md', import.meta.url), 'utf8').replaceAll('\\|', '|')
  const page = guides
    .find(({ slug }) => slug === 'leaked-credentials')!
    .content({ baseUrl: 'https://gate.example', rateLimitPerMinute: 0, failedSecretsPerMinute: 0, bodyLimitBytes: 1 })
    .html.replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")

  for (const [kind, pattern] of detectionPatterns) {
    test(`of ${kind} are the ones that the program goes by, on the page and in docs/detection.md`, () => {
      assert.ok(page.includes(`<td>${kind}</td><td><code>${pattern}</code></td>`))
      assert.ok(document.includes(`| ${kind} | \`${pattern}\` |`))
    })
  }
})
