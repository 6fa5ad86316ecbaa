import { readFileSync, writeFileSync } from 'node:fs'
import type { FastifySchema, RouteOptions } from 'fastify'
import { routesOf } from '#features/documentation/openapi.ts'
import { onServer } from './generate-openapi.ts'

const source = new URL('../openapi.json', import.meta.url)
const folder = new URL('../src/client/api/', import.meta.url)
const consoleFolder = new URL('../web/api/', import.meta.url)

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  /** The package managers that a choice is among, each with the files that it reads. */
  readonly 'x-formats'?: readonly {
    readonly id: string
    readonly label: string
    readonly registry?: string
    readonly files: readonly string[]
  }[]
  /** The registries of their packages. */
  readonly 'x-registries'?: readonly {
    readonly name: string
    readonly purlType: string
    readonly separator?: string
  }[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly patternProperties?: Readonly<Record<string, Schema>>
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Parameter {
  readonly $ref?: string
  readonly in: string
  readonly name: string
  readonly schema: Schema
}

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Answer | Reference>>
}

interface Reference {
  readonly $ref: string
}

interface Answer {
  readonly content?: Content
}

const HEADER = '// Made by tools/generate-client.ts.'

export interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Answer>>
  }
}

/**
 * Generates the request and response types of each operation, and its method and path. Written here because known
 * generators need the compiler's former programming interface. The paths are a file of their own: types are erased.
 */
export function toClientFiles(document: Described): Readonly<Record<string, string>> {
  return {
    ...toOperationFiles(document, ''),
    'test-formats.generated.ts': [
      HEADER,
      '/** The package managers whose projects are tested, each with the files that are read, and the registry of its packages if there is one. */',
      `export const testFormats = [\n${testFormats(document).join('\n')}\n] as const\n`,
      '/** The registries with advisories: the type of their package URLs, and the mark between namespace and name. */',
      `export const registries = [\n${registriesIn(document).join('\n')}\n] as const\n`,
    ].join('\n'),
  }
}

/** Generates the same for operations that only the console calls, which are not part of the published interface. */
export function toConsoleFiles(routes: readonly RouteOptions[]): Readonly<Record<string, string>> {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const { method, url, schema } of routes) {
    if (!schema?.hide || schema.operationId === undefined) continue
    const path = url.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][String(method).toLowerCase()] = toOperation(schema, path)
  }
  return toOperationFiles({ paths, components: { parameters: {}, schemas: {}, responses: {} } }, 'console-')
}

function toOperation({ operationId = '', querystring, body, response }: FastifySchema, path: string): Operation {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ in: 'path', name: name!, schema: {} }))
  const inQuery = Object.entries((querystring as Schema | undefined)?.properties ?? {})
  const toContent = (schema: unknown) => ({ content: { json: { schema: schema as Schema } } })
  const answers = Object.entries((response ?? {}) as Record<string, unknown>)
  return {
    operationId,
    parameters: [...inPath, ...inQuery.map(([name, schema]) => ({ in: 'query', name, schema }))],
    ...(body !== undefined && { requestBody: toContent(body) }),
    responses: Object.fromEntries(answers.map(([status, schema]) => [status, toContent(schema)])),
  }
}

