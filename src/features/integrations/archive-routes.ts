import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { recordAudit } from '#foundation/audit/record.ts'
import type { BodyMemory } from '#foundation/http/bodies/body-memory.ts'
import { toClientClosed } from '#foundation/http/bodies/read-body.ts'
import { answerAgain, answerChange } from '#foundation/http/change.ts'
import { Collection, listOf, listQuery, Single, single, singleQuery, Uuid } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { nameText, toStoredName } from '#foundation/http/text.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import type { ArchiveStorage } from './archive-storage.ts'
import {
  archivesByAge,
  completeArchive,
  deleteArchive,
  dropOlder,
  dropUnfinished,
  listArchives,
} from './archives-store.ts'
import {
  digestOf,
  MAX_ARCHIVES,
  MAX_ARCHIVES_OF_ORG,
  NoPlaceLeft,
  type ReceivedArchive,
  receiveArchive,
} from './receive-archive.ts'
import { Archive, toArchive } from './resource.ts'
import { getIntegration } from './store.ts'

const config = { access: { org: ['org.edit'] }, releases: ['2024-10-15'] } as const
const tags = ['Integrations']
const extension = 'An extension.'
const one = Type.Object({ org_id: Uuid, integration_id: Uuid })
const oneArchive = Type.Object({ ...one.properties, archive_id: Uuid })

/** Accepted media types. Archives are recognized by content, whatever the content-type says. */
const MEDIA_TYPES = ['application/octet-stream', 'application/gzip', 'application/x-tar', 'application/zip']
const MB = 1024 * 1024
/** Archives kept per name, so that an import of the previous one can continue. */
const KEPT_OF_A_NAME = 2

interface Uploads {
  readonly storage: ArchiveStorage
  readonly memory: BodyMemory
}

export function archiveRoutes(services: Services, uploads: Uploads): Routes {
  return (scope) => {
    listRoute(scope, services)
    // A streamed body needs a scope with its own content type parsers.
    scope.register(async (inner) => {
      inner.removeAllContentTypeParsers()
      inner.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
      sendRoute(inner as unknown as Server, services, uploads)
    })
    deleteRoute(scope, services)
  }
}

function listRoute(scope: Server, { db, keyring }: Services): void {
  defineOperation(scope, {
    id: 'listArchives',
    at: 'GET /orgs/:org_id/integrations/:integration_id/archives',
    summary: 'List the archives of an integration',
    description: extension,
    tags,
    ...config,
    query: listQuery(),
    response: { 200: Collection(Archive) },
    handler: async (request) => {
      const { id } = await getIntegration(db, orgOf(request).id, request.params.integration_id.toLowerCase())
      const list = listOf(request, keyring)
      return list.document(await listArchives(db, id, list.window), archivesByAge, toArchive)
    },
  })
}

