import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { ReadSubject, StoredSubject } from '#features/package-tests/messages.ts'
import type { Span, WrittenProject } from '#features/package-tests/project-bytes.ts'
import type { Advice, ProjectTest, StoredGraph } from './project-test.ts'

/** What is kept of a test as compressed JSON. */
export interface PackedTest {
  readonly graph: Uint8Array
  readonly advice: Uint8Array
}

const compress = promisify<Uint8Array, { level: number }, Buffer>(deflateRaw)
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

/** Packs what a test thread wrote of a test, so that the main thread need not write it again. */
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

/** JSON of what a project is tested again from. */
export function toGraphSource(graph: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('{"kind":"dep-graph","depGraph":'), graph, Buffer.from('}')])
}

/** Packs a subject, or the JSON of one. */
export function packSource(source: ReadSubject | Uint8Array): Promise<Uint8Array> {
  return source instanceof Uint8Array ? compress(source, { level: LEVEL }) : pack(source)
}

export function unpackGraph(bytes: Uint8Array): Promise<StoredGraph> {
  return unpack<StoredGraph>(bytes)
}

export function unpackAdvice(bytes: Uint8Array): Promise<readonly Advice[]> {
  return unpack<readonly Advice[]>(bytes)
}

/** For a test thread to parse: it may be as large as a request. */
export async function unpackSource(bytes: Uint8Array): Promise<StoredSubject> {
  return { kind: 'stored', bytes: await expand(bytes) }
}

function pack(value: unknown): Promise<Uint8Array> {
  return compress(Buffer.from(JSON.stringify(value)), { level: LEVEL })
}

async function unpack<T>(bytes: Uint8Array): Promise<T> {
  return JSON.parse((await expand(bytes)).toString()) as T
}
