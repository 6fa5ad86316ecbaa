import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'

/** Describes a type of event; its example is checked against its data by the compiler, and by a test. */
export function describeEvent<P extends TProperties>(
  when: string,
  properties: P,
  example: Static<TObject<P>>,
): { when: string; Data: TObject<P>; example: Static<TObject<P>> } {
  return { when, Data: Type.Object(properties, { additionalProperties: false }), example }
}

/** An object whose members are all there, and no others. */
export function exactly<P extends TProperties>(properties: P, description?: string): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...(description !== undefined && { description }) })
}

export const Id = Type.String({ format: 'uuid' })
export const Time = Type.String({ format: 'date-time' })

export function orNull<T extends TSchema>(schema: T, description: string) {
  return Type.Union([schema, Type.Null()], { description })
}
