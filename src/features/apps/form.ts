import type { FastifySchema, FastifySchemaCompiler } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'
import type { AttributesAt } from '#features/credentials/limits.ts'
import { SecretsAttributes } from '#features/credentials/secrets-request.ts'
import type { Db } from '#foundation/db/database.ts'
import type { Deprecation } from '#foundation/http/request-context.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import type { Server } from '#foundation/http/server.ts'
import {
  App,
  AppSecrets,
  ChangedApp,
  ChangedAttributes,
  DeprecatedApp,
  DeprecatedNewAttributes,
  NewApp,
  type Shown,
  toDeprecatedResource,
  toResource,
  wrapped,
} from './resource.ts'
import { type AppRow, getApp, getAppByClientId } from './store.ts'

/** Differences between the current and the deprecated app operations: paths, bodies, releases. */
export interface AppForm {
  /** Ends operation ids. */
  readonly suffix: '' | 'Deprecated'
  /** Path of the list, as routes spell it. */
  readonly path: string
  /** The parameter that names one app. */
  readonly idName: 'app_id' | 'client_id'
  readonly releases: readonly string[]
  /** Returns the successor of the operations at a path below the list. */
  deprecation(below: '' | '/:app_id' | '/:app_id/secrets'): Deprecation | undefined
  readonly App: TSchema
  readonly NewApp: TSchema
  readonly ChangedApp: TSchema
  readonly AppSecrets: TSchema
  /** The app that a path names; throws 404. */
  getApp(db: Db, orgId: string, id: string): Promise<AppRow>
  /** The id by which the paths name the app. */
  idOf(app: AppRow): string
  toResource(app: AppRow, shown?: Shown): Static<typeof App> | Static<typeof DeprecatedApp>
}

const current: AppForm = {
  suffix: '',
  path: '/orgs/:org_id/apps/creations',
  idName: 'app_id',
  releases: ['2023-06-19~experimental', '2023-11-03'],
  deprecation: () => undefined,
  App,
  NewApp,
  ChangedApp,
  AppSecrets,
  getApp,
  idOf: ({ id }) => id,
  toResource,
}

const WrappedNewApp = wrapped(DeprecatedNewAttributes)
const WrappedChangedApp = wrapped(ChangedAttributes)
nameSchemas({ WrappedNewApp, WrappedChangedApp })

const deprecated: AppForm = {
  suffix: 'Deprecated',
  path: '/orgs/:org_id/apps',
  idName: 'client_id',
  releases: ['2022-03-11'],
  deprecation: (below) => ({
    since: '2023-11-03T00:00:00Z',
    sunset: '2024-07-17',
    replacement: `\`/orgs/{org_id}/apps/creations${below.replace(':app_id', '{app_id}')}\``,
  }),
  App: DeprecatedApp,
  // Accepts flat bodies, and the wrapped bodies that were once published for these paths.
  NewApp: Type.Union([DeprecatedNewAttributes, WrappedNewApp]),
  ChangedApp: Type.Union([ChangedAttributes, WrappedChangedApp]),
  AppSecrets: Type.Union([SecretsAttributes, AppSecrets]),
  getApp: getAppByClientId,
  idOf: ({ client_id, id }) => client_id ?? id,
  toResource: toDeprecatedResource,
}

export const forms: readonly AppForm[] = [current, deprecated]

/** Returns the attributes of a flat or wrapped body, and their location. */
export function attributesOf<A>(body: unknown): { attributes: A; at: AttributesAt } {
  return isWrapped(body)
    ? { attributes: body.data.attributes as A, at: '/data/attributes' }
    : { attributes: body as A, at: '' }
}

function isWrapped(body: unknown): body is { data: { attributes: unknown } } {
  return typeof body === 'object' && body !== null && 'data' in body
}

/**
 * Validates a body that may be flat or wrapped with the schema of its form, which `data` determines, so that the errors
 * are those of one form and not of both.
 */
export function validateForm(scope: Server): FastifySchemaCompiler<FastifySchema> {
  return (route) => {
    const compile = scope.validatorCompiler!
    const { anyOf } = route.schema as { anyOf?: readonly [flat: FastifySchema, wrapped: FastifySchema] }
    if (route.httpPart !== 'body' || !anyOf) return compile(route)
    const [flat, wrapped] = [compile({ ...route, schema: anyOf[0] }), compile({ ...route, schema: anyOf[1] })]
    const validate: ReturnType<typeof compile> = (body) => {
      const chosen = isWrapped(body) ? wrapped : flat
      const isValid = chosen(body)
      validate.errors = chosen.errors ?? null
      return isValid
    }
    return validate
  }
}
