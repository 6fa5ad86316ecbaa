import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { type EventType, eventTypes } from '#foundation/events/event-types.ts'

const ajv = new Ajv({ strict: false, allErrors: true })
formats.default(ajv)

/** Holds the data of an event against the schema that receivers are given. */
export function validatorOf(type: EventType): ValidateFunction {
  return ajv.compile(JSON.parse(JSON.stringify(eventTypes[type].Data)))
}
