import type { PyPiContent } from './pypi-content.ts'
import { answerOfIndex } from './pypi-server.ts'
import { startRegistryServer } from './registry-server.ts'

/** A Python package index on loopback. */
export function startPyPiIndex(content: PyPiContent) {
  return startRegistryServer((request, response) => {
    const body = answerOfIndex(content, request.url!)
    if (body === undefined) return response.writeHead(404).end()
    return response.writeHead(200, { 'content-type': 'application/vnd.pypi.simple.v1+json' }).end(body)
  })
}
