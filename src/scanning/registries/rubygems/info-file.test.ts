import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { parseInfoFile } from './info-file.ts'

const parse = (text: string) => parseInfoFile(Buffer.from(text), 'a')

test('info file: versions, platforms, dependencies and the Ruby version are parsed', () => {
  const text = [
    '---',
    '1.0.0 |checksum:00',
    '1.1.0 b:>= 1.0&< 3,c:= 2|checksum:00,ruby:>= 2.7&< 3.4,rubygems:>= 1.3',
    '1.1.0-java b:>= 0|checksum:00',
    '2.0.0.pre.1-x86_64-linux-gnu |checksum:00',
    '',
  ].join('\n')
  assert.deepEqual(parse(text), [
    { version: '1.0.0', platform: 'ruby', dependencies: [] },
    {
      version: '1.1.0',
      platform: 'ruby',
      dependencies: [
        { name: 'b', requirement: '>= 1.0, < 3' },
        { name: 'c', requirement: '= 2' },
      ],
      rubyVersion: '>= 2.7, < 3.4',
    },
    { version: '1.1.0', platform: 'java', dependencies: [{ name: 'b', requirement: '>= 0' }] },
    { version: '2.0.0.pre.1', platform: 'x86_64-linux-gnu', dependencies: [] },
  ])
})

test('info file: no versions, and a header, are accepted', () => {
  assert.deepEqual(parse('---\n'), [])
  assert.deepEqual(parse('---'), [])
  assert.equal(parse('created_at: 2026-01-01T00:00:00Z\n---\n1.0 |checksum:0\n').length, 1)
})

test('info file: other documents and too many versions are refused', () => {
  for (const text of ['', '<html></html>', '{"error":"x"}', '1.0.0 |checksum:00\n', '--- !ruby/object\n']) {
    assert.throws(() => parse(text), RegistryUnreachable, text)
  }
  assert.throws(() => parse(`---\n${'1 |\n'.repeat(100_001)}`), /too many versions/)
})

test('info file: lines that are not versions are skipped, dependencies never', () => {
  const text = `---\n\n|\n -x\n<b> |checksum:0\n1.0 b,:x,c:|checksum:0\n${'9'.repeat(300)} |\n2.0 ${'b:>= 0,'.repeat(20_000)}|\n`
  assert.deepEqual(parse(text), [
    {
      version: '1.0',
      platform: 'ruby',
      dependencies: [
        { name: 'b', requirement: '>= 0' },
        { name: 'c', requirement: '>= 0' },
      ],
    },
  ])
})
