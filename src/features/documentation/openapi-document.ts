/** A JSON object that is only passed on. */
export type Json = Record<string, unknown>

export interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  parameters?: Json[]
  requestBody?: Json
  responses: Record<string, Json>
  security?: object[]
  deprecated?: boolean
  /** REST: the dated releases of the operation. */
  'x-releases'?: readonly string[]
  /** The release that a document of one version describes. */
  'x-release'?: string
  'x-permission'?: readonly string[]
  [extension: `x-${string}`]: unknown
}

export type PathItem = Record<string, Operation>

/** The parts of an OpenAPI 3.1 document that we read and write. */
export interface OpenApi {
  openapi: string
  info: { title: string; version: string; [member: string]: unknown }
  servers: { url: string; description?: string }[]
  tags: { name: string; description?: string }[]
  security: object[]
  paths: Record<string, PathItem>
  /** Events sent by the server. */
  webhooks?: Record<string, Json>
  components: Record<string, Record<string, unknown>>
}

export interface PlacedOperation {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

export function operationsOf(document: OpenApi): PlacedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )
}

/** The API style of an operation, with its media type and error format. */
export type ApiStyle = 'rest' | 'v1' | 'plain'

export function apiStyleOf(path: string): ApiStyle {
  if (path.startsWith('/rest/')) return 'rest'
  return path.startsWith('/v1/') ? 'v1' : 'plain'
}
