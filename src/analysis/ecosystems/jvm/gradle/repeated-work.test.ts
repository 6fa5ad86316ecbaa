import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { readSentFiles } from './sent-files.ts'

const list = (length: number) => `[${Array.from({ length }, (_, at) => `'g:a${at}:1'`).join(', ')}]`
const map = (length: number) => `[${Array.from({ length }, (_, at) => `k${at}: 'g:a${at}:1'`).join(', ')}]`

function read(target: string, ...additional: string[]) {
  const { dependencies, unread } = readSentFiles({ target, additional }).facts
  return { count: dependencies.length, unread: unread.map(({ name }) => name) }
}

describe('gradle: texts without an end are read once: reading them for each quote takes minutes', () => {
  const cases: [why: string, text: string][] = [
    ['three quotes in each expression', `"""${'${"""}'.repeat(50_000)}`],
    ['a quote in each expression', `"${'${"}'.repeat(50_000)}`],
    ['escaped double quotes', `"${'\\"'.repeat(50_000)}`],
    ['escaped single quotes', `'${"\\'".repeat(50_000)}`],
  ]
  for (const [why, text] of cases) {
    test(`build script with ${why} in a text without an end: is read and reported`, () => {
      const script = `dependencies { implementation 'g:a:1' }\ndef x = ${text}\n`
      assert.deepEqual(read(script), { count: 1, unread: ['build script'] })
    })
  }

  test('build script: a text that ends within an expression of one without an end is found', () => {
    const script = `def x = "\${ "g:a:1" \ndependencies { implementation "g:b:\${'"'}" }\n`
    assert.deepEqual(read(script).unread.at(-1), 'build script')
  })

  test('build script: an embedded expression of 500 characters is read, a longer one is reported', () => {
    const script = (length: number) => `dependencies { implementation "g:a:\${'1'${' '.repeat(length - 3)}}" }\n`
    assert.deepEqual(read(script(498)), { count: 1, unread: [] })
    assert.ok(read(script(499)).unread.includes('build script'))
  })
})

describe('gradle: work that a short script multiplies is limited and reported', () => {
  test('rounds of a loop read at most 200,000 words', () => {
    const loop = (rounds: number) =>
      `def l = ${list(rounds)}\nl.each { x -> dependencies {\n${'api x\n'.repeat(100)}} }\n`
    assert.deepEqual(read(loop(50)), { count: 5_000, unread: [] })
    const { count: total, unread } = read(loop(1_000))
    assert.equal(total, 0)
    assert.deepEqual([...new Set(unread)], ['x'])
  })

  test('a text holds at most 100 expressions', () => {
    const script = (count: number) => `dependencies { api "g:a:1${"${''}".repeat(count)}" }\n`
    assert.deepEqual(read(script(100)), { count: 1, unread: [] })
    const { count: total, unread } = read(script(50_000))
    assert.equal(total, 0)
    assert.ok(unread[0]!.length <= 200)
  })

  test('the sum of maps is unknown beyond 5,000 entries', () => {
    const sum = (length: number) => `def m = ${map(length)} + [z: '1']\ndependencies { api m.k0 }\n`
    assert.deepEqual(read(sum(4_999)), { count: 1, unread: [] })
    const { count, unread } = read(sum(5_000))
    assert.deepEqual([count, unread[0]], [0, 'm.k0'])
  })

  for (const copy of ['m.a = m.a + []', 'm.a += []', 'm.a.addAll(l)']) {
    test(`all copies of lists together take at most 2,000,000 items: ${copy}`, () => {
      const script = (times: number) =>
        `def l = ${list(4_000)}\ndef m = [a: l]\n${`${copy}\n`.repeat(times)}def n = m\ndependencies { api n.a }\n`
      assert.ok(read(script(5)).count >= 4_000)
      assert.ok(read(script(520)).unread.length > 0)
    })
  }

  test('lists that hold a list twice, at each of 40 levels, are reported', () => {
    const lists = Array.from({ length: 40 }, (_, at) => `def l${at + 1} = [l${at}, l${at}]\n`).join('')
    assert.ok(read(`def l0 = []\n${lists}dependencies { api l40 }\n`).unread.includes('a value'))
  })

  test('more than 100,000 declared dependencies are refused with their place', () => {
    const script = `def l = ${list(4_000)}\ndependencies {\n${'api l\n'.repeat(26)}}\n`
    assert.throws(
      () => read(script),
      (error) => {
        assert.ok(error instanceof Unreadable, String(error))
        assert.match(error.message, /declare more than 100000 dependencies/)
        assert.equal(error.line, 28)
        return true
      },
    )
  })
})
