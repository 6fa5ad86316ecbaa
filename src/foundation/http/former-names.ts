import { type TSchema, Type } from 'typebox'
import { namedAfter } from './schema-names.ts'
import type { ServedVersion } from './versions.ts'

/** Former spellings of parameters and members in earlier releases of an operation, for requests and responses. */
export interface FormerNames {
  /** The releases with the former names. */
  readonly releases: readonly string[]
  /** Current name of a parameter or member to its former name. */
  readonly names: Readonly<Record<string, string>>
}

interface Served {
  readonly servedVersion: ServedVersion | null
}

function isFormer({ servedVersion }: Served, { releases }: FormerNames): boolean {
  return servedVersion !== null && releases.includes(servedVersion.served)
}

/** Returns the query with current names, whatever the release. */
export function toPresentNames(
  query: Readonly<Record<string, unknown>>,
  served: Served,
  former: FormerNames,
): Record<string, unknown> {
  if (!isFormer(served, former)) return query
  const present = new Map(Object.entries(former.names).map(([now, before]) => [before, now]))
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [present.get(name) ?? name, value]))
}

/** Returns the value with the names of the served release. */
export function inNamesOf<T>(served: Served, former: FormerNames, value: T): T {
  return isFormer(served, former) ? (renamed(value, former) as T) : value
}

function renamed(value: unknown, former: FormerNames): unknown {
  if (Array.isArray(value)) return value.map((element) => renamed(element, former))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [former.names[name] ?? name, renamed(member, former)]),
  )
}

/** Returns the response schema with current and former names. */
export function withFormerNames<S extends TSchema>(schema: S, former: FormerNames): S {
  const before = { ...(renamedSchema(schema, former) as S), ...namedAfter(schema, 'BeforeRenaming') }
  return Type.Union([schema, before], {
    ...namedAfter(schema, 'OfRelease'),
    description: `The second form is that of ${former.releases.join(', ')}`,
  }) as unknown as S
}

function renamedSchema(schema: unknown, former: FormerNames): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  const { title: _title, properties, required, items, anyOf, ...rest } = schema as Record<string, unknown>
  return {
    ...rest,
    ...(Array.isArray(required) && { required: required.map((name: string) => former.names[name] ?? name) }),
    ...(items !== undefined && { items: renamedSchema(items, former) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((schema) => renamedSchema(schema, former)) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as object).map(([name, property]) => [
          former.names[name] ?? name,
          renamedSchema(property, former),
        ]),
      ),
    }),
  }
}
