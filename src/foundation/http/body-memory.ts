import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'

export interface BodyMemorySettings {
  readonly totalBytes: number
  readonly clientBytes: number
}

/** The memory that one request's body takes, until the request is answered. */
export interface BodyLease {
  /** Throws `Problem` when the server or the client has no room for that many bytes more. */
  add(bytes: number): void
}

/** Memory of all bodies that are being read or whose requests are being worked on. */
export interface BodyMemory {
  readonly usedBytes: number
  /** Begins to count the body of a request; what it takes is free again when the answer is sent or the client is gone. */
  lend(request: FastifyRequest, reply: FastifyReply): void
  leaseOf(request: FastifyRequest): BodyLease
}

/** Larger bodies leave room for these, so that large ones do not keep everybody out. */
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
      // Known by now: the credential was checked before.
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
      if (!lease) throw new Error('the memory of this body was not lent')
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
    'The unfinished requests of this credential or address hold too much memory (GATEHOUSE_BODIES_PER_CLIENT_MB). Send fewer large bodies at once',
    RETRY_AFTER,
  )
}
