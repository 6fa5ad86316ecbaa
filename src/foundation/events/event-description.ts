import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { Permission } from '../access/permissions.ts'

/**
 * Describes an event type. `needs` are the permissions for reading the same data from the API. The compiler and a test
 * check the example against its data.
 */
export function describeEvent<P extends TProperties>(
  { when, needs }: { when: string; needs: readonly Permission[] },
  properties: P,
  example: Static<TObject<P>>,
): { when: string; needs: readonly Permission[]; Data: TObject<P>; example: Static<TObject<P>> } {
  return { when, needs, Data: Type.Object(properties, { additionalProperties: false }), example }
}

/** An object with exactly these members. */
export function exactly<P extends TProperties>(properties: P, description?: string): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...(description !== undefined && { description }) })
}

export const Id = Type.String({ format: 'uuid' })
export const Time = Type.String({ format: 'date-time' })

export function orNull<T extends TSchema>(schema: T, description: string) {
  return Type.Union([schema, Type.Null()], { description })
}
