import type { ServerResponse } from 'node:http'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#foundation/problem.ts'

export interface ClientMemorySettings {
  readonly totalBytes: number
  /** Limit for one address, and for one credential. */
  readonly clientBytes: number
  /** The reasons of a refusal, with the remedies. */
  readonly refusals: { readonly full: string; readonly tooMuch: string }
  /** True if a client without other memory may exceed its limit, and the only client that of all. */
  readonly allowsLone?: boolean
}

/** The memory of one request, until it is answered. */
export interface MemoryLease {
  /** Reserves bytes. Throws `Problem` if the server or the client has no room for them. */
  add(bytes: number): void
  free(bytes: number): void
}

/** Counts the memory that requests use, together and for each client. */
export interface ClientMemory {
  readonly usedBytes: number
  /** Starts counting; frees the memory when the answer is sent or the client is gone. */
  lend(request: FastifyRequest, reply: FastifyReply): MemoryLease
}

/** Requests above this size leave room for smaller ones, so that large ones do not block them. */
const SMALL_BYTES = 64 * 1024
const SHARE_OF_LARGE = 7 / 8

const RETRY_AFTER = { headers: { 'retry-after': '2' } }

export function createClientMemory(settings: ClientMemorySettings): ClientMemory {
  const { totalBytes, clientBytes, refusals, allowsLone = false } = settings
  const byClient = new Map<string, number>()
  let usedBytes = 0

  function change(clients: readonly string[], bytes: number): void {
    usedBytes += bytes
    for (const client of clients) {
      const used = (byClient.get(client) ?? 0) + bytes
      if (used === 0) byClient.delete(client)
      else byClient.set(client, used)
    }
  }

  function exceeds(used: number, bytes: number, limit: number): boolean {
    return used + bytes > limit && !(allowsLone && used === 0)
  }

  return {
    get usedBytes() {
      return usedBytes
    },
    lend(request, reply) {
      let lent = 0
      let isOver = false
      // The principal is known here, because the credential was already checked.
      const clients = clientsOf(request)
      const release = () => {
        if (isOver) return
        isOver = true
        change(clients, -lent)
      }
      onceSent(reply.raw, release)
      return {
        add(bytes) {
          if (isOver) return
          const room = lent + bytes > SMALL_BYTES ? totalBytes * SHARE_OF_LARGE : totalBytes
          if (exceeds(usedBytes, bytes, room)) throw new Problem('unavailable', refusals.full, RETRY_AFTER)
          if (clients.some((client) => exceeds(byClient.get(client) ?? 0, bytes, clientBytes)))
            throw new Problem('rate-limited', refusals.tooMuch, RETRY_AFTER)
          lent += bytes
          change(clients, bytes)
        },
        free(bytes) {
          if (isOver) return
          lent -= bytes
          change(clients, -bytes)
        },
      }
    },
  }
}

function clientsOf(request: FastifyRequest): string[] {
  const address = `address ${normalizeIP(request.ip)}`
  const credential = request.caller?.principal.credentialId
  return credential === undefined ? [address] : [address, `credential ${credential}`]
}

/** The functions to call for each answer: Node warns of more than ten listeners. */
const waiting = new WeakMap<ServerResponse, (() => void)[]>()

/** Calls a function when an answer was sent or its client is gone. */
function onceSent(response: ServerResponse, release: () => void): void {
  const existing = waiting.get(response)
  if (existing !== undefined) return void existing.push(release)
  const releases = [release]
  waiting.set(response, releases)
  const releaseAll = () => {
    for (const release of releases.splice(0)) release()
  }
  response.once('finish', releaseAll)
  response.once('close', releaseAll)
}
