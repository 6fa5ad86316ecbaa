import fc from 'fast-check'
import { anyText } from './any-text.ts'

/** Texts that have broken servers before, as they stand inside a document or, percent-encoded, in a URL. */
const texts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\u202egnp.exe',
  'ﷺ'.repeat(50),
  '𝔘𝔫𝔦',
  'a'.repeat(300),
  'a'.repeat(5000),
  '../../etc/passwd',
  '..%2f..',
  "' or 1=1 --",
  '"; drop table users; --',
  '%',
  '%_\\',
  '%zz',
  '%25',
  '$1',
  '{}',
  '[]',
  'null',
  'undefined',
  'NaN',
  'true',
  '-1',
  '0',
  '1e308',
  '99999999999999999999',
  '9007199254740993',
  '2147483648',
  '0x10',
  '٣',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '<script>alert(1)</script>',
  '\r\nset-cookie: a=b',
  '00000000-0000-0000-0000-000000000000',
  '0C7B2A4E-6B0F-4B52-9B55-3F1F0D6A9E99',
  '0c7b2a4e-6b0f-4b52-9b55-3f1f0d6a9e9',
  '{0c7b2a4e-6b0f-4b52-9b55-3f1f0d6a9e99}',
  '0c7b2a4e6b0f4b529b553f1f0d6a9e99',
  '2024-13-45',
  '+275760-09-13T00:00:00.001Z',
  '-271821-04-20T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '2024-01-01T00:00:00+99:99',
]

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...texts), weight: 4 },
  { arbitrary: anyText({ maxLength: 40 }), weight: 1 },
  { arbitrary: fc.string({ maxLength: 20 }), weight: 1 },
)

/** JSON texts of single values; texts, since some cannot be written by JSON.stringify. */
export const hostileJson: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: hostileText.map((text) => JSON.stringify(text)), weight: 4 },
  {
    arbitrary: fc.constantFrom(
      'null',
      'true',
      '0',
      '-0',
      '-1',
      '1.5',
      '1e400',
      '-1e400',
      '9007199254740993',
      '123456789012345678901234567890',
      '[]',
      '{}',
      '[null]',
      '[[[[]]]]',
      '{"":""}',
      '{"__proto__":{"admin":true}}',
      '{"constructor":{"prototype":{"admin":true}}}',
      '{"toString":1,"valueOf":2,"hasOwnProperty":3}',
      '"\\ud800"',
      '"\\u0000"',
      `"${'x'.repeat(1024 * 1024)}"`,
      `[${'0,'.repeat(20_000)}0]`,
      `[${'"a",'.repeat(3_000)}"a"]`,
      deepList(10_000),
      deepObject(10_000),
    ),
    weight: 3,
  },
)

export function deepList(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth)
}

export function deepObject(depth: number): string {
  return `${'{"data":'.repeat(depth)}1${'}'.repeat(depth)}`
}
