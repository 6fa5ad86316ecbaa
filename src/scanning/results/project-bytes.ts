import { createSlices } from '#foundation/slices.ts'
import type { ProjectTest } from './project-form.ts'

/** A byte range of an answer. */
export type Span = readonly [from: number, to: number]

type ListName = 'packages' | 'nodes' | 'advice' | 'issues'

/** The byte ranges of a serialized project test: `graph` and `advice` are JSON, each piece has some list items. */
export interface ProjectLayout {
  readonly head: Span
  readonly graph: Span
  readonly advice: Span
  readonly pieces: Readonly<Record<ListName, readonly Span[]>>
}

export interface WrittenProject {
  readonly body: Uint8Array<ArrayBuffer>
  readonly layout: ProjectLayout
}

/** Parsing this much takes about a millisecond. */
const PIECE_CHARACTERS = 64 * 1024

/** Writes a project test so that the main thread can parse it piece by piece, and compress its parts unread. */
export function writeProject({ graph, advice, issues, ...head }: ProjectTest): WrittenProject {
  const writer = createWriter()
  const headSpan = writer.add(JSON.stringify(head))
  const graphFrom = writer.add('{"packages":[')[0]
  const packages = writer.addItems(graph.packages)
  writer.add('],"nodes":[')
  const nodes = writer.addItems(graph.nodes)
  const graphTo = writer.add(']}')[1]
  const adviceFrom = writer.add('[')[0]
  const advicePieces = writer.addItems(advice)
  const adviceTo = writer.add(']')[1]
  const pieces = { packages, nodes, advice: advicePieces, issues: writer.addItems(issues) }
  return {
    body: writer.join(),
    layout: { head: headSpan, graph: [graphFrom, graphTo], advice: [adviceFrom, adviceTo], pieces },
  }
}

/** Parses a written project test, and yields to the event loop between its pieces. */
export async function readProject({ body, layout }: WrittenProject): Promise<ProjectTest> {
  const pause = createSlices()
  const decoder = new TextDecoder()
  const textOf = ([from, to]: Span) => decoder.decode(body.subarray(from, to))
  const readItems = async (spans: readonly Span[]) => {
    const items: unknown[] = []
    for (const span of spans) {
      await pause()
      for (const item of JSON.parse(`[${textOf(span)}]`) as unknown[]) items.push(item)
    }
    return items
  }
  const { packages, nodes, advice, issues } = layout.pieces
  const head = JSON.parse(textOf(layout.head)) as Omit<ProjectTest, 'graph' | 'advice' | 'issues'>
  const graph = { packages: await readItems(packages), nodes: await readItems(nodes) } as ProjectTest['graph']
  return {
    ...head,
    graph,
    advice: (await readItems(advice)) as ProjectTest['advice'],
    issues: (await readItems(issues)) as ProjectTest['issues'],
  }
}

function createWriter() {
  const encoder = new TextEncoder()
  const parts: Uint8Array[] = []
  let length = 0

  function add(text: string): Span {
    const bytes = encoder.encode(text)
    const from = length
    parts.push(bytes)
    length += bytes.length
    return [from, length]
  }

  /** Adds the items of a list, between commas, as pieces. */
  function addItems(items: readonly unknown[]): Span[] {
    const spans: Span[] = []
    let texts: string[] = []
    let characters = 0
    const end = () => {
      if (texts.length === 0) return
      if (spans.length > 0) add(',')
      spans.push(add(texts.join(',')))
      texts = []
      characters = 0
    }
    for (const item of items) {
      const text = JSON.stringify(item)
      texts.push(text)
      characters += text.length
      if (characters >= PIECE_CHARACTERS) end()
    }
    end()
    return spans
  }

  function join(): Uint8Array<ArrayBuffer> {
    const whole = new Uint8Array(length)
    let at = 0
    for (const part of parts) {
      whole.set(part, at)
      at += part.length
    }
    return whole
  }

  return { add, addItems, join }
}
