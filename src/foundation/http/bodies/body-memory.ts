import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ClientMemorySettings, createClientMemory, type MemoryLease } from './client-memory.ts'

/** Counts the memory of all bodies in use. */
export interface BodyMemory {
  readonly usedBytes: number
  /** Starts counting a request's body; frees the memory when the answer is sent or the client is gone. */
  lend(request: FastifyRequest, reply: FastifyReply): void
  leaseOf(request: FastifyRequest): MemoryLease
}

const refusals = {
  full: 'The server has no memory left for this body. Repeat the request shortly',
  tooMuch:
    'The unfinished requests of this credential or address use too much memory. Send fewer large bodies at once.',
}

export function createBodyMemory(sizes: Pick<ClientMemorySettings, 'totalBytes' | 'clientBytes'>): BodyMemory {
  const memory = createClientMemory({ ...sizes, refusals })
  const leases = new WeakMap<FastifyRequest, MemoryLease>()
  return {
    get usedBytes() {
      return memory.usedBytes
    },
    lend(request, reply) {
      leases.set(request, memory.lend(request, reply))
    },
    leaseOf(request) {
      const lease = leases.get(request)
      if (!lease) throw new Error('no memory was reserved for this body')
      return lease
    },
  }
}
