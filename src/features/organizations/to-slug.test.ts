import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toSlug } from './to-slug.ts'

const cases: [name: string, slug: string][] = [
  ['My Org', 'my-org'],
  ['Ünïcödé & Söhne', 'unicode-sohne'],
  ['  --a__b--  ', 'a-b'],
  ['日本', 'org'],
  ['!!!', 'org'],
  ['ﬁne', 'fine'],
  ['x'.repeat(80), 'x'.repeat(60)],
  [`${'x'.repeat(59)} y`, 'x'.repeat(59)],
  ['0C7B2A4E-6B0F-4B52-9B55-3F1F0D6A9E01', 'org-0c7b2a4e-6b0f-4b52-9b55-3f1f0d6a9e01'],
]

for (const [name, slug] of cases) test(`toSlug: turns "${name}" into ${slug}`, () => assert.equal(toSlug(name), slug))
