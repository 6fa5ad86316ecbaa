import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#foundation/problem.ts'

export interface BodyMemorySettings {
  readonly totalBytes: number
  readonly clientBytes: number
}

/** The memory of one request's body, until the request is answered. */
export interface BodyLease {
  /** Reserves bytes. Throws `Problem` if the server or the client has no room for them. */
  add(bytes: number): void
}

/** Counts the memory of all bodies in use. */
export interface BodyMemory {
  readonly usedBytes: number
  /** Starts counting a request's body; frees the memory when the answer is sent or the client is gone. */
  lend(request: FastifyRequest, reply: FastifyReply): void
  leaseOf(request: FastifyRequest): BodyLease
}

/** Bodies above this size leave room for smaller ones, so that large bodies do not block small requests. */
const SMALL_BYTES = 64 * 1024
const SHARE_OF_LARGE = 7 / 8

const RETRY_AFTER = { headers: { 'retry-after': '2' } }

export function createBodyMemory({ totalBytes, clientBytes }: BodyMemorySettings): BodyMemory {
  const byClient = new Map<string, number>()
  const leases = new WeakMap<FastifyRequest, BodyLease>()
  let usedBytes = 0

  function change(clients: readonly string[], bytes: number): void {
    usedBytes += bytes
    for (const client of clients) {
      const used = (byClient.get(client) ?? 0) + bytes
      if (used === 0) byClient.delete(client)
      else byClient.set(client, used)
    }
  }

  return {
    get usedBytes() {
      return usedBytes
    },
    lend(request, reply) {
      let held = 0
      let isOver = false
      // The principal is known here, because the credential was already checked.
      const clients = clientsOf(request)
      leases.set(request, {
        add(bytes) {
          if (isOver) return
          const room = held + bytes > SMALL_BYTES ? totalBytes * SHARE_OF_LARGE : totalBytes
          if (usedBytes + bytes > room) throw full()
          if (clients.some((client) => (byClient.get(client) ?? 0) + bytes > clientBytes)) throw tooMuch()
          held += bytes
          change(clients, bytes)
        },
      })
      const release = () => {
        if (isOver) return
        isOver = true
        change(clients, -held)
      }
      reply.raw.once('finish', release)
      reply.raw.once('close', release)
    },
    leaseOf(request) {
      const lease = leases.get(request)
      if (!lease) throw new Error('no memory was reserved for this body')
      return lease
    },
  }
}

function clientsOf(request: FastifyRequest): string[] {
  const address = `address ${normalizeIP(request.ip)}`
  const credential = request.caller?.principal.credentialId
  return credential === undefined ? [address] : [address, `credential ${credential}`]
}

function full(): Problem {
  return new Problem(
    'unavailable',
    'The server has no memory left for this body (GATEHOUSE_BODIES_MB). Repeat the request shortly',
    RETRY_AFTER,
  )
}

function tooMuch(): Problem {
  return new Problem(
    'rate-limited',
    'The unfinished requests of this credential or address use too much memory (GATEHOUSE_BODIES_PER_CLIENT_MB). Send fewer large bodies at once.',
    RETRY_AFTER,
  )
}
