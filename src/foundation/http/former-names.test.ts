import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Ajv } from 'ajv'
import { Type } from 'typebox'
import { inNamesOf, toPresentNames, withFormerNames } from './former-names.ts'
import { listNamesOf, withLists } from './query-lists.ts'

const former = { releases: ['2021-06-04~beta'], names: { target_file: 'targetFile', test_frequency: 'testFrequency' } }
const served = (release: string) => ({
  servedVersion: { requested: release, served: release, stage: 'beta' as const },
})

describe('former names of parameters', () => {
  const cases: [release: string, today: object, sent: object][] = [
    ['2021-06-04~beta', { target_file: 'a', origin: 'b' }, { targetFile: 'a', origin: 'b' }],
    ['2024-05-31', { target_file: 'a' }, { target_file: 'a' }],
  ]
  for (const [release, today, sent] of cases) {
    test(`version ${release}: query parameters have the names of that release`, () => {
      assert.deepEqual(toPresentNames(sent as Record<string, unknown>, served(release), former), today)
      assert.deepEqual(inNamesOf(served(release), former, today), sent)
    })
  }

  test('a former name has no meaning in a later release', () => {
    assert.deepEqual(toPresentNames({ targetFile: 'a' }, served('2023-02-15'), former), { targetFile: 'a' })
  })

  test('former names replace names at every depth and no values', () => {
    const value = { list: [{ target_file: 'target_file' }], test_frequency: null }
    assert.deepEqual(inNamesOf(served('2021-06-04~beta'), former, value), {
      list: [{ targetFile: 'target_file' }],
      testFrequency: null,
    })
  })

  test('the schema of a body accepts current and former names', () => {
    const schema = Type.Object(
      { attributes: Type.Object({ target_file: Type.String() }), lists: Type.Array(Type.Object({}, { required: [] })) },
      { additionalProperties: false },
    )
    const fits = new Ajv({ strict: false }).compile(withFormerNames(schema, former))
    assert.ok(fits({ attributes: { target_file: 'a' }, lists: [] }))
    assert.ok(fits({ attributes: { targetFile: 'a' }, lists: [] }))
    assert.ok(!fits({ attributes: {}, lists: [] }))
  })
})

describe('comma-separated lists in queries', () => {
  const querystring = Type.Object({ names: Type.Optional(Type.Array(Type.String())), name: Type.String() })

  test('list parameters are recognized by their schema', () => {
    assert.deepEqual(listNamesOf(querystring), ['names'])
    assert.deepEqual(listNamesOf(undefined), [])
  })

  const cases: [sent: unknown, read: unknown][] = [
    ['a,b', ['a', 'b']],
    ['a', ['a']],
    [
      ['a', 'b,c'],
      ['a', 'b', 'c'],
    ],
    ['', ['']],
  ]
  for (const [sent, read] of cases) {
    test(`list parameter ${JSON.stringify(sent)} is read as ${JSON.stringify(read)}`, () => {
      assert.deepEqual(withLists({ names: sent, name: 'a,b' }, ['names']), { names: read, name: 'a,b' })
    })
  }

  test('a query without list parameters stays unchanged', () => {
    const query = { name: 'a' }
    assert.equal(withLists(query, ['names']), query)
  })
})
