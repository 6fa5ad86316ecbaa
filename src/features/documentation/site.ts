import { fileURLToPath } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { basePathOf } from '#foundation/http/base-path.ts'
import type { Server } from '#foundation/http/server.ts'
import { type FileAnswer, sendFile, toFileAnswer } from '#foundation/pages/file-answer.ts'
import { notBuiltPage } from '#foundation/pages/not-built.ts'
import type { Services } from '#foundation/services.ts'
import { type BuiltSite, openBuiltSite } from './built-site.ts'
import { openApiOf } from './openapi.ts'
import type { OpenApi } from './openapi-document.ts'
import { documentOfOperation } from './operation-document.ts'

/** The output folder of `npm run build:docs`. */
const builtSite = fileURLToPath(new URL('../../../docs/dist', import.meta.url))

/** Scripts of this server search the pages and copy code; nothing is inline and nothing leaves this server. */
const page =
  "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** The policy of the page that renders operations, which draws icons from `data:` images. */
const interactivePage = page.replace("img-src 'self'", "img-src 'self' data:")
const INTERACTIVE = /^api\/?$/

const options = { config: { access: 'public', rateLimit: false }, schema: { hide: true } } as const

/** The documentation site under `/docs`: generated pages, and the OpenAPI document of this server. */
export function documentationSite(
  server: Server,
  { config, baseUrl }: Pick<Services, 'config' | 'baseUrl'>,
  folder = builtSite,
): void {
  const site = openBuiltSite({ folder, facts: { ...config, baseUrl }, basePath: basePathOf(baseUrl) })
  server.register(
    async (scope) => {
      addDescriptions(scope as Server, baseUrl, site)
      scope.get('/', options, (request, reply) => sendPage(request, reply, site))
      scope.get('/*', options, (request, reply) => sendPage(request, reply, site))
    },
    { prefix: '/docs' },
  )
}

function addDescriptions(scope: Server, baseUrl: string, site: BuiltSite): void {
  let described: Promise<FileAnswer> | undefined
  scope.get('/openapi.json', options, async (request, reply) => {
    described ??= openApiOf(scope).then((document) => toJsonFile(document, baseUrl))
    return sendFile(request, reply, await described)
  })
  scope.get<{ Params: { id: string } }>('/operations/:id', options, async (request, reply) => {
    const id = request.params.id.replace(/\.json$/, '')
    const document = documentOfOperation(await openApiOf(scope), id)
    return document ? sendFile(request, reply, await toJsonFile(document, baseUrl)) : sendMissing(request, reply, site)
  })
}

async function sendPage(request: FastifyRequest, reply: FastifyReply, site: BuiltSite): Promise<FastifyReply> {
  const path = (request.params as { '*'?: string })['*'] ?? ''
  const file = await site.find(path)
  if (file === undefined) return sendMissing(request, reply, site)
  reply.header('content-security-policy', INTERACTIVE.test(path) ? interactivePage : page)
  return sendFile(request, reply, file)
}

async function sendMissing(request: FastifyRequest, reply: FastifyReply, site: BuiltSite): Promise<FastifyReply> {
  reply.header('content-security-policy', page)
  const file = await site.find('404.html')
  if (file !== undefined) return sendFile(request, reply.code(404), file)
  return reply
    .code(503)
    .type('text/html; charset=utf-8')
    .send(
      notBuiltPage(
        'documentation',
        'build:docs',
        'The Markdown of the pages is in the folder <code>docs/guides</code>.',
      ),
    )
}

/** Returns the document with the server's public address. */
function toJsonFile(document: OpenApi, baseUrl: string): Promise<FileAnswer> {
  return toFileAnswer('application/json', JSON.stringify({ ...document, servers: [{ url: baseUrl }] }))
}
