import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyContextConfig,
  FastifySchema,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
  RouteOptions,
} from 'fastify'
import { type TObject, type TSchema, type TString, Type } from 'typebox'
import { Uuid, Versioned } from './documents.ts'
import type { AccessRule } from './request-context.ts'
import type { Server } from './server.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A schema, or one per media type of the answer. */
type Answers = Readonly<Record<number, TSchema | { readonly description: string; readonly content: object }>>

/** The names in a path: `org_id` of `GET /orgs/:org_id/apps`. */
type NamesIn<A extends string> = A extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : A extends `${string}:${infer Name}`
    ? Name
    : never

type ParamsIn<A extends string> = TObject<{ [Name in NamesIn<A>]: TString }>

type Handler<P, Q, B, R> = RouteHandlerMethod<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  RouteGenericInterface,
  FastifyContextConfig,
  { params: P; querystring: Q; body: B; response: R },
  TypeBoxTypeProvider,
  FastifyBaseLogger
>

/** An operation of the interface: access, releases, parameters, body and answers. */
interface Operation<A, P, Q, B, R>
  extends Omit<FastifyContextConfig, 'access'>,
    Omit<FastifySchema, 'params' | 'querystring' | 'body' | 'response'>,
    Pick<RouteOptions, 'bodyLimit' | 'validatorCompiler' | 'preValidation'> {
  /** The operationId: names the operation in documentation and generated clients. */
  readonly id: string
  readonly at: A
  readonly access: AccessRule
  /** Parameters of the path; by default ids under REST (`org_id`) and any text elsewhere (`orgId`). */
  readonly params?: P
  /** By default `version` for an operation with releases. */
  readonly query?: Q
  readonly body?: B
  readonly response: R
  readonly handler: Handler<P, Q, B, R>
}

/** Adds an operation to a scope. Features declare operations only with this function. */
export function defineOperation<
  const A extends `${Method} ${string}`,
  Q extends TSchema,
  B extends TSchema,
  const R extends Answers,
  P extends TSchema = ParamsIn<A>,
>(scope: Server, operation: Operation<A, P, Q, B, R>): void {
  const { id, at, params, query, body, response, handler, bodyLimit, validatorCompiler, preValidation, ...rest } =
    operation
  const [method = '', url = ''] = at.split(' ')
  const {
    access,
    releases,
    deprecation,
    formerNames,
    largeMember,
    bytesOf,
    takesForm,
    mediaTypes,
    limitPerAddress,
    rateLimit,
    ...texts
  } = rest as typeof rest & { rateLimit?: unknown }
  const config = {
    access,
    releases,
    deprecation,
    formerNames,
    largeMember,
    bytesOf,
    takesForm,
    mediaTypes,
    limitPerAddress,
    rateLimit,
  }
  const querystring = query ?? (releases && releases.length > 0 ? Versioned : undefined)
  scope.route({
    method,
    url,
    ...present({ bodyLimit, validatorCompiler, preValidation }),
    config: present(config),
    schema: {
      operationId: id,
      ...texts,
      ...present({ params: params ?? paramsOf(url), querystring, body }),
      response,
    },
    handler: handler as RouteHandlerMethod,
  } as unknown as Parameters<Server['route']>[0])
}

/** Removes undefined members, which Fastify would take for values. */
function present<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>
}

function paramsOf(url: string): TSchema | undefined {
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  if (names.length === 0) return undefined
  const isId = (name: string) => name === 'id' || name.includes('_')
  return Type.Object(Object.fromEntries(names.map((name) => [name, isId(name) ? Uuid : Type.String()])))
}
