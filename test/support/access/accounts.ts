import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { orgCollaborator } from '#foundation/access/built-in-roles.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import type { TestApp } from '../servers/app.ts'

/** The two kinds of owners of service accounts, as tests address them. */
export interface AccountOwner {
  readonly level: 'Org' | 'Group'
  /** Path of the list. */
  path(app: TestApp): string
  permission(verb: 'create' | 'read' | 'edit' | 'delete'): Permission
  /** The key of a new user with these permissions at the owner. */
  keyWith(app: TestApp, permissions: readonly Permission[]): Promise<string>
}

export const ofOrg: AccountOwner = {
  level: 'Org',
  path: (app) => `/rest/orgs/${app.orgId}/service_accounts`,
  permission: (verb) => `org.service_account.${verb}`,
  keyWith: (app, permissions) => app.keyWith(permissions),
}

export const ofGroup: AccountOwner = {
  level: 'Group',
  path: (app) => `/rest/groups/${app.groupId}/service_accounts`,
  permission: (verb) => `group.service_account.${verb}`,
  keyWith: (app, permissions) => app.keyWith(permissions, { groupId: app.groupId }),
}

/** A body that creates an account which collides with no other. */
export function newAccount(attributes: Record<string, unknown> = {}): { data: object } {
  return {
    data: {
      type: 'service_account',
      attributes: { name: `account ${randomUUID()}`, auth_type: 'api_key', role_id: orgCollaborator.id, ...attributes },
    },
  }
}

export interface Account {
  readonly id: string
  readonly attributes: Record<string, string | number>
}

/** Creates an account as the administrator. */
export async function createAccount(
  app: TestApp,
  path: string,
  attributes: Record<string, unknown> = {},
): Promise<Account> {
  const answer = await app.call('POST', path, { body: newAccount(attributes) })
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().data
}

export function secretsBody(mode: string, secret?: string): { data: object } {
  return { data: { type: 'service_account', attributes: { mode, ...(secret !== undefined && { secret }) } } }
}
