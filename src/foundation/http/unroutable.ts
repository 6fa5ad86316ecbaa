import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'
import { securityHeaders } from './browser/security-headers.ts'
import { toProblem } from './faults.ts'
import { toErrorDocument } from './json-api.ts'
import { toOAuthError } from './oauth-forms.ts'
import { toPlainError } from './plain-json.ts'

/** Answers a URL that cannot be routed, which Fastify refuses before any scope or hook. */
export function answerUnroutable(baseUrl: string) {
  const spellings = { '/rest/': toErrorDocument(baseUrl), '/oauth2/': toOAuthError(baseUrl) }
  return (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = toProblem(error) ?? new Problem('invalid-request', 'The path is longer than this server accepts')
    const spell = Object.entries(spellings).find(([prefix]) => request.raw.url?.startsWith(prefix))?.[1] ?? toPlainError
    reply
      .code(problem.status)
      .headers({ ...securityHeaders, 'snyk-request-id': request.id })
      .type('application/json; charset=utf-8')
      .send(spell(problem, request.id))
  }
}
