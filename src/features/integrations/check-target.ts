import type { ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import { createAjv } from '#foundation/http/bodies/body-validator.ts'
import { validationProblem } from '#foundation/http/faults.ts'
import { getKind, unserved } from './kinds.ts'
import type { CheckedTarget } from './open-repository.ts'
import { unservedTargets } from './unserved-kinds.ts'

const ajv = createAjv({ allErrors: true, verbose: true })
const compiled = new Map<TSchema, ValidateFunction>()

/**
 * Parses a target. Throws 400 if invalid, 422 for unsupported sources. Ignores unknown members, since clients send the
 * same ones to every kind.
 */
export function checkTarget(kindId: string, target: unknown): CheckedTarget {
  const kind = getKind(kindId, '/type')
  const fits = validatorOf(kind.Target)
  if (fits(target)) return kind.check(target as never)
  const other = unservedTargets.find(({ Target }) => validatorOf(Target)(target))
  if (other) throw unserved(other.what, '/target')
  const errors = (fits.errors ?? []).map((error) => ({ ...error, instancePath: `/target${error.instancePath}` }))
  throw validationProblem(errors as Parameters<typeof validationProblem>[0], 'body')
}

function validatorOf(schema: TSchema): ValidateFunction {
  const validator = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validator)
  return validator
}
