/** On a page: the document that was made of it last. */
const shown = Symbol('shown')
/** On a document that lasts: its text, empty until it is written out. */
const text = Symbol('text')

interface Showing {
  readonly rows: readonly unknown[]
  [shown]?: { readonly url: string; readonly document: object }
}

interface Lasting {
  [text]?: string
}

/**
 * The document that the URL shows of a page. A page is remembered for as long as nothing was committed (see
 * ../db/memory.ts) and its document with it: to make and to write it takes a third of the time of a list. Kept on the page
 * itself, since entries of a `WeakMap` cost more than they save where nothing is remembered (measured 4 µs).
 */
export function documentOf<D extends object>(page: Showing, url: string, make: () => D): D {
  const known = page[shown]
  // An URL belongs to one route, which makes all of its documents in one way.
  if (known?.url === url) return known.document as D
  const document: D & Lasting = make()
  document[text] = ''
  page[shown] = { url, document }
  return document
}

/** That document, if there is one. */
export function keptDocument(page: Showing, url: string): object | undefined {
  const known = page[shown]
  return known?.url === url ? known.document : undefined
}

/** Writes a body out, a lasting document only once. */
export function serialize(body: Lasting | null): string {
  if (body?.[text]) return body[text]
  const written = JSON.stringify(body)
  if (body?.[text] === '') body[text] = written
  return written
}