function toOperationFiles(document: Described, prefix: '' | 'console-') {
  const Operations = prefix === '' ? 'Operations' : 'ConsoleOperations'
  const operations = Object.entries(document.paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
    .sort((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1))
  const types = operations.map(({ path, method, operation }) =>
    [
      `  /** ${[operation.summary, `(${method.toUpperCase()} ${path})`].filter(Boolean).join(' ')} */`,
      `  '${operation.operationId}': ${operationType(operation, document)}`,
    ].join('\n'),
  )
  const paths = operations.map(
    ({ path, method, operation }) => `  '${operation.operationId}': ['${method.toUpperCase()}', '${path}'],`,
  )
  const schemaTypes = Object.entries(document.components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)}\n`,
  )
  return {
    [`${prefix}operations.generated.ts`]: [
      HEADER,
      schemaTypes.join(''),
      '/** Path parameters, query, body and answer of each operation. */',
      `export interface ${Operations} {\n${types.join('\n')}\n}\n`,
    ].join('\n'),
    [`${prefix}paths.generated.ts`]: [
      HEADER,
      `import type { ${Operations} } from './${prefix}operations.generated.ts'\n`,
      '/** Method and path of each operation. */',
      `export const ${prefix === '' ? 'paths' : 'consolePaths'}: Record<keyof ${Operations}, readonly [method: string, path: string]> = {\n${paths.join('\n')}\n}\n`,
    ].join('\n'),
  }
}

/** Returns the package managers that the test of files chooses from. */
function testFormats(document: Described): string[] {
  return (choiceOfManagers(document)?.['x-formats'] ?? []).map(({ id, label, registry, files }) => {
    const names = `files: [${files.map((file) => `'${file}'`).join(', ')}]`
    return `  { id: '${id}', label: '${label}', ${registry === undefined ? '' : `registry: '${registry}', `}${names} },`
  })
}

function registriesIn(document: Described): string[] {
  return (choiceOfManagers(document)?.['x-registries'] ?? []).map(
    ({ name, purlType, separator = '' }) =>
      `  { name: '${name}', purlType: '${purlType}', separator: '${separator}' },`,
  )
}

function choiceOfManagers({ paths }: Described): Schema | undefined {
  return paths['/v1/test/files']?.['post']?.parameters?.find(({ name }) => name === 'packageManager')?.schema
}

function operationType(operation: Operation, document: Described): string {
  const parameters = (operation.parameters ?? []).map((parameter) =>
    parameter.$ref === undefined ? parameter : document.components.parameters[nameOf({ $ref: parameter.$ref })]!,
  )
  // The client adds the version itself.
  const schemaTypes = (place: string) =>
    parameters.filter((parameter) => parameter.in === place && parameter.name !== 'version')
  const query = schemaTypes('query').map(({ name, schema }) => `${member(name)}?: ${typeOf(schema)} | undefined`)
  const answers = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, answer]) => contentType(answerOf(answer, document).content))
  return braced([
    `params: ${braced(schemaTypes('path').map(({ name }) => `${member(name)}: string`))}`,
    `query: ${braced(query)}`,
    `body: ${contentType(operation.requestBody?.content)}`,
    `answer: ${[...new Set(answers)].join(' | ') || 'undefined'}`,
  ])
}

function answerOf(answer: Answer | Reference, { components }: Described): Answer {
  return '$ref' in answer ? components.responses[nameOf(answer)]! : answer
}

function nameOf({ $ref }: Reference): string {
  return $ref.split('/').at(-1)!
}

function contentType(content: Content | undefined): string {
  const [first] = Object.values(content ?? {})
  return first === undefined ? 'undefined' : typeOf(first.schema)
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf({ $ref: schema.$ref })
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')
  switch (schema.type) {
    case 'array':
      return schema.items ? `(${typeOf(schema.items)})[]` : 'unknown[]'
    case 'object':
      return objectType(schema)
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    default:
      return 'unknown'
  }
}

function objectType({ properties, required = [], additionalProperties, patternProperties = {} }: Schema): string {
  if (properties) {
    const members = Object.entries(properties).map(
      ([name, schema]) => `${member(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
    )
    return braced(members)
  }
  const [values = additionalProperties] = Object.values(patternProperties)
  return `Record<string, ${typeof values === 'object' ? typeOf(values) : 'unknown'}>`
}

function member(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
}

function braced(members: readonly string[]): string {
  return members.length === 0 ? 'Record<never, never>' : `{ ${members.join('; ')} }`
}

if (import.meta.main) {
  const files = toClientFiles(JSON.parse(readFileSync(source, 'utf8')) as Described)
  const ofConsole = toConsoleFiles(await onServer(async (server) => routesOf(server)))
  for (const [name, text] of Object.entries(files)) writeFileSync(new URL(name, folder), text)
  for (const [name, text] of Object.entries(ofConsole)) writeFileSync(new URL(name, consoleFolder), text)
}
