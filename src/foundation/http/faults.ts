import type { FastifyError, FastifySchemaValidationError } from 'fastify'
import { findStorageFault } from '../db/storage-faults.ts'
import { type Fault, Problem } from '../problem.ts'
import { patternMeanings } from './text.ts'

const MAX_FAULTS = 20

/** Limits in plain words; Ajv's messages begin with "must NOT have fewer than". */
const bounds: ReadonlyMap<string, (limit: number) => string> = new Map([
  ['minimum', (limit) => `must be at least ${limit}`],
  ['maximum', (limit) => `must be at most ${limit}`],
  ['minItems', (limit) => `must have at least ${count(limit, 'item')}`],
  ['maxItems', (limit) => `must have at most ${count(limit, 'item')}`],
  ['minLength', (limit) => `must have at least ${count(limit, 'character')}`],
  ['maxLength', (limit) => `must have at most ${count(limit, 'character')}`],
  ['maxProperties', (limit) => `must have at most ${count(limit, 'member')}`],
])

/** Translates an error to a refusal; undefined for a server failure. */
export function toProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (!(error instanceof Error)) return undefined
  const { validation, validationContext, code, statusCode } = error as Partial<FastifyError> & Error
  if (validation) return validationProblem(validation, validationContext ?? 'body')
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Problem('too-large', 'The body is larger than this server accepts')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new Problem('unsupported-media-type', 'Unsupported content-type of the body', {
      source: { header: 'content-type' },
    })
  }
  if (error instanceof URIError || code === 'FST_ERR_BAD_URL')
    return new Problem('invalid-request', 'The path is not a valid URL')
  if (statusCode === 400) return new Problem('body-unreadable', 'The body does not match its headers', { cause: error })
  // For example a failed precondition on a file (RFC 9110 §13.1).
  if (statusCode !== undefined && statusCode > 400 && statusCode < 500)
    return new Problem('invalid-request', 'The request’s conditional or range headers cannot be satisfied', {
      cause: error,
    })
  return undefined
}

/** Translates a storage failure, after which the caller can only retry; undefined for every other failure. */
export function toOutage(error: unknown): Problem | undefined {
  const fault = findStorageFault(error)
  if (fault === undefined) return undefined
  const detail =
    fault === 'full'
      ? 'The server’s disk is full. Try again later'
      : 'The storage of the server has failed. Try again later'
  return new Problem('unavailable', detail, { headers: { 'retry-after': '10' }, cause: error })
}

/** Translates schema errors of one part of a request to a refusal. */
export function validationProblem(errors: readonly FastifySchemaValidationError[], context: string): Problem {
  const unknown = context === 'querystring' && errors.every((error) => error.keyword === 'additionalProperties')
  const faults = asChoices(errors)
    .slice(0, MAX_FAULTS)
    .map((error) => toFault(error, context))
  return new Problem(unknown ? 'unknown-parameter' : 'invalid-request', faults)
}

/**
 * Merges the faults of a value that matches none of several words into one that lists them. Ajv reports the
 * alternatives directly before the choice.
 */
function asChoices(errors: readonly FastifySchemaValidationError[]): FastifySchemaValidationError[] {
  const joined: FastifySchemaValidationError[] = []
  for (const error of errors) {
    if (error.keyword !== 'anyOf') {
      joined.push(error)
      continue
    }
    const before = joined.findLastIndex(({ schemaPath }) => !schemaPath.startsWith(`${error.schemaPath}/`))
    const remaining = joined.slice(before + 1)
    const words = remaining.filter(
      ({ keyword, instancePath }) => keyword === 'const' && instancePath === error.instancePath,
    )
    const alternatives = (some: readonly FastifySchemaValidationError[]) =>
      new Set(some.map(({ schemaPath }) => schemaPath.slice(error.schemaPath.length).split('/')[1])).size
    const isChoice = words.length > 0 && alternatives(words) === alternatives(remaining)
    if (isChoice) joined.length = before + 1
    const params = { allowedValues: words.map(({ params }) => params['allowedValue']) }
    joined.push(isChoice ? { ...error, keyword: 'enum', params } : error)
  }
  return joined
}

function toFault(error: FastifySchemaValidationError, context: string): Fault {
  const inside = String(error.params['missingProperty'] ?? error.params['additionalProperty'] ?? '')
  const path =
    inside === '' ? error.instancePath : `${error.instancePath}/${inside.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const said = describe(error, inside)
  if (context === 'body') return { detail: `${path === '' ? 'The body' : path} ${said}`, source: { pointer: path } }
  const parameter = path.split('/')[1] ?? ''
  if (context === 'headers') return { detail: `Header ${parameter} ${said}`, source: { header: parameter } }
  return { detail: `Parameter ${parameter} ${said}`, source: { parameter } }
}

function describe(error: FastifySchemaValidationError, inside: string): string {
  if (error.keyword === 'required') return 'is missing'
  if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties') {
    return `is unknown${inside === '' ? '' : '; remove it or correct its spelling'}`
  }
  if (error.keyword === 'enum') return `must be one of ${(error.params['allowedValues'] as unknown[]).join(', ')}`
  if (error.keyword === 'const') return `must be ${JSON.stringify(error.params['allowedValue'])}`
  if (error.keyword === 'minProperties') return describeTooFew(error)
  const bound = bounds.get(error.keyword)
  if (bound !== undefined) return bound(Number(error.params['limit']))
  const meaning = error.keyword === 'pattern' ? patternMeanings.get(error.params['pattern']) : undefined
  return meaning ?? error.message ?? 'is not valid'
}

/** Names the supported members if the validator passes the schema on, which Ajv does only with `verbose`. */
function describeTooFew({
  params,
  ...error
}: FastifySchemaValidationError & { parentSchema?: { properties?: object } }) {
  const members = Object.keys(error.parentSchema?.properties ?? {})
  const least = Number(params['limit'])
  if (members.length > 0) return `must have at least ${least} of these members: ${members.join(', ')}`
  return `must have at least ${count(least, 'member')} that is supported`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
