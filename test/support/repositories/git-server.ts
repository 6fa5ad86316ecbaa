import { spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname } from 'node:path'
import { type LocalServer, serveHttp } from '../servers/local-server.ts'

export interface GitServerSettings {
  /** `user:password` that every request must carry. */
  readonly login?: string
  /** True if it supports partial clones (default) and serves single objects. */
  readonly hasFilter?: boolean
  /** `0` answers as old servers do, whatever git asks for. */
  readonly protocol?: string
  /** Answers instead of git: returns true when it did. */
  readonly before?: (request: IncomingMessage, response: ServerResponse) => boolean
}

export interface GitServer extends LocalServer {
  /** Method, path and user of what was asked for. */
  readonly requests: { readonly method: string; readonly path: string; readonly login: string | undefined }[]
}

/** Smart HTTP (gitprotocol-http(5)) on loopback: the folder that holds a bare repository, served by git's own backend. */
export async function serveGit(repository: string, settings: GitServerSettings = {}): Promise<GitServer> {
  const { login, hasFilter = true, protocol = '2', before } = settings
  const requests: GitServer['requests'] = []
  const server = await serveHttp((request, response) => {
    const url = new URL(request.url!, 'http://server')
    const sent = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const sentLogin = sent === undefined ? undefined : Buffer.from(sent, 'base64').toString()
    requests.push({ method: request.method!, path: url.pathname, login: sentLogin })
    if (before?.(request, response)) return
    if (login !== undefined && sentLogin !== login) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    runBackend({ root: dirname(repository), url, hasFilter, protocol }, request, response)
  })
  return { ...server, requests, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

interface Backend {
  readonly root: string
  readonly url: URL
  readonly hasFilter: boolean
  readonly protocol: string
}

/** RFC 3875, as far as git-http-backend(1) needs it. */
function runBackend(
  { root, url, hasFilter, protocol }: Backend,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const backend = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      PATH: process.env['PATH']!,
      HOME: root,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'uploadpack.allowFilter',
      GIT_CONFIG_VALUE_0: String(hasFilter),
      GIT_CONFIG_KEY_1: 'safe.directory',
      GIT_CONFIG_VALUE_1: '*',
      GIT_PROTOCOL: protocol === '0' ? '' : String(request.headers['git-protocol'] ?? ''),
      REQUEST_METHOD: request.method!,
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
      REMOTE_ADDR: '127.0.0.1',
    },
  })
  request.pipe(backend.stdin.on('error', () => {}))
  response.on('close', () => backend.kill())
  let head: Buffer | undefined = Buffer.alloc(0)
  backend.stdout.on('data', (chunk: Buffer) => {
    if (head === undefined) return void response.write(chunk)
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    const lines = head.toString('latin1', 0, end).split('\r\n')
    const headers = lines.map((line) => /^([^:]+): *(.*)$/.exec(line)!.slice(1, 3) as [string, string])
    const status = headers.find(([name]) => name.toLowerCase() === 'status')?.[1] ?? '200'
    response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers))
    const body = head.subarray(end + 4)
    head = undefined
    response.write(body)
  })
  backend.stdout.on('end', () => response.end())
}
