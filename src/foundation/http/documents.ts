import type { FastifyRequest } from 'fastify'
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Keyset, Page, Position, Window } from '../db/keyset.ts'
import type { Keyring } from '../secrets/keyring.ts'
import { documentOf, keptDocument } from './lasting-documents.ts'
import { cursorsOf, type PageQuery, windowOf } from './pages.ts'
import { namedAfter, nameSchemas } from './schema-names.ts'
import { versionPattern } from './versions.ts'

/** Query parameters of every REST operation. `version` is checked before the schema, for its specific errors. */
export const Versioned = Type.Object(
  {
    version: Type.String({
      pattern: versionPattern,
      description: 'Date of the interface version that the client was written for',
    }),
  },
  { additionalProperties: false },
)

const pageParameters = {
  starting_after: Type.Optional(Type.String({ description: 'Cursor: return the page after it' })),
  ending_before: Type.Optional(Type.String({ description: 'Cursor: return the page before it' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 10, maximum: 100, default: 10, description: 'Maximum number of items on a page' }),
  ),
}

/** Query of a REST list, with optional filters. */
export function listQuery<P extends Record<string, TSchema> = Record<never, never>>(filters?: P) {
  return Type.Object({ ...Versioned.properties, ...pageParameters, ...(filters as P) }, { additionalProperties: false })
}

/** Query of a REST operation on one resource, with optional parameters. */
export function singleQuery<P extends Record<string, TSchema>>(parameters: P) {
  return Type.Object({ ...Versioned.properties, ...parameters }, { additionalProperties: false })
}

export const Uuid = Type.String({ format: 'uuid' })
export const Timestamp = Type.String({ format: 'date-time' })

export const JsonApi = Type.Object({ version: Type.Literal('1.0') })
const Link = Type.String()
const SelfLink = Type.Object({ self: Link })
const PageLinks = Type.Object({
  self: Link,
  first: Link,
  last: Link,
  next: Type.Optional(Link),
  prev: Type.Optional(Link),
})
nameSchemas({ JsonApi, SelfLink, PageLinks })

/** A JSON:API resource object. */
export function resource<A extends TObject>(type: string, attributes: A) {
  return Type.Object({
    id: Uuid,
    type: Type.Literal(type),
    attributes,
    relationships: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    links: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  })
}

export function Single<R extends TSchema>(data: R) {
  return Type.Object({ jsonapi: JsonApi, data, links: SelfLink }, namedAfter(data, 'Document'))
}

export function Collection<R extends TSchema>(data: R) {
  return Type.Object(
    {
      jsonapi: JsonApi,
      data: Type.Array(data),
      links: PageLinks,
      meta: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    },
    namedAfter(data, 'List'),
  )
}

/** A list that can include its total count. */
export function CountedCollection<S extends TSchema>(data: S) {
  const { properties } = Collection(data)
  return Type.Object({
    ...properties,
    meta: Type.Optional(Type.Object({ count: Type.Integer({ minimum: 0 }) })),
  })
}

/** The parameter that requests the total count. */
export const countParameter = {
  count: Type.Optional(Type.Boolean({ description: 'Include the total number of items on all pages' })),
}

/** A request body with one resource object; unknown members are refused. */
export function bodyOf<A extends TObject>(type: string, attributes: A) {
  return Type.Object(
    {
      data: Type.Object({ type: Type.Literal(type), attributes }, { additionalProperties: false }),
    },
    { additionalProperties: false },
  )
}

