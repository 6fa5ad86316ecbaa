import type { Defect } from './defect.ts'

const http = 'src/foundation/http'
const git = 'src/foundation/git'
const pool = 'src/scanning/pool'

/** Work and memory that callers could cause without a bound, and unfairness between them. */
export const refusedWork: readonly Defect[] = [
  {
    title: 'bodies sent to no route are read',
    file: `${http}/server.ts`,
    text: 'if (request.is404 && mayHaveBody(request)) throw noRoute(request)',
    replacement: 'void noRoute',
    tests: ['test/hostile-bodies.test.ts'],
  },
  {
    title: 'JSON may have any number of values',
    file: `${http}/bodies/json-shape.ts`,
    text: 'else if (++this.#values > maxValues) throw',
    replacement: 'else if (++this.#values > maxValues * 1e9) throw',
    tests: [`${http}/bodies/json-shape.test.ts`],
  },
  {
    title: 'a compressed body may have any size',
    file: `${http}/bodies/read-body.ts`,
    text: 'if (received > maxBytes) throw tooLarge(maxBytes)',
    replacement: 'if (received > maxBytes * 1e9) throw tooLarge(maxBytes)',
    tests: ['test/hostile-bodies.test.ts'],
  },
  {
    title: 'the memory of all bodies is not bounded',
    file: `${http}/bodies/client-memory.ts`,
    text: 'if (exceeds(usedBytes, bytes, room)) throw',
    replacement: 'if (exceeds(usedBytes, bytes, room * 1e9)) throw',
    tests: [`${http}/bodies/body-memory.test.ts`],
  },
  {
    title: 'large bodies leave no memory for small ones',
    file: `${http}/bodies/client-memory.ts`,
    text: 'const room = held + bytes > SMALL_BYTES ?',
    replacement: 'const room = held + bytes > SMALL_BYTES * 1e9 ?',
    tests: [`${http}/bodies/body-memory.test.ts`],
  },
  {
    title: 'memory of ended bodies is not returned',
    file: `${http}/bodies/client-memory.ts`,
    text: 'change(clients, -held)',
    replacement: 'change(clients, -0 * held)',
    tests: [`${http}/bodies/body-memory.test.ts`],
  },
  {
    title: 'files of a large body are parsed in the main thread',
    file: `${http}/bodies/media-types.ts`,
    text: 'if (largeMember) return splitBody(bytes,',
    replacement: 'if (largeMember && bytes.length < 0) return splitBody(bytes,',
    tests: ['test/hostile-bodies.test.ts'],
  },
  {
    title: 'tests are not charged the time that they used',
    file: `${pool}/pool.ts`,
    text: 'this.queues.charge(job, ms)',
    replacement: 'this.queues.charge(job, 0)',
    tests: [`${pool}/pool-fairness.test.ts`],
  },
  {
    title: 'an overload does not say when to repeat',
    file: `${pool}/pool-problems.ts`,
    text: "headers: { 'retry-after': String(retryAfterSeconds) },",
    replacement: 'headers: {},',
    tests: [`${pool}/pool-fairness.test.ts`],
  },
  {
    title: 'measurements grow with the routes',
    file: `${http}/metrics/route-labels.ts`,
    text: 'if (known.size >= most ||',
    replacement: 'if (known.size >= most * 1e9 ||',
    tests: [`${http}/metrics/route-labels.test.ts`],
  },
  {
    title: 'an import gives up while the disk is full',
    file: 'src/features/imports/run-import.ts',
    text: 'if (findStorageFault(error) !== undefined) throw error',
    replacement: 'void findStorageFault',
    tests: ['src/features/imports/full-disk.test.ts'],
  },
  {
    title: 'messages of git about its promisor file are blamed on the repository',
    file: `${git}/git-failure.ts`,
    text: "|could not write '[^']*' promisor file$",
    replacement: '',
    tests: [`${git}/git-failure.test.ts`],
  },
]
