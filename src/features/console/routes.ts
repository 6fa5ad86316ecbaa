import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyReply } from 'fastify'
import type { Server } from '#foundation/http/server.ts'
import { notBuiltPage } from '#foundation/pages/not-built.ts'
import { builtFile, findPage, isCompressed, isHashed } from './built-files.ts'

/** The output folder of `npm run build:console`. */
const builtConsole = fileURLToPath(new URL('../../../web/dist', import.meta.url))

const config = { access: 'public', rateLimit: false } as const
const schema = { hide: true } as const

/** Serves the console's files under `/console/`. They are public: the console is a browser client of the API. */
export async function consoleRoutes(server: Server, dir = builtConsole): Promise<void> {
  await server.register(async (scope) => {
    // Browsers request whole files, so `Range` is ignored (RFC 9110 §14.2 allows it).
    await scope.register(fastifyStatic, { root: dir, serve: false, acceptRanges: false, preCompressed: true })
    scope.get('/', { config, schema }, (_request, reply) => reply.redirect('/console/'))
    // Relative URLs in the page need the slash; the router treats both paths as the same.
    scope.get('/console', { config, schema }, (request, reply) => {
      const [path = '', query] = request.url.split('?', 2)
      if (path.endsWith('/')) return sendPage(reply, dir)
      return reply.redirect(`/console/${query === undefined ? '' : `?${query}`}`)
    })
    scope.get('/console/*', { config, schema }, async (request, reply) => {
      const file = builtFile((request.params as { '*': string })['*'])
      return file === undefined ? sendPage(reply, dir) : sendFile(reply, file)
    })
  })
}

/** Sends a built file, cached forever: names with a digest never change their content. */
function sendFile(reply: FastifyReply, file: string): FastifyReply {
  if (isCompressed(file)) {
    reply.callNotFound()
    return reply
  }
  reply.headers({ 'content-security-policy': "default-src 'none'" })
  if (!isHashed(file)) return reply.sendFile(file, { cacheControl: false })
  return reply.sendFile(file, { immutable: true, maxAge: '365d' })
}

/** Sends the page for every other path: the program in it routes the console's own URLs. */
async function sendPage(reply: FastifyReply, dir: string): Promise<FastifyReply> {
  const page = await findPage(dir)
  reply.type('text/html; charset=utf-8')
  if (page === undefined)
    return reply.code(503).send(notBuiltPage('console', 'build:console', '<a href="/docs">API documentation</a>'))
  const nonce = randomBytes(16).toString('base64')
  return reply
    .headers({ 'content-security-policy': contentPolicy(nonce), 'cache-control': 'no-cache' })
    .send(page.replaceAll('__CSP_NONCE__', nonce).replaceAll('="./', '="/console/'))
}

/**
 * Allows only this server's files and no inline code. The component library marks the styles that it computes with the
 * nonce.
 */
function contentPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
