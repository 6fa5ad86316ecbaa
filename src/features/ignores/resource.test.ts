import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { Problem } from '#foundation/problem.ts'
import { Ignore, ignoreFilters, toFilters, toResource } from './org-resource.ts'
import {
  IgnoreEntry,
  IssueId,
  NewIgnore,
  parseNewIgnore,
  parseReplacingIgnores,
  ReplacingIgnore,
  toEntry,
  toIgnoresByIssue,
  toMergedEntry,
} from './resource.ts'
import type { OrgIgnoreRow } from './store.ts'

const NOW = Date.UTC(2030, 0, 1)
const row: OrgIgnoreRow = {
  id: randomUUID(),
  project_number: 1,
  org_id: 'an org',
  issue_id: 'an issue',
  path: 'a > b',
  reason: 'why',
  reason_type: 'wont-fix',
  disregard_if_fixable: 0,
  expires_at: null,
  known_as: 'its alias',
  effect: 'applies',
  source: 'user',
  ignored_by_id: 'ada',
  ignored_by_name: 'Ada',
  ignored_by_email: 'ada@example.test',
  created_at: NOW - 2000,
  updated_at: NOW - 1000,
  project_id: randomUUID(),
  project_name: 'A project',
}
const ignoredBy = { id: 'ada', name: 'Ada', email: 'ada@example.test' }
const body = { reasonType: 'wont-fix', disregardIfFixable: false } as const

describe('ignore as the v1 operations show it', () => {
  const details = {
    reason: 'why',
    reasonType: 'wont-fix',
    ignoredBy,
    disregardIfFixable: false,
    created: '2029-12-31T23:59:58.000Z',
  }

  test('v1 ignore of a path: shows the path, the expiry and the disregarded conditions', () => {
    assert.deepEqual(toEntry(row), { 'a > b': details })
    const other = { ...row, path: '*', expires_at: NOW, disregard_if_fixable: 1 }
    const shown = { ...details, disregardIfFixable: true, expires: '2030-01-01T00:00:00.000Z' }
    assert.deepEqual(toMergedEntry([row, other]), { 'a > b': details, '*': shown })
    for (const entry of [toEntry(row), toEntry(other)]) assert.ok(Value.Check(IgnoreEntry, entry))
  })

  test('v1 ignores of an issue: one entry for each path', () => {
    const rows = [row, { ...row, issue_id: 'another' }, { ...row, path: '*' }]
    const shown = toIgnoresByIssue(rows)
    assert.deepEqual(shown, { 'an issue': [{ 'a > b': details }, { '*': details }], another: [{ 'a > b': details }] })
  })
})

describe('ignore as the list of an organization shows it', () => {
  const attributes = {
    issue_id: 'an issue',
    current_issue_id: 'its alias',
    path: 'a > b',
    reason: 'why',
    reason_type: 'wont-fix',
    disregard_if_fixable: false,
    expires_at: null,
    stale_because: null,
    source: 'user',
    ignored_by: ignoredBy,
    created_at: '2029-12-31T23:59:58.000Z',
    updated_at: '2029-12-31T23:59:59.000Z',
  }
  const cases: [why: string, change: Partial<OrgIgnoreRow>, shown: object][] = [
    ['with an effect', {}, {}],
    ['what can be fixed', { disregard_if_fixable: 1 }, { disregard_if_fixable: true }],
    ['one that ends later', { expires_at: NOW + 1 }, { expires_at: '2030-01-01T00:00:00.001Z' }],
    ['one that ends now', { expires_at: NOW }, { expires_at: '2030-01-01T00:00:00.000Z', stale_because: 'expired' }],
    ['without its path', { effect: 'path-gone' }, { stale_because: 'path-gone' }],
    ['without its issue', { effect: 'issue-gone' }, { stale_because: 'issue-gone' }],
    ['of a repository', { source: 'repository' }, { source: 'repository' }],
    ['of what can be fixed', { effect: 'fixable' }, { stale_because: 'fixable' }],
  ]
  for (const [why, change, shown] of cases) {
    test(why, () => {
      const resource = toResource(NOW)({ ...row, ...change })
      const project = { data: { id: row.project_id, type: 'project', attributes: { name: 'A project' } } }
      const expected = {
        id: row.id,
        type: 'ignore',
        attributes: { ...attributes, ...shown },
        relationships: { project },
      }
      assert.deepEqual(resource, expected)
      assert.ok(Value.Check(Ignore, resource))
    })
  }

  test('schema of an ignore: unknown enumeration values are invalid', () => {
    const valid = toResource(NOW)(row)
    const invalid = [
      { ...valid, type: 'project' },
      { ...valid, type: '' },
      { ...valid, attributes: { ...attributes, source: 'x' } },
      { ...valid, attributes: { ...attributes, source: '' } },
      { ...valid, attributes: { ...attributes, stale_because: '' } },
      { ...valid, relationships: { project: { data: { ...valid.relationships.project.data, type: '' } } } },
    ]
    for (const value of invalid) assert.ok(!Value.Check(Ignore, value), JSON.stringify(value))
  })

  test('filters of the list: taken from the query, with the project’s id in lower case', () => {
    const query = { state: 'stale', project_id: 'ABC', issue_id: 'X' } as const
    assert.deepEqual(toFilters(query, NOW), {
      state: 'stale',
      projectId: 'abc',
      issueId: 'X',
      source: undefined,
      now: NOW,
    })
    const none = { state: undefined, projectId: undefined, issueId: undefined, source: undefined, now: NOW }
    assert.deepEqual(toFilters({}, NOW), none)
    const isValid = (filter: object) => Value.Check(Type.Object(ignoreFilters), filter)
    for (const state of ['active', 'stale', 'expired']) assert.ok(isValid({ state }))
    for (const state of ['', 'gone']) assert.ok(!isValid({ state }))
  })
})

