import { Type } from 'typebox'
import { PLAIN_JSON } from '#foundation/http/bodies/media-types.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { formatVersion, parseVersion } from '#foundation/http/versions.ts'
import { type FileAnswer, sendFile, toFileAnswer } from '#foundation/pages/file-answer.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { openApiOf } from './openapi.ts'
import { type OpenApi, operationsOf } from './openapi-document.ts'
import { documentAt, releasesOf, representativeOf } from './versioned-documents.ts'

const tags = ['Documentation']
const Document = Type.Object({ openapi: Type.String(), info: Type.Object({}), paths: Type.Object({}) })

nameSchemas({ OpenApiDocument: Document })

/** The description of the REST interface, by version. Existing clients list the versions as a health check. */
export function openApiRoutes({ now, baseUrl }: Pick<Services, 'now' | 'baseUrl'>): Routes {
  return (scope) => {
    const documents = keepDocuments(scope as Server, baseUrl)
    defineOperation(scope, {
      id: 'listVersions',
      at: 'GET /openapi',
      summary: 'Versions in which an operation was released',
      tags,
      access: 'public',
      releases: [],
      response: { 200: Type.Array(Type.String()) },
      handler: async () => documents.releases(),
    })
    defineOperation(scope, {
      id: 'getVersion',
      at: 'GET /openapi/:version',
      summary: 'Description of the REST operations that a version serves',
      description:
        'A version is a date with an optional stability, or only a stability, which stands for today’s date.',
      tags,
      access: 'public',
      releases: [],
      params: Type.Object({
        version: Type.String({
          description: 'A version from the list of versions',
          examples: ['2024-10-15'],
        }),
      }),
      response: { 200: Document },
      handler: async (request, reply) => {
        const { version } = request.params
        const { file, served } = await documents.at(version, now())
        reply.headers({ 'snyk-version-requested': version, 'snyk-version-served': served })
        return sendFile(request, reply, file)
      },
    })
  }
}

/** Generates each document on first use and caches it. */
function keepDocuments(server: Server, baseUrl: string) {
  let all: Promise<{ document: OpenApi; releases: string[] }> | undefined
  const files = new Map<string, Promise<FileAnswer>>()

  async function readAll() {
    const document = { ...(await openApiOf(server)), servers: [{ url: baseUrl }] }
    return { document, releases: releasesOf(document) }
  }

  function everything() {
    all ??= readAll()
    return all
  }

  return {
    releases: async () => (await everything()).releases,
    async at(version: string, now: number): Promise<{ file: FileAnswer; served: string }> {
      const { document, releases } = await everything()
      const representative = representativeOf(parsed(version, now), releases)
      const served = formatVersion(representative)
      let file = files.get(served)
      if (!file) {
        const described = documentAt(document, representative)
        if (!operationsOf(described).some(({ operation }) => operation['x-release'])) throw notFound(served)
        file = toFileAnswer(PLAIN_JSON, JSON.stringify(described))
        files.set(served, file)
      }
      return { file: await file, served }
    },
  }
}

function parsed(version: string, now: number) {
  try {
    return parseVersion(version, now)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem(error.code, `Invalid version: ${error.message}`, { source: { parameter: 'version' } })
  }
}

function notFound(version: string): Problem {
  return new Problem('version-not-found', `Version not found: no operation is served at ${version}`, {
    source: { parameter: 'version' },
  })
}
