import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseDocument, stringify } from 'yaml'
import { fixturesOf } from '#test/manifests/fixture-folders.ts'
import { volume } from '#test/volume.ts'
import { readPlainYaml } from './plain-yaml.ts'

/** Reads with the full parser; undefined if it finds a fault. */
function readFully(text: string): unknown {
  const document = parseDocument(text, { schema: 'failsafe', logLevel: 'error' })
  return document.errors.length > 0 ? undefined : toPlain(document.toJS())
}

const toPlain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

/** Compares a text with the full parser; false if only that one reads it. */
function agrees(text: string): boolean {
  const plain = readPlainYaml(text)
  if (plain === undefined) return false
  assert.deepEqual(toPlain(plain), readFully(text), JSON.stringify(text))
  return true
}

describe('the fast YAML reader, compared with the full parser', () => {
  test('fast YAML reader: reads all lockfile fixtures', () => {
    const fixtures = fixturesOf('pnpm')
    for (const name of readdirSync(fixtures)) {
      for (const file of readdirSync(path.join(fixtures, name)).filter((each) => each === 'pnpm-lock.yaml')) {
        for (const document of readFileSync(path.join(fixtures, name, file), 'utf8').split(/^---\n/m)) {
          // Version 13 is read as JSON.
          if (document !== '' && !document.startsWith('{')) assert.ok(agrees(document), name)
        }
      }
    }
  })

  const read: string[] = [
    'a:\n  b:\n    constructor: c\n    toString: {constructor: c, valueOf: {}}\n',
    'a: b\n',
    'a:\nb:\n',
    'a:\n  b: c\n  d:\n    - e\n    - f: g\n      h: i\nj: k\n',
    'a:\n- b\n- c\nd: e\n',
    '\'a b\': \'it\'\'s\'\n"c\\n": "\\"d\\""\n',
    'a: {b: c, d: [e, f], g: {h: https://x.example/y}}\n',
    "a: {node: '>=8', 'b c': ^1 || >=2}\n",
    'a: |\n  text\n   more\n\n  end\nb: c\n',
    'a:\n  b: |-\n    text: x\n  c: d\n',
    '? a\n: b\n',
    'x:\n  ? a\n  : b: c\n    d: e\n  f: g\n',
    '# note\na: b\n\n  # another\nc: d\n',
    'a: {}\nb: []\n',
    'a: b\r\nc: d\r\n',
    'url: https://user@host.example/x#y\n',
    'a: b\u00a0\n\u2003c: d\n',
    'a: {b : c, d: [e , f ] }  \r\n',
    'a:\n  - b:\n      c: h\n  -   d: e\n      f: g\n',
    "'a: b': 'c: #d' \n",
  ]
  for (const text of read) test(`fast YAML reader: reads ${JSON.stringify(text)}`, () => assert.ok(agrees(text)))

  const left: string[] = [
    'a: &b c\n',
    'a: *b\n',
    'a: !t b\n',
    'a: >\n  b\n',
    'a: b\na: c\n',
    '{a: b, a: c}\n',
    'a: {b: c, b: d}\n',
    'a: b: c\n',
    'a: b\n  c\n',
    'a: b # note\n',
    'a:\n\tb: c\n',
    '---\na: b\n',
    '- a\n',
    'a: "b\n',
    'a: [b\n',
    'a: @b\n',
    'a:\n    b: c\n  d: e\n',
  ]
  for (const text of left)
    test(`fast YAML reader: leaves ${JSON.stringify(text)} to the full parser`, () => assert.ok(!agrees(text)))

  test('fast YAML reader: agrees on random texts or reads none', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'b',
        ': ',
        ':',
        '\n',
        '\n  ',
        '\n    ',
        '- ',
        '{',
        '}',
        '[',
        ']',
        ', ',
        "'",
        '"',
        '#',
        ' #',
        '|',
        '|-',
        '? ',
      ],
      ...[
        '\\',
        '&',
        '*',
        '!',
        '@',
        '>',
        '  ',
        '\r\n',
        '1.0.0',
        '(',
        ')',
        '/',
        '=',
        '---',
        '%',
        '\u00e9',
        '\u00a0',
        '{}',
        "''",
      ],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => void agrees(pieces.join(''))),
      { numRuns: volume(3_000) },
    )
  })

  test('fast YAML reader: agrees on random values written by the full parser', () => {
    const key = fc.string({ minLength: 1, maxLength: 8 })
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.string({ maxLength: 12 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
        fc.array(tie('tree'), { maxLength: 3 }),
      ),
    }))
    fc.assert(
      fc.property(fc.dictionary(key, tree, { maxKeys: 4 }), (value) => {
        agrees(stringify(value, { schema: 'failsafe', lineWidth: 0 }))
      }),
      { numRuns: volume(500) },
    )
  })
})
