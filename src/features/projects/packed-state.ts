import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { Subject } from '#features/package-tests/messages.ts'
import type { Advice, ProjectTest, StoredGraph } from './project-test.ts'

/** What is kept of a test as compressed JSON. */
export interface PackedTest {
  readonly graph: Uint8Array
  readonly advice: Uint8Array
}

const compress = promisify<Buffer, { level: number }, Buffer>(deflateRaw)
const expand = promisify<Uint8Array, Buffer>(inflateRaw)

/** Quick, since it is done for every manifest of an import; a third of the size is saved by nothing slower. */
const LEVEL = 4

const packed = new WeakMap<ProjectTest, Promise<PackedTest>>()

/** Done once for each test, in another thread: begun before a transaction, it costs that one no time. */
export function packTest(test: ProjectTest): Promise<PackedTest> {
  const known = packed.get(test) ?? packBoth(test)
  packed.set(test, known)
  return known
}

async function packBoth({ graph, advice }: ProjectTest): Promise<PackedTest> {
  const [packedGraph, packedAdvice] = await Promise.all([pack(graph), pack(advice)])
  return { graph: packedGraph, advice: packedAdvice }
}

export function packSource(source: Subject): Promise<Uint8Array> {
  return pack(source)
}

export function unpackGraph(bytes: Uint8Array): Promise<StoredGraph> {
  return unpack<StoredGraph>(bytes)
}

export function unpackAdvice(bytes: Uint8Array): Promise<readonly Advice[]> {
  return unpack<readonly Advice[]>(bytes)
}

export function unpackSource(bytes: Uint8Array): Promise<Subject> {
  return unpack<Subject>(bytes)
}

function pack(value: unknown): Promise<Uint8Array> {
  return compress(Buffer.from(JSON.stringify(value)), { level: LEVEL })
}

async function unpack<T>(bytes: Uint8Array): Promise<T> {
  return JSON.parse((await expand(bytes)).toString()) as T
}
