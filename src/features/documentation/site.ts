import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Server } from '#foundation/http/server.ts'
import { type FileAnswer, sendFile, toFileAnswer } from '#foundation/pages/file-answer.ts'
import { type Html, html } from '#foundation/pages/html.ts'
import type { Services } from '#foundation/services.ts'
import { createDocumentationAssets } from './assets.ts'
import { errorIndex, errorPage, isProblemCode, missingPage } from './error-pages.ts'
import { guides } from './guides.ts'
import { type Page, renderPage } from './layout.ts'
import { openApiOf } from './openapi.ts'
import type { OpenApi } from './openapi-document.ts'
import { documentOfOperation, operationList } from './operation-list.ts'
import { referenceHead, referencePage } from './reference-page.ts'

const page =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** The renderer draws its icons from `data:` images and asks this server only. */
const interactivePage = `${page.replace("img-src 'self'", "img-src 'self' data:")}; script-src 'self'; connect-src 'self'`

/** The documentation for people: `/docs`. */
export function documentationSite(server: Server, { config, baseUrl }: Pick<Services, 'config' | 'baseUrl'>): void {
  server.register(
    async (scope) => {
      addPages(scope as Server, { ...config, baseUrl })
      addFiles(scope as Server, baseUrl)
      scope.setNotFoundHandler((request, reply) => sendMissing(request, reply))
    },
    { prefix: '/docs' },
  )
}

const options = { config: { access: 'public', rateLimit: false }, schema: { hide: true } } as const

function addPages(scope: Server, facts: Parameters<typeof referencePage>[0]): void {
  let operations: Promise<Html> | undefined
  scope.get('/', options, async (_request, reply) => {
    reply.header('content-security-policy', interactivePage)
    operations ??= openApiOf(scope).then(operationList)
    const content = referencePage(facts, await operations)
    return sendPage(reply, { title: 'Gatehouse', section: '/docs', content, head: referenceHead, isWide: true })
  })
  for (const { slug, title, content } of guides) {
    scope.get(`/${slug}`, options, async (_request, reply) =>
      sendPage(reply, { title, section: `/docs/${slug}`, content: html`<h1>${title}</h1>${await content(facts)}` }),
    )
  }
  scope.get('/errors', options, (_request, reply) =>
    sendPage(reply, { title: 'Errors', section: '/docs/errors', content: errorIndex(facts.baseUrl) }),
  )
  scope.get<{ Params: { code: string } }>('/errors/:code', options, (request, reply) => {
    const { code } = request.params
    if (!isProblemCode(code)) return sendMissing(request, reply)
    return sendPage(reply, { title: code, section: '/docs/errors', content: errorPage(code, facts.baseUrl) })
  })
}

function addFiles(scope: Server, baseUrl: string): void {
  const findAsset = createDocumentationAssets()
  let described: Promise<FileAnswer> | undefined
  scope.get('/openapi.json', options, async (request, reply) => {
    described ??= openApiOf(scope).then((document) => toJsonFile(document, baseUrl))
    return sendFile(request, reply, await described)
  })
  scope.get<{ Params: { id: string } }>('/operations/:id', options, async (request, reply) => {
    const id = request.params.id.replace(/\.json$/, '')
    const document = documentOfOperation(await openApiOf(scope), id)
    return document ? sendFile(request, reply, await toJsonFile(document, baseUrl)) : sendMissing(request, reply)
  })
  scope.get<{ Params: { name: string } }>('/assets/:name', options, async (request, reply) => {
    const asset = findAsset(request.params.name)
    return asset ? sendFile(request, reply, await asset) : sendMissing(request, reply)
  })
}

function sendPage(reply: FastifyReply, content: Page): FastifyReply {
  if (reply.getHeader('content-security-policy') !== interactivePage) reply.header('content-security-policy', page)
  return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(renderPage(content))
}

function sendMissing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?', 1)[0]!.slice(0, 200)
  return sendPage(reply.code(404), { title: 'No such page', section: '', content: missingPage(path) })
}

/** The document at the public address. */
function toJsonFile(document: OpenApi, baseUrl: string): Promise<FileAnswer> {
  return toFileAnswer('application/json', JSON.stringify({ ...document, servers: [{ url: baseUrl }] }))
}