function sendRoute(scope: Server, services: Services, { storage, memory }: Uploads): void {
  const { db, config: limits, now } = services
  const maxBytes = limits.archiveMb * MB
  defineOperation(scope, {
    id: 'sendArchive',
    at: 'POST /orgs/:org_id/integrations/:integration_id/archives',
    summary: 'Upload an archive for import',
    description: `${extension} The body is a tar, tar.gz or zip archive. A single folder at its top is removed from the paths. Import it with the target \`{"name": "…"}\`, which selects the newest archive of that name, or \`{"id": "…"}\`. The newest ${KEPT_OF_A_NAME} archives of each name are kept. An integration keeps at most ${MAX_ARCHIVES} archives and an organization ${MAX_ARCHIVES_OF_ORG}; the operator limits their bytes.`,
    tags,
    consumes: MEDIA_TYPES,
    ...config,
    bodyLimit: maxBytes,
    // The body is a stream, which is validated while it arrives.
    validatorCompiler: (part) => (part.httpPart === 'body' ? () => true : scope.validatorCompiler!(part)),
    query: singleQuery({
      name: nameText(200, 'Name of the content, the same for all of its versions'),
    }),
    response: { 201: Single(Archive) },
    handler: async (request, reply) => {
      const org = orgOf(request)
      const integrationId = request.params.integration_id.toLowerCase()
      const name = toStoredName(request.query.name)
      const length = lengthOf(request)
      const received = await passingOver(request, async () => {
        await requireArchives(services, { orgId: org.id, integrationId })
        const sent = { orgId: org.id, integrationId, name, length, content: contentOf(request), at: now() }
        try {
          // A piece for the object store counts like a body that is buffered as a whole.
          if (storage.isInBucket)
            memory.leaseOf(request).add(Math.min(length ?? storage.pieceBytes, storage.pieceBytes))
          return await receiveArchive({ db, storage }, sent, limits)
        } catch (error) {
          if (!(error instanceof NoPlaceLeft) || request.headers['idempotency-key'] === undefined) throw error
          // The last place may have been taken by an earlier request with this Idempotency-Key.
          request.body = { digest: await digestOf(sent.content, limits) } as never
          if (await answerAgain(services, { request, reply })) return undefined
          throw error
        }
      })
      if (received === undefined) return reply
      // An Idempotency-Key covers the uploaded bytes.
      request.body = { digest: received.digest } as never
      try {
        return await answerChange(services, { request, reply }, async (change) => {
          const row = await complete(change.tx, received, change.at)
          const after = { integration_id: integrationId, ...toArchive(row).attributes }
          await recordAudit(change, { id: row.id, org }, { action: 'integration_archive.create', after })
          const path = `/orgs/${org.id}/integrations/${integrationId}/archives/${row.id}`
          const body = single(request, toArchive(row), path)
          return { status: 201, body, headers: { location: `${services.baseUrl}/rest${path}` } }
        })
      } finally {
        // Left over after a failure, or when the same request was completed before.
        await dropUnfinished(db, received.id)
      }
    },
  })
}

async function requireArchives(
  { db }: Services,
  { orgId, integrationId }: { orgId: string; integrationId: string },
): Promise<void> {
  const { kind } = await getIntegration(db, orgId, integrationId)
  if (kind !== 'archive')
    throw new Problem(
      'unprocessable',
      `Archives can only be uploaded to integrations of the kind archive; this one is of the kind ${kind}`,
    )
}

/** Reads and discards the rest of a refused body, because Node does not notice the end of an unread connection. */
async function passingOver<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    request.raw.unpipe()
    request.raw.resume()
    throw toClientClosed(request, error)
  }
}

function lengthOf({ headers }: FastifyRequest): number | undefined {
  const sent = headers['content-length']
  return sent === undefined ? undefined : Number(sent)
}

function contentOf(request: FastifyRequest): AsyncIterable<Buffer> {
  const body: unknown = request.body
  // Keep the connection open while refusing; otherwise the client could not read the response.
  if (body instanceof Readable) return body.iterator({ destroyOnReturn: false })
  throw new Problem('invalid-request', 'The body is missing. Send the archive as the body')
}

async function complete(tx: Services['db'], { id, sizeBytes, digest }: ReceivedArchive, at: number) {
  const row = await completeArchive(tx, id, { sizeBytes, digest, at })
  await dropOlder(tx, row, KEPT_OF_A_NAME)
  return row
}

function deleteRoute(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'deleteArchive',
    at: 'DELETE /orgs/:org_id/integrations/:integration_id/archives/:archive_id',
    summary: 'Delete an archive; its projects stay',
    description: extension,
    tags,
    ...config,
    params: oneArchive,
    response: { 204: Type.Null() },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, async (change) => {
        const org = orgOf(request)
        const { integration_id, archive_id } = request.params
        const integration = await getIntegration(change.tx, org.id, integration_id.toLowerCase())
        const row = await deleteArchive(change.tx, integration.id, archive_id.toLowerCase())
        await recordAudit(
          change,
          { id: row.id, org },
          {
            action: 'integration_archive.delete',
            before: { integration_id: integration.id, ...toArchive(row).attributes },
          },
        )
      }),
  })
}
