import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '../problem.ts'
import { createKeyring } from '../secrets/keyring.ts'
import { cursorsOf, type PageQuery, windowOf } from './pages.ts'

const keyring = createKeyring(new Uint8Array(32).fill(1))
const cursors = cursorsOf('orgs', keyring)
const refusalOf = (run: () => unknown): { code: string; source: unknown } => {
  try {
    run()
  } catch (error) {
    if (error instanceof Problem) return { code: error.code, source: error.faults[0]!.source }
    throw error
  }
  return assert.fail('it was accepted')
}
const invalid = (parameter: string) => ({ code: 'cursor-invalid', source: { parameter } })
const encoded = (content: string) => `v1.${Buffer.from(content).toString('base64url')}`

describe('cursors of lists', () => {
  test('a cursor round-trips a position or an end of its list', () => {
    for (const position of [['2026-01-01', 7], ['ü'], 'start', 'end'] as const) {
      const cursor = cursors.write(position)
      assert.match(cursor, /^v1\.[\w-]+$/)
      assert.deepEqual(cursors.read(cursor, 'starting_after'), position)
      assert.equal(cursors.write(position), cursor)
    }
    assert.notEqual(cursors.write('start'), cursorsOf('apps', keyring).write('start'))
  })

  test('a cursor of another list or server is refused', () => {
    const ofServer = cursorsOf('orgs', createKeyring(new Uint8Array(32).fill(2)))
    for (const others of [cursorsOf('apps', keyring), ofServer]) {
      for (const position of [['a'], 'end'] as const) {
        assert.deepEqual(
          refusalOf(() => cursors.read(others.write(position), 'ending_before')),
          invalid('ending_before'),
        )
      }
    }
  })

  test('a cursor with a missing or changed part is refused', () => {
    const content = Buffer.from(cursors.write(['a']).slice(3), 'base64url').toString()
    const { p, s } = JSON.parse(content)
    assert.deepEqual(cursors.read(encoded(JSON.stringify({ p, s })), 'starting_after'), ['a'])
    const changed = [{ p: ['b'], s }, { p }, { s }, { p, s: [s] }, { p, s: '' }, [p, s], null, 7, 'text']
    const texts = [
      '',
      'v1.',
      content,
      cursors.write(['a']).slice(3),
      `v2.${cursors.write(['a']).slice(3)}`,
      encoded('{'),
    ]
    for (const cursor of [...changed.map((content) => encoded(JSON.stringify(content))), ...texts]) {
      assert.deepEqual(
        refusalOf(() => cursors.read(cursor, 'starting_after')),
        invalid('starting_after'),
        cursor,
      )
    }
  })

  test('a cursor longer than 2,048 characters is refused', () => {
    const ofLength = (length: number) => {
      for (let size = 0; ; size++) {
        const cursor = cursors.write(['a'.repeat(size)])
        if (cursor.length >= length) return cursor
      }
    }
    const [longest, tooLong] = [ofLength(2047), ofLength(2049)]
    assert.deepEqual([longest.length, tooLong.length], [2047, 2049])
    assert.equal(cursors.read(longest, 'starting_after').length, 1)
    assert.deepEqual(
      refusalOf(() => cursors.read(tooLong, 'starting_after')),
      invalid('starting_after'),
    )
  })
})

describe('page windows', () => {
  const at = cursors.write(['a'])
  const rows: [why: string, query: PageQuery, limit: number, direction: string, position: unknown][] = [
    ['no parameters', {}, 10, 'after', 'start'],
    ['a limit', { limit: 25 }, 25, 'after', 'start'],
    ['starting_after a row', { starting_after: at }, 10, 'after', ['a']],
    ['ending_before a row', { limit: 3, ending_before: at }, 3, 'before', ['a']],
    ['ending_before the end', { ending_before: cursors.write('end') }, 10, 'before', 'end'],
    ['empty cursors', { starting_after: '', ending_before: '' }, 10, 'after', 'start'],
    ['one empty cursor and one set', { starting_after: '', ending_before: at }, 10, 'before', ['a']],
  ]
  for (const [why, query, limit, direction, position] of rows) {
    test(`window of a query with ${why}`, () =>
      assert.deepEqual(
        windowOf(query, () => cursors),
        { limit, direction, position },
      ))
  }

  test('a query with both cursors, or with a cursor of another list, is refused', () => {
    const both = { starting_after: at, ending_before: at }
    assert.deepEqual(
      refusalOf(() => windowOf(both, () => cursors)),
      invalid('ending_before'),
    )
    assert.deepEqual(
      refusalOf(() => windowOf({ starting_after: 'x' }, () => cursors)),
      invalid('starting_after'),
    )
    assert.deepEqual(
      refusalOf(() => windowOf({ ending_before: 'x' }, () => cursors)),
      invalid('ending_before'),
    )
  })
})
