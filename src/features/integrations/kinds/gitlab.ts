import { type Static, Type } from 'typebox'
import { Problem } from '#foundation/problem.ts'
import {
  Branch,
  below,
  connected,
  gitCredentialsOf,
  memberOf,
  requireAnswer,
  requireOk,
  TOKEN,
  toBranch,
  toHosted,
} from '../hosted.ts'
import { defineKind, type SourceContext } from '../integration-kind.ts'

const Target = Type.Object({
  id: Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[1-9]\\d{0,17}$' })], {
    description: 'The number of the project',
  }),
  branch: Type.Optional(Branch),
})
type Target = Static<typeof Target>

const PATH = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w.-]+(?:\/[\w.-]+)+$/u

/** GitLab's REST API, "Projects API" and "Personal access tokens". */
export const gitlab = defineKind({
  id: 'gitlab',
  title: 'GitLab',
  description: 'Projects of gitlab.com, or of a server that the base URL names',
  credentials: TOKEN,
  baseUrl: 'optional',
  ownBaseUrl: 'https://gitlab.com',
  Target,
  check({ id, branch }: Target) {
    const target = { id: String(id), branch: toBranch(branch) }
    return { name: `project ${target.id}`, branch: target.branch, target: target }
  },
  async locate(context, { id }) {
    const answer = await context.ask(`${apiOf(context)}/projects/${id}`, tokenOf(context))
    requireOk(answer, `the project ${id}`)
    const path = memberOf(answer.json, 'path_with_namespace')
    if (typeof path !== 'string' || !PATH.test(path))
      throw new Problem('repository-unreadable', `The source returned no URL for project ${id}`)
    const webUrl = below(webOf(context), ...path.split('/'))
    const identity = `${webOf(context)} ${id}`
    const repository = { kind: 'gitlab', displayName: path, cloneUrl: `${webUrl}.git`, webUrl, identity }
    return toHosted(repository, context.credentials && gitCredentialsOf(context.credentials, 'oauth2'))
  },
  async test(context) {
    const isOpen = context.credentials === undefined
    const answer = await context.ask(`${apiOf(context)}/${isOpen ? 'projects?per_page=1' : 'user'}`, tokenOf(context))
    requireOk(answer, isOpen ? 'its projects' : 'the user of the token')
    requireAnswer(answer, isOpen ? undefined : 'username', 'GitLab')
    return connected(context, memberOf(answer.json, 'username'))
  },
})

function webOf({ baseUrl }: SourceContext): string {
  return baseUrl.replace(/\/api(\/v4)?$/, '')
}

function apiOf(context: SourceContext): string {
  return `${webOf(context)}/api/v4`
}

function tokenOf({ credentials }: SourceContext): Record<string, string> {
  return credentials?.token === undefined ? {} : { 'private-token': credentials.token }
}