/** The body of a change, which may repeat the id of the path. */
export function changeOf<A extends TObject>(type: string, attributes: A) {
  return Type.Object(
    {
      data: Type.Object(
        { id: Type.Optional(Uuid), type: Type.Literal(type), attributes },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false },
  )
}

export const ErrorDocument = Type.Object({
  jsonapi: JsonApi,
  errors: Type.Array(
    Type.Object(
      {
        id: Type.String(),
        status: Type.String({ pattern: '^[45]\\d\\d$' }),
        code: Type.String(),
        title: Type.String(),
        detail: Type.String(),
        source: Type.Optional(
          Type.Object(
            {
              pointer: Type.Optional(Type.String()),
              parameter: Type.Optional(Type.String()),
              header: Type.Optional(Type.String()),
            },
            { additionalProperties: false },
          ),
        ),
        links: Type.Optional(Type.Object({ about: Type.String() })),
      },
      { additionalProperties: false },
    ),
    { minItems: 1 },
  ),
})

nameSchemas({ ErrorDocument })

const jsonapi = { version: '1.0' } as const

/** Returns the path of a link: absolute, without host and without `/rest`, which existing clients prepend. */
function linkPath(request: FastifyRequest): string {
  const { url } = request
  const end = url.indexOf('?')
  return url.slice(url.startsWith('/rest/') ? '/rest'.length : 0, end === -1 ? undefined : end)
}

function link(path: string, query: Readonly<Record<string, unknown>>): string {
  let text = path
  for (const name of Object.keys(query)) {
    const value = query[name]
    if (value === undefined) continue
    text += text === path ? '?' : '&'
    text += parameter(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  return text
}

/** Form-encodes a parameter, skipping text that needs no encoding. */
function parameter(name: string, value: string): string {
  return /^[\w.*-]*$/.test(value) ? `${name}=${value}` : new URLSearchParams([[name, value]]).toString()
}

/**
 * Returns the document of one resource. `path` is the resource's if it differs from the request's, e.g. after a
 * creation.
 */
export function single<R>(request: FastifyRequest, data: R, path = linkPath(request)) {
  const { version } = request.query as Static<typeof Versioned>
  return { jsonapi, data, links: { self: link(path, { version }) } }
}

/** A list request: its window, and the document of the resulting page. */
export interface ListReading {
  readonly window: Window
  /** `keyset` must be the one used to read the page. */
  document<Row, R>(page: Page<Row>, keyset: Keyset<Row>, toResource: (row: Row) => R): ListDocument<R>
  /** The same for resources that depend only on their row: the document is cached with its page. */
  lastingDocument<Row, R>(page: Page<Row>, keyset: Keyset<Row>, toResource: (row: Row) => R): ListDocument<R>
  /** Returns the cached document, if any, without building it. */
  kept(page: Page<unknown>): object | undefined
}

interface ListDocument<R> {
  jsonapi: { version: '1.0' }
  data: R[]
  links: { self: string; first: string; last: string; next?: string; prev?: string }
}

/** Reads the page parameters; throws 400 for cursors of another list. */
export function listOf(request: FastifyRequest, keyring: Keyring): ListReading {
  const { starting_after, ending_before, ...kept } = request.query as PageQuery & Record<string, unknown>
  const path = linkPath(request)
  const cursors = () => cursorsOf(identityOf(path, kept), keyring)
  const window = windowOf(request.query as PageQuery, cursors)
  const document: ListReading['document'] = (page, keyset, toResource) => {
    const { write } = cursors()
    const base = link(path, { ...kept, limit: window.limit })
    const at = (parameter: 'starting_after' | 'ending_before', position: Position) =>
      `${base}&${parameter}=${write(position)}`
    return {
      jsonapi,
      data: page.rows.map((row) => toResource(row)),
      links: {
        self: link(path, { ...kept, limit: window.limit, starting_after, ending_before }),
        first: at('starting_after', 'start'),
        last: at('ending_before', 'end'),
        ...neighbors(page, keyset, at),
      },
    }
  }
  return {
    window,
    document,
    lastingDocument: (page, keyset, toResource) =>
      documentOf(page, request.url, () => document(page, keyset, toResource)),
    kept: (page) => keptDocument(page, request.url),
  }
}

function neighbors<Row>(
  page: Page<Row>,
  keyset: Keyset<Row>,
  at: (parameter: 'starting_after' | 'ending_before', position: Position) => string,
) {
  const first = page.rows.at(0)
  const last = page.rows.at(-1)
  return {
    ...(page.hasNext && { next: at('starting_after', last ? keyset.position(last) : 'start') }),
    ...(page.hasPrevious && { prev: at('ending_before', first ? keyset.position(first) : 'end') }),
  }
}

/** A cursor belongs to a path and its filters, but to no page size or version. */
function identityOf(path: string, query: Record<string, unknown>): string {
  const { version: _version, limit: _limit, ...filters } = query
  return `${path}?${JSON.stringify(Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)))}`
}
