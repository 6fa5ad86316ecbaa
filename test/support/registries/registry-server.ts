import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { serveHttp } from '../servers/local-server.ts'

/** A registry on loopback that can be made to fail. */
export interface RegistryServer {
  readonly url: string
  /** Requested paths, including failed ones. */
  readonly paths: readonly string[]
  /** Sets the status of all further answers; 200 serves the content. */
  answerWith(status: number): void
  close(): Promise<void>
}

export async function startRegistryServer(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<RegistryServer> {
  let status = 200
  const paths: string[] = []
  const answer: RequestListener = (request, response) => {
    paths.push(request.url!)
    if (status === 200) listener(request, response)
    else response.writeHead(status).end()
  }
  const server = await serveHttp(answer)
  return {
    url: server.url,
    paths,
    answerWith(code) {
      status = code
    },
    close: async () => server[Symbol.asyncDispose](),
  }
}
