import type { FastifyInstance } from 'fastify'

/** Returns the path of the public address: `/gatehouse` for `https://gate.example/gatehouse`, else nothing. */
export function basePathOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/+$/, '')
}

/** Returns the path and query of a request target, which may be an absolute URL (RFC 9112 §3.2.2). */
export function toOriginForm(target: string): string {
  const rest = /^https?:\/\/[^/?#]*(.*)$/is.exec(target)?.[1]
  if (rest === undefined) return target
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Returns the path without the base path, whether or not a proxy removed it. */
export function withoutBasePath(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : url
}

/**
 * Prepends the base path to all paths in pages and redirects, which name paths from the root. Escaped quotes keep
 * foreign text from looking like such an attribute.
 */
export function writeBelow(server: FastifyInstance, basePath: string): void {
  if (basePath === '') return
  server.addHook('onSend', (_request, reply, payload, done) => {
    const location = reply.getHeader('location')
    if (typeof location === 'string') reply.header('location', below(location, basePath))
    const isPage = typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html')
    done(null, isPage ? linksBelow(payload, basePath) : payload)
  })
}

/** Returns a page whose paths from the root are below the base path. */
export function linksBelow(page: string, basePath: string): string {
  if (basePath === '') return page
  return page.replace(
    /( (?:href|src|action)="|content="0; url=)(\/[^"]*)/g,
    (_, before: string, path: string) => before + below(path, basePath),
  )
}

function below(path: string, basePath: string): string {
  const isOurs = path.startsWith('/') && !path.startsWith('//')
  return isOurs && path !== basePath && !path.startsWith(`${basePath}/`) ? `${basePath}${path}` : path
}
