import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parse, stringify, TomlDate, TomlError } from 'smol-toml'
import { anyText } from '#test/documents/any-text.ts'
import { fixturesOf } from '#test/manifests/fixture-folders.ts'
import { volume } from '#test/volume.ts'
import { readPlainToml } from './plain-toml.ts'

/** Reads with the full parser; undefined if it finds a fault. */
function readFully(text: string): unknown {
  try {
    return withoutDates(parse(text))
  } catch (error) {
    if (error instanceof TomlError) return undefined
    throw error
  }
}

/** Replaces dates, whose values the fast reader drops, by a marker. Tables have no prototype afterward. */
function withoutDates(value: unknown): unknown {
  if (value instanceof TomlDate) return new TomlDate('1970-01-01')
  if (Array.isArray(value)) return value.map(withoutDates)
  if (typeof value !== 'object' || value === null) return value
  return Object.assign(
    Object.create(null),
    Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutDates(inner)])),
  )
}

/** Compares a text with the full parser; false if only that one reads it. */
function agrees(text: string): boolean {
  const plain = readPlainToml(text)
  if (plain === undefined) return false
  assert.deepEqual(withoutDates(plain), readFully(text), JSON.stringify(text))
  return true
}

describe('the fast TOML reader, compared with the full parser', () => {
  test('fast TOML reader: reads all lockfile fixtures', () => {
    let count = 0
    for (const tool of ['poetry', 'uv', 'pyproject']) {
      const fixtures = fixturesOf(tool)
      for (const file of readdirSync(fixtures, { recursive: true }).map(String)) {
        if (!/(?:poetry|uv)\.lock$|pylock[^/]*\.toml$/.test(file)) continue
        assert.ok(agrees(readFileSync(path.join(fixtures, file), 'utf8')), file)
        count++
      }
    }
    assert.ok(count > 10, `${count} lockfiles`)
  })

  const read: string[] = [
    '',
    'a = "b"\n',
    'a = "b"',
    '\ufeffa = 1\n',
    '# note\na = true # yes\n\n  b = false\n',
    '[[a]]\n__proto__ = { constructor = "x", __proto__ = 1 }\n',
    'a = []\nb = [ ]\nc = {}\n',
    'a = [\n    "b",\n    { c = "d", e = [1, 2] },\n]\n',
    'a = \'b\\c\'\n"d e" = "f"\n\'g\' = 1\n',
    'a = "it \\"is\\" \\\\ \\n\\t"\n',
    'a = ""\nb = \'\'\nc = "\t"\n',
    '[[p]]\nname = "a"\n[p.q]\nr = 1\n[[p]]\nname = "b"\n[p.q]\nr = 2\n',
    '[[p]]\n[[p.q]]\na = 1\n[[p.q]]\na = 2\n[p.r]\n[m]\n',
    '[a.b.c]\nd = 1\n[a.b.e]\n',
    'a = 1\r\n[b]\r\nc = "d"\r\n',
    'a = 2025-01-02T03:04:05Z\nb = 2025-12-31\nc = 2025-01-02 03:04:05.678+02:00\n',
    'a = 0\nb = 123456789012345\n',
    '[__proto__]\nconstructor = "x"\n[toString]\n__proto__ = 1\n',
    'a = "\u00e9 \u2028 \u{1f600}"\n',
  ]
  for (const text of read) test(`fast TOML reader: reads ${JSON.stringify(text)}`, () => assert.ok(agrees(text)))

  const left: string[] = [
    'a = 1\na = 2\n',
    '[a]\n[a]\n',
    '[a.b]\n[a]\n',
    '[[a]]\n[a]\n',
    '[a]\n[[a]]\n',
    'a = []\n[[a]]\n',
    'a = {}\n[a.b]\n',
    'a = 1\n[a.b]\n',
    'a.b = 1\n',
    'a = """b"""\n',
    "a = '''b'''\n",
    'a = "b\n',
    'a = "b\nc"\n',
    'a = "\\u0041"\n',
    'a = "\\/"\n',
    'a = "\\e"\n',
    'a = [1 # one\n]\n',
    'a = [1,,2]\n',
    'a = { b = 1, }\n',
    'a = { b = 1, b = 2 }\n',
    'a = { b = 1\n}\n',
    'a = 1 b = 2\n',
    'a = 01\n',
    'a = +1\n',
    'a = 1.5\n',
    'a = 0x1\n',
    'a = 1234567890123456\n',
    'a = 2025-13-01\n',
    'a = 12:00:00\n',
    'a = true1\n',
    'a = b\n',
    'a\n',
    '= 1\n',
    '[a\n',
    '[a]]\n',
    '[[a] ]\n',
    '[ a ]\n',
    '[]\n',
    'a = "\u0000"\n',
    'a = 1\rb = 2\n',
    `a = ${'['.repeat(30)}${']'.repeat(30)}\n`,
  ]
  for (const text of left)
    test(`fast TOML reader: leaves ${JSON.stringify(text)} to the full parser`, () => assert.ok(!agrees(text)))

  test('fast TOML reader: drops ignored members of inline tables and keeps others', () => {
    const text = 'hash = "a"\nfiles = [{ file = "b", hash = "c", at = { hash = "d", e = 1 } }]\n'
    assert.deepEqual(
      JSON.parse(JSON.stringify(readPlainToml(text, { members: new Set(['hash']), files: new Set() }))),
      {
        hash: 'a',
        files: [{ file: 'b', at: { e: 1 } }],
      },
    )
  })

  test('fast TOML reader: agrees on random texts or reads none', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'b',
        '"c"',
        "'d'",
        ' = ',
        '=',
        '"x"',
        "'y'",
        '"\\""',
        '\\',
        '"',
        "'",
        '1',
        'true',
        '2025-01-02',
        '0',
        '-',
      ],
      ...[
        '[',
        ']',
        '[[',
        ']]',
        '{',
        '}',
        ',',
        '.',
        '\n',
        '\n',
        '\n',
        ' ',
        '\t',
        '# n',
        '[a]\n',
        '[[a]]\n',
        '[a.b]\n',
        '\r\n',
      ],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => void agrees(pieces.join(''))),
      { numRuns: volume(20_000) },
    )
  })

  test('fast TOML reader: agrees on random values written by the library', () => {
    const text = anyText({ maxLength: 8 })
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.boolean(),
        fc.integer({ min: 0 }),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(text, tie('value'), { maxKeys: 3 }),
      ),
    }))
    fc.assert(
      fc.property(fc.dictionary(text, value, { maxKeys: 4 }), (table) => void agrees(stringify(table))),
      { numRuns: volume(2_000) },
    )
  })
})
