import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createDeflateRaw, deflateRaw, inflateRaw } from 'node:zlib'
import type { Advice, StoredGraph } from '#analysis/findings/stored-graph.ts'
import type { ReadSubject, SentPolicy, StoredSubject } from '#scanning/reading/task.ts'
import type { Span, WrittenProject } from '#scanning/results/project-bytes.ts'
import type { ProjectTest } from '#scanning/results/project-form.ts'

/** The stored data of a test, as compressed JSON. */
export interface PackedTest {
  readonly graph: Uint8Array
  readonly advice: Uint8Array
}

/** The stored input of retests, as compressed JSON. */
export interface PackedSource {
  readonly packed: Uint8Array
}

const compress = promisify<Uint8Array, { level: number }, Buffer>(deflateRaw)
const inflate = promisify<Uint8Array, Buffer>(inflateRaw)

/** A fast compression level, since every manifest of an import is compressed; slower ones save less than a third. */
const LEVEL = 4
const PACKED_CHUNK_BYTES = 256 * 1024

const packed = new WeakMap<ProjectTest, Promise<PackedTest>>()

/** Packs a test in another thread. Start it before a transaction, which then does not wait for it. */
export function packTest(test: ProjectTest): Promise<PackedTest> {
  const cached = packed.get(test) ?? packBoth(test)
  packed.set(test, cached)
  return cached
}

/** Packs a test that a test thread serialized, so that the main thread does not do it again. */
export async function packWritten(test: ProjectTest, { body, layout }: WrittenProject): Promise<void> {
  const packPart = ([from, to]: Span) => compress(body.subarray(from, to), { level: LEVEL })
  const both = Promise.all([packPart(layout.graph), packPart(layout.advice)])
  packed.set(
    test,
    both.then(([graph, advice]) => ({ graph, advice })),
  )
  await both
}

async function packBoth({ graph, advice }: ProjectTest): Promise<PackedTest> {
  const [packedGraph, packedAdvice] = await Promise.all([pack(graph), pack(advice)])
  return { graph: packedGraph, advice: packedAdvice }
}

/** Packs the JSON of a graph as the input of retests, without copying it: it may be as large as a request. */
export async function packGraphSource(graph: Uint8Array, policy?: SentPolicy): Promise<PackedSource> {
  const end = policy === undefined ? '}' : `,"policy":${JSON.stringify(policy)}}`
  const parts = [Buffer.from('{"kind":"dep-graph","depGraph":'), graph, Buffer.from(end)]
  const deflating = createDeflateRaw({ level: LEVEL, chunkSize: PACKED_CHUNK_BYTES })
  const packed: Buffer[] = []
  deflating.on('data', (chunk: Buffer) => packed.push(chunk))
  await pipeline(Readable.from(parts), deflating)
  return { packed: Buffer.concat(packed) }
}

export async function packSource(source: ReadSubject | PackedSource): Promise<Uint8Array> {
  return 'packed' in source ? source.packed : pack(source)
}

export function unpackGraph(bytes: Uint8Array): Promise<StoredGraph> {
  return unpack<StoredGraph>(bytes)
}

export function unpackAdvice(bytes: Uint8Array): Promise<readonly Advice[]> {
  return unpack<readonly Advice[]>(bytes)
}

/** Unpacks the input of a retest for a test thread, which parses it: it may be as large as a request. */
export async function unpackSource(bytes: Uint8Array): Promise<StoredSubject> {
  return { kind: 'stored', bytes: await expand(bytes) }
}

function pack(value: unknown): Promise<Uint8Array> {
  return compress(Buffer.from(JSON.stringify(value)), { level: LEVEL })
}

/** Unpacks JSON. Rows from before migration 0032 spell the member `license` in the British way. */
async function expand(bytes: Uint8Array): Promise<Buffer> {
  const json = await inflate(bytes)
  return json.includes('"licence":') ? Buffer.from(json.toString().replaceAll('"licence":', '"license":')) : json
}

async function unpack<T>(bytes: Uint8Array): Promise<T> {
  return JSON.parse((await expand(bytes)).toString()) as T
}
