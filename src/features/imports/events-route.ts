import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { admit, authenticate } from '#foundation/http/access.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Server } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { getImport } from './store.ts'
import { type ImportWatch, watchImports } from './watch-imports.ts'

const MEDIA_TYPE = 'text/event-stream'
/** Also the maximum time for which a client with a revoked credential still receives events. */
const HEARTBEAT_MS = 3_000
/** Longest duration of a stream; clients reconnect. */
const LONGEST_MS = 60 * 60_000
/** Limit of bytes buffered for a client that does not read. */
const MOST_UNREAD_BYTES = 64 * 1024

/** `GET …/imports/{import_id}/events`: server-sent events (HTML standard §9.2). */
export function eventsRoute(scope: Server, services: Services): void {
  const { db, config } = services
  const imports = watchImports(services)
  const open = new Map<Readable, string>()
  // One organization must not use all streams.
  const mostOfOrg = Math.ceil(config.importStreams / 2)
  // An open stream must not delay the shutdown of the server.
  scope.addHook('preClose', (done) => {
    for (const stream of open.keys()) stream.push(null)
    done()
  })
  defineOperation(scope, {
    id: 'streamImportEvents',
    at: 'GET /orgs/:org_id/imports/:import_id/events',
    summary: 'Follow the progress of an import',
    description:
      'An extension. Server-sent events: `progress` with each change of the counts, and `end` when the import is finished, after which the server closes the stream.',
    tags: ['Imports'],
    produces: [MEDIA_TYPE],
    access: { org: ['org.edit'] },
    releases: ['2024-10-15'],
    mediaTypes: [MEDIA_TYPE],
    response: {
      200: {
        description: 'Events whose data is JSON with `state`, `is_listed` and `manifests` (waiting, done, failed)',
        content: { [MEDIA_TYPE]: { schema: Type.Unsafe<Readable>(Type.String()) } },
      },
    },
    handler: async (request, reply) => {
      const orgId = orgOf(request).id
      const { id } = await getImport(db, { orgId }, request.params.import_id.toLowerCase())
      // Fastify drains the stream of a HEAD request without closing it with the connection.
      if (request.method === 'HEAD') return sendEvents(reply, Readable.from([]))
      const ofOrg = [...open.values()].filter((openOrgId) => openOrgId === orgId).length
      if (open.size >= config.importStreams || ofOrg >= mostOfOrg) {
        throw new Problem(
          'unavailable',
          'Too many clients follow imports. Poll the import instead, or try again later.',
          {
            headers: { 'retry-after': '10' },
          },
        )
      }
      const stream = follow(id, { imports, isAdmitted: () => isAdmitted(request, services) })
      open.set(stream, orgId)
      stream.once('close', () => open.delete(stream))
      return sendEvents(reply, stream)
    },
  })
}

function sendEvents(reply: FastifyReply, events: Readable): FastifyReply {
  return reply
    .header('content-type', MEDIA_TYPE)
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .send(events)
}

function follow(
  importId: string,
  { imports, isAdmitted }: { imports: ImportWatch; isAdmitted(): Promise<boolean> },
): Readable {
  const stream = new Readable({ read() {} })
  const send = (text: string) => {
    if (stream.readableLength > MOST_UNREAD_BYTES) stream.destroy()
    else stream.push(text)
  }
  const heartbeat = setInterval(() => {
    isAdmitted().then(
      (is) => (is ? send(':\n\n') : end()),
      () => end(),
    )
  }, HEARTBEAT_MS)
  const longest = setTimeout(end, LONGEST_MS)
  const stop = imports.watch(importId, (progress) => {
    if (progress === undefined) return end()
    const isEnded = progress.state !== 'pending'
    send(`event: ${isEnded ? 'end' : 'progress'}\ndata: ${JSON.stringify(progress)}\n\n`)
    if (isEnded) end()
  })
  function end(): void {
    stop()
    clearInterval(heartbeat)
    clearTimeout(longest)
    if (!stream.readableEnded && !stream.destroyed) stream.push(null)
  }
  stream.once('close', end)
  stream.push('retry: 2000\n\n')
  return stream
}

/** Returns true while the caller still has access: a stream must not outlive its credential. */
async function isAdmitted(request: FastifyRequest, { access, baseUrl }: Services): Promise<boolean> {
  try {
    await admit(request, await authenticate(request, access, baseUrl), access)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}
