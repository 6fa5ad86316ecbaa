import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Permission } from '#foundation/access/permissions.ts'
import type { TestApp } from '../servers/app.ts'
import type { Word } from './members.ts'

export type Answer = ReturnType<TestApp['call']>

/** One use of an operation on a program or a person with more permissions than the caller may have. */
export interface Attempt {
  /** The route as the server spells it. */
  readonly operation: string
  readonly what: string
  readonly word: Word
  /** The permission that the route asks for. */
  readonly permission: Permission
  /** Permissions that the operation would obtain, redirect or end; empty for other operations. */
  readonly authority?: readonly Permission[]
  /** Prepares a new target as the administrator, and tries the operation on it. */
  send(key: string): Answer
}

/** Permissions of the targets. */
export const theirs = ['org.read', 'org.project.delete'] as const satisfies readonly Permission[]

export function newRole(permissions: readonly Permission[]): object {
  return { data: { type: 'role', attributes: { name: randomUUID(), permissions } } }
}

export async function addRole(app: TestApp, permissions: readonly Permission[]): Promise<string> {
  const answer = await app.call('POST', `/rest/groups/${app.groupId}/roles`, { body: newRole(permissions) })
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().data.id
}

export function newUser(): object {
  return { data: { type: 'user', attributes: { name: 'Some One', email: `${randomUUID()}@example.test` } } }
}

export async function addUser(app: TestApp): Promise<string> {
  const answer = await app.call('POST', `/rest/groups/${app.groupId}/users`, { body: newUser() })
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().data.id
}
