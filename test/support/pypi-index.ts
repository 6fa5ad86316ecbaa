import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PyPiContent } from './pypi-content.ts'
import { answerOfIndex } from './pypi-server.ts'

/** A Python package index on loopback. */
export async function startPyPiIndex(content: PyPiContent) {
  let status = 200
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url!)
    if (status !== 200) return response.writeHead(status).end()
    const body = answerOfIndex(content, request.url!)
    if (body === undefined) return response.writeHead(404).end()
    return response.writeHead(200, { 'content-type': 'application/vnd.pypi.simple.v1+json' }).end(body)
  })
  // A test that fails before closing must not keep the process.
  server.unref()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    /** What every further request is answered with. */
    answerWith(code: number) {
      status = code
    },
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
