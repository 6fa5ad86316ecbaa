import { andThen, type MaybePromise } from '#foundation/maybe-promise.ts'
import type { Db } from '../db/database.ts'
import { createMemory } from '../db/memory.ts'

/** Property of a page: its last document. */
const shown = Symbol('shown')
/** Property of a cached document: its text, empty until serialized. */
const text = Symbol('text')

interface Showing {
  readonly rows: readonly unknown[]
  [shown]?: { readonly url: string; readonly document: object }
}

interface Lasting {
  [text]?: string
}

/**
 * Returns the document of a page at a URL. Pages are cached until the next commit (../db/memory.ts), and their
 * documents with them: building and serializing takes a third of a list request. Kept on the page itself, since
 * `WeakMap` entries cost more than they save without hits (measured 4 µs).
 */
export function documentOf<D extends object>(page: Showing, url: string, make: () => D): D {
  const cached = page[shown]
  // A URL belongs to one route, which builds all its documents alike.
  if (cached?.url === url) return cached.document as D
  const document: D & Lasting = make()
  document[text] = ''
  page[shown] = { url, document }
  return document
}

/** Returns that document if it exists. */
export function keptDocument(page: Showing, url: string): object | undefined {
  const cached = page[shown]
  return cached?.url === url ? cached.document : undefined
}

/** A serialized answer, with its own headers. */
export interface WrittenAnswer<D extends object> {
  /** A body of which only the text is kept. */
  readonly body: D
  readonly headers: Readonly<Record<string, string>>
}

const MAX_REMEMBERED_CHARACTERS = 16_000_000

const answers = createMemory<WrittenAnswer<object> & { readonly length: number }>({
  maxWeight: MAX_REMEMBERED_CHARACTERS,
  weightOf: ({ length }) => length,
})

/**
 * Returns the answer to a request without a cursor, serialized and cached until the next commit. `key` must contain
 * everything besides storage on which it depends; it must not depend on the time.
 */
export function rememberedAnswer<D extends object>(
  db: Db,
  key: string,
  make: () => Promise<{ readonly body: D; readonly headers: Readonly<Record<string, string>> }>,
): MaybePromise<WrittenAnswer<D>> {
  const write = async () => {
    const { body, headers } = await make()
    const written = JSON.stringify(body)
    return { body: { [text]: written }, headers, length: written.length }
  }
  return andThen(answers.recall(db, key, write), (answer) => answer as WrittenAnswer<object> as WrittenAnswer<D>)
}

/** Serializes a body; a cached document only once. */
export function serialize(body: Lasting | null): string {
  if (body?.[text]) return body[text]
  const written = JSON.stringify(body)
  if (body?.[text] === '') body[text] = written
  return written
}
