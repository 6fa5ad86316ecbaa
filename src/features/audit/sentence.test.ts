import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AuditAction, auditSentences } from '#foundation/audit/actions.ts'
import { listReferences, toSentence } from './sentence.ts'

interface Case {
  readonly action: AuditAction | 'thing.turn'
  readonly kind: string
  readonly before?: object
  readonly after?: object
  readonly sentence: string
}

const names = new Map([
  ['p1', 'shop/package.json'],
  ['u2', 'Bob'],
  ['r1', 'Viewer'],
  ['r2', 'Admin'],
])

function toRow({ action, kind, before, after }: Omit<Case, 'sentence'>) {
  return {
    id: 'e1',
    at: 0,
    action,
    group_id: null,
    org_id: 'o1',
    actor_kind: 'user',
    actor_id: 'u1',
    actor_name: 'Ann',
    credential_id: null,
    target_kind: kind,
    target_id: kind === 'project' ? 'p1' : 'x',
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
    request_id: null,
    address: null,
  }
}

const ignore = (expires?: string) => ({
  issue_id: 'CVE-2021-23337',
  ignores: [{ '*': { reason: 'why', ...(expires && { expires }) } }],
})

const cases: readonly Case[] = [
  {
    action: 'ignore.create',
    kind: 'project',
    after: ignore('2026-12-24T00:00:00.000Z'),
    sentence: 'Ann ignored CVE-2021-23337 in shop/package.json until December 24, 2026',
  },
  {
    action: 'ignore.update',
    kind: 'project',
    before: ignore('2026-12-24T00:00:00.000Z'),
    after: ignore(),
    sentence: 'Ann changed the ignore of CVE-2021-23337 in shop/package.json',
  },
  {
    action: 'ignore.replace_from_repository',
    kind: 'project',
    after: { count: 4, ignores: ['A', 'B', 'C', 'D'].map((issue_id) => ({ issue_id, path: '*', reason: '' })) },
    sentence: 'Ann updated the ignores of shop/package.json from its policy file: A, B, C and 1 more',
  },
  {
    action: 'membership.update',
    kind: 'membership',
    before: { user_id: 'u2', email: 'bob@shop.example', role_id: 'r1', role_name: 'Reader' },
    after: { user_id: 'u2', email: 'bob@shop.example', role_id: 'r2', role_name: 'Admin' },
    sentence: 'Ann changed the role of Bob from Viewer to Admin',
  },
  {
    action: 'membership.delete',
    kind: 'membership',
    before: { user_id: 'gone', email: 'eve@shop.example', role_id: 'gone', role_name: 'Reader' },
    sentence: 'Ann removed the member eve@shop.example, who was Reader',
  },
  {
    action: 'project.update',
    kind: 'project',
    before: { name: 'a', test_frequency: 'daily', status: 'active' },
    after: { name: 'a', test_frequency: 'weekly', status: 'inactive' },
    sentence: 'Ann changed the project shop/package.json: test frequency, status',
  },
  {
    action: 'role.delete',
    kind: 'role',
    before: { name: 'Testers' },
    sentence: 'Ann deleted the role Testers',
  },
  {
    action: 'service_account.secret.create',
    kind: 'service_account',
    sentence: 'Ann added a client secret to a deleted service account',
  },
  {
    action: 'issue_triage.update',
    kind: 'project',
    before: { issue_id: 'A', assignee_id: null, due_on: null },
    after: { issue_id: 'A', assignee_id: 'u2', assignee_name: 'Robert', due_on: '2026-12-24' },
    sentence: 'Ann changed assignee, due date of A in shop/package.json to Bob, due December 24, 2026',
  },
  { action: 'thing.turn', kind: 'project', sentence: 'Ann performed thing.turn on shop/package.json' },
]

describe('sentences of audit events', () => {
  for (const { sentence, ...event } of cases) {
    test(`${event.action}: ${sentence}`, () => {
      const parts = toSentence(toRow(event), names)
      assert.equal(parts.map(({ text }) => text).join(''), sentence)
    })
  }

  test('a sentence: existing resources and issues have ids, deleted ones only the name they had', () => {
    const row = toRow({ ...cases[0]!, action: 'ignore.create' })
    assert.deepEqual(
      toSentence(row, names).filter(({ id }) => id !== undefined),
      [
        { text: 'Ann', kind: 'user', id: 'u1' },
        { text: 'CVE-2021-23337', kind: 'vulnerability', id: 'CVE-2021-23337' },
        { text: 'shop/package.json', kind: 'project', id: 'p1' },
      ],
    )
    const member = toRow(cases[3]!)
    assert.deepEqual(
      [...listReferences([member])].map(([kind, ids]) => [kind, [...ids]]),
      [
        ['membership', ['x']],
        ['role', ['r1', 'r2']],
        ['user', ['u2']],
      ],
    )
  })

  test('every sentence: completes its actor, and closes its brackets', () => {
    for (const [action, text] of Object.entries(auditSentences)) {
      assert.match(text, /^[a-z]+ed |^[a-z]+ /, action)
      assert.doesNotMatch(text.replaceAll(/\[[^[\]]*\{[a-z._]+\}[^[\]]*\]/g, ''), /[[\]]/, action)
    }
  })
})
