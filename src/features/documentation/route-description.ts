import type { FastifyContextConfig, FastifySchema } from 'fastify'
import { JSON_API } from '#foundation/http/bodies/media-types.ts'
import type { AccessRule, Deprecation } from '#foundation/http/request-context.ts'
import { apiStyleOf } from './openapi-document.ts'

interface DescribedRoute {
  readonly url: string
  readonly schema: FastifySchema
  readonly config: FastifyContextConfig
}

/** Adds the facts of a route's configuration to its schema: access, releases and deprecation. */
export function describeRoute({ url, schema, config }: DescribedRoute): FastifySchema {
  const { access, releases, deprecation } = config
  const isJsonApi = apiStyleOf(url) === 'rest' && releases !== undefined && releases.length > 0
  const description = [schema.description, sentenceOf(access), deprecation && warningOf(deprecation)]
    .filter((part) => part)
    .join('\n\n')
  return {
    // A route with another media type states it in its own schema.
    ...(isJsonApi && { produces: [JSON_API], consumes: [JSON_API] }),
    ...schema,
    ...(description !== '' && { description }),
    ...(access === 'public' && { security: [] }),
    ...(access && { 'x-permission': permissionsOf(access) }),
    ...(isJsonApi && { 'x-releases': releases }),
    ...(deprecation && {
      deprecated: true,
      'x-deprecated-since': deprecation.since,
      'x-sunset': deprecation.sunset,
      'x-replacement': deprecation.replacement,
    }),
  }
}

function permissionsOf(access: AccessRule): readonly string[] {
  if (typeof access === 'string') return []
  if ('org' in access) return access.org
  return 'group' in access ? access.group : access.orgOfQuery
}

function sentenceOf(access: AccessRule | undefined): string | undefined {
  if (access === undefined) return undefined
  if (access === 'public') return 'Needs no credential.'
  if (access === 'signed-in') return 'Needs a credential, but no permission.'
  if (access === 'in-person') return 'Needs a user’s own credential; service accounts and tokens of apps are refused.'
  const names = permissionsOf(access).map((name) => `\`${name}\``)
  if (names.length === 0) return `Needs membership in the ${placeOf(access)}.`
  return `Needs ${names.join(', ')} in the ${placeOf(access)}.`
}

function placeOf(access: Exclude<AccessRule, string>): string {
  if ('org' in access) return 'organization of the path'
  return 'group' in access ? 'group of the path' : 'organization named by `org`, or in the default organization'
}

function warningOf({ since, sunset, replacement }: Deprecation): string {
  return `**Deprecated** since ${since.slice(0, 10)}, served at least until ${sunset}. Use ${replacement} instead.`
}
