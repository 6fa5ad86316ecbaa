import { type TSchema, Type } from 'typebox'
import type { ServedVersion } from './versions.ts'

/** How earlier releases of an operation spell what has another name by now: one table for what is asked and answered. */
export interface FormerNames {
  /** The releases that spell so. */
  readonly releases: readonly string[]
  /** Today's name of a query parameter or member, and the former one. */
  readonly names: Readonly<Record<string, string>>
}

interface Served {
  readonly servedVersion: ServedVersion | null
}

function isFormer({ servedVersion }: Served, { releases }: FormerNames): boolean {
  return servedVersion !== null && releases.includes(servedVersion.served)
}

/** The query with today's names, whatever the release. */
export function toPresentNames(
  query: Readonly<Record<string, unknown>>,
  served: Served,
  former: FormerNames,
): Record<string, unknown> {
  if (!isFormer(served, former)) return query
  const present = new Map(Object.entries(former.names).map(([now, before]) => [before, now]))
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [present.get(name) ?? name, value]))
}

/** The value with the names of the release that answers. */
export function inNamesOf<T>(served: Served, former: FormerNames, value: T): T {
  return isFormer(served, former) ? (renamed(value, former) as T) : value
}

function renamed(value: unknown, former: FormerNames): unknown {
  if (Array.isArray(value)) return value.map((each) => renamed(each, former))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [former.names[name] ?? name, renamed(each, former)]),
  )
}

/** What an operation answers: as it is now, and as its earlier releases spell it. */
export function withFormerNames<S extends TSchema>(schema: S, former: FormerNames): S {
  const before = renamedSchema(schema, former) as S
  return Type.Union([schema, before], {
    description: `The second form is that of ${former.releases.join(', ')}`,
  }) as unknown as S
}

function renamedSchema(schema: unknown, former: FormerNames): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  const { properties, required, items, anyOf, ...rest } = schema as Record<string, unknown>
  return {
    ...rest,
    ...(Array.isArray(required) && { required: required.map((name: string) => former.names[name] ?? name) }),
    ...(items !== undefined && { items: renamedSchema(items, former) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((each) => renamedSchema(each, former)) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as object).map(([name, each]) => [
          former.names[name] ?? name,
          renamedSchema(each, former),
        ]),
      ),
    }),
  }
}