const schemas: [name: string, schema: TSchema, value: unknown, isValid: boolean][] = [
  ['an issue id of 600 characters', IssueId, 'x'.repeat(600), true],
  ['an issue id of 601 characters', IssueId, 'x'.repeat(601), false],
  ['an issue id with a control character', IssueId, 'a\u0001', false],
  ['an empty issue id', IssueId, '', false],
  ['an issue id of one character', IssueId, 'x', true],
  ['a new ignore', NewIgnore, body, true],
  ['a new ignore without a kind of reason', NewIgnore, { disregardIfFixable: false }, false],
  ['a replacing ignore without a kind of reason', ReplacingIgnore, { disregardIfFixable: false }, true],
  ['another kind of reason', ReplacingIgnore, { ...body, reasonType: 'because' }, false],
  ['a replacing ignore without disregardIfFixable', ReplacingIgnore, {}, false],
  ['a path of 2000 characters', NewIgnore, { ...body, ignorePath: 'x'.repeat(2000) }, true],
  ['a path of 2001 characters', NewIgnore, { ...body, ignorePath: 'x'.repeat(2001) }, false],
  ['a path of two lines', NewIgnore, { ...body, ignorePath: 'a\nb' }, false],
  ['a reason of 5000 characters', NewIgnore, { ...body, reason: 'x'.repeat(5000) }, true],
  ['a reason of 5001 characters', NewIgnore, { ...body, reason: 'x'.repeat(5001) }, false],
  ['an expiry of 64 characters', NewIgnore, { ...body, expires: 'x'.repeat(64) }, true],
  ['an expiry of 65 characters', NewIgnore, { ...body, expires: 'x'.repeat(65) }, false],
]
describe('requests of ignores: schemas', () => {
  for (const [name, schema, value, isValid] of schemas)
    test(`request of an ignore, ${name}: ${isValid ? 'valid' : 'refused'}`, () =>
      assert.equal(Value.Check(schema, value), isValid))
})

describe('requests of ignores', () => {
  const plain = {
    path: '*',
    reason: 'None given',
    reasonType: 'wont-fix',
    disregardIfFixable: false,
    expiresAt: null,
  }
  const parsed: [why: string, members: object, expected: object][] = [
    ['without a path, a reason and an expiry', {}, {}],
    ['with an empty path and expiry', { ignorePath: '', expires: '' }, {}],
    ['with an empty reason', { reason: '' }, { reason: '' }],
    ['with a path', { ignorePath: ' a  >  b ' }, { path: 'a > b' }],
    ['with an expiry', { expires: '2030-01-01' }, { expiresAt: NOW }],
    ['that applies only while there is no fix', { disregardIfFixable: true }, { disregardIfFixable: true }],
  ]
  for (const [why, members, expected] of parsed) {
    test(`request of one ignore, ${why}`, () =>
      assert.deepEqual(parseNewIgnore({ ...body, ...members }), { ...plain, ...expected }))
  }

  test('request of several ignores: the kind of reason is optional', () => {
    const [one] = parseReplacingIgnores([{ disregardIfFixable: false }])
    assert.deepEqual(one, { ...plain, reasonType: 'temporary-ignore' })
    assert.deepEqual(parseReplacingIgnores([]), [])
  })

  const faultsOf = (parse: () => unknown): [pointer: unknown, detail: string][] => {
    try {
      parse()
    } catch (error) {
      assert.ok(error instanceof Problem && error.code === 'invalid-request')
      return error.faults.map(({ source, detail }) => [(source as { pointer: string }).pointer, detail])
    }
    return assert.fail('not refused')
  }
  const refused: [why: string, members: object, pointer: string, detail: RegExp][] = [
    ['an empty part of a path', { ignorePath: 'a >  > b' }, '/ignorePath', /^\/ignorePath /],
    ['a path of too many bytes', { ignorePath: 'ü'.repeat(1001) }, '/ignorePath', /more than 2000 bytes/],
    ['an end that is no time', { expires: 'tomorrow' }, '/expires', /^\/expires is not a time/],
  ]
  for (const [why, members, pointer, detail] of refused) {
    test(`request of ignores, refused: ${why}`, () => {
      const [[at, text] = ['', ''], ...others] = faultsOf(() => parseNewIgnore({ ...body, ...members }))
      assert.deepEqual([at, others], [pointer, []])
      assert.match(text, detail)
    })
  }

  test('request of an ignore: a path of 2000 bytes is valid', () => {
    assert.equal(parseNewIgnore({ ...body, ignorePath: 'ü'.repeat(1000) }).path.length, 1000)
  })

  test('request of several ignores, refused: reports all faults of all entries, including a duplicate path', () => {
    const entries = [
      { ...body, ignorePath: 'a' },
      { ...body, ignorePath: 'b', expires: 'x' },
      { ...body, ignorePath: ' a ' },
      { ...body, ignorePath: 'a > > b' },
    ]
    const pointers = faultsOf(() => parseReplacingIgnores(entries)).map(([pointer]) => pointer)
    assert.deepEqual(pointers, ['/1/expires', '/3/ignorePath', '/2/ignorePath'])
    const bad = ['a > > b', 'c > > d'].map((ignorePath) => ({ ...body, ignorePath }))
    const ofBad = faultsOf(() => parseReplacingIgnores(bad)).map(([pointer]) => pointer)
    assert.deepEqual(ofBad, ['/0/ignorePath', '/1/ignorePath'])
    const [, detail] = faultsOf(() => parseReplacingIgnores([body, body]))[0]!
    assert.equal(detail, '/1/ignorePath repeats another entry')
  })
})
