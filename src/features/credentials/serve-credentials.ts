import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import { answerChange } from '#foundation/http/change.ts'
import { Collection, listOf, listQuery, Single, single } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { type AccessRule, pathId } from '#foundation/http/request-context.ts'
import type { Server } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { deleteClientSecret, type SecretsChange } from './client-secrets.ts'
import { Credential, toCredential } from './resource.ts'
import { credentialsByAge, getCredentialOf, listCredentialsOf } from './secrets-store.ts'

const releases = ['2024-10-15']
const extension = 'An extension.'

interface LockedOwner extends Pick<SecretsChange, 'owner' | 'noun'> {
  readonly groupId: string
}

/** The owner of credentials, as its feature serves it: paths and access rules. */
export interface CredentialsOwner {
  readonly path: string
  readonly access: { readonly read: AccessRule; readonly edit: AccessRule }
  /** The noun with which operation ids begin, e.g. `OrgServiceAccount`. */
  readonly operations: string
  /** The noun in summaries, e.g. `a service account of an organization`. */
  readonly noun: string
  readonly tags: string[]
  /** Returns the id of the owner that the path names. Throws 404. */
  getOwnerId(request: FastifyRequest): Promise<string>
  /** Locks the owner that the path names until the transaction ends. Throws 404. */
  lockOwner(request: FastifyRequest, change: Change): Promise<LockedOwner>
}

/** Adds the operations below `…/secrets` that list and read the credentials of an owner and delete one by its id. */
export function serveCredentials(scope: Server, services: Services, owner: CredentialsOwner): void {
  readRoutes(scope, services, owner)
  deleteRoute(scope, services, owner)
}

function readRoutes(scope: Server, { db, keyring, now }: Services, owner: CredentialsOwner): void {
  defineOperation(scope, {
    id: `list${owner.operations}Secrets`,
    at: `GET ${owner.path}/secrets`,
    summary: `List the credentials of ${owner.noun}`,
    description: `${extension} Returns metadata, never the secrets themselves, including last use and the end of a grace period. Expired client secrets are listed for a week.`,
    tags: owner.tags,
    access: owner.access.read,
    releases,
    query: listQuery(),
    response: { 200: Collection(Credential) },
    handler: async (request) => {
      const list = listOf(request, keyring)
      const page = await listCredentialsOf(db, await owner.getOwnerId(request), list.window)
      const at = now()
      return list.document(page, credentialsByAge, (row) => toCredential(row, at))
    },
  })
  defineOperation(scope, {
    id: `get${owner.operations}Secret`,
    at: `GET ${owner.path}/secrets/:secret_id`,
    summary: `Read a credential of ${owner.noun}`,
    description: extension,
    tags: owner.tags,
    access: owner.access.read,
    releases,
    response: { 200: Single(Credential) },
    handler: async (request) => {
      const row = await getCredentialOf(db, await owner.getOwnerId(request), pathId(request, 'secret_id'))
      return single(request, toCredential(row, now()))
    },
  })
}

function deleteRoute(scope: Server, services: Services, owner: CredentialsOwner): void {
  defineOperation(scope, {
    id: `delete${owner.operations}Secret`,
    at: `DELETE ${owner.path}/secrets/:secret_id`,
    summary: `Delete a client secret of ${owner.noun} by its id`,
    description: `${extension} The secret stops working immediately. At least one secret that is not retiring must remain.`,
    tags: owner.tags,
    access: owner.access.edit,
    releases,
    response: { 204: Type.Null() },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, async (change) => {
        const { groupId, ...secrets } = await owner.lockOwner(request, change)
        const states = await deleteClientSecret({ ...change, ...secrets }, pathId(request, 'secret_id'))
        const { id, kind, orgId } = secrets.owner
        const target = { id, group_id: groupId, org_id: orgId }
        await recordAudit(change, target, { action: `${kind}.secret.delete`, ...states })
      }),
  })
}
