import { type Static, Type } from 'typebox'
import type { Credentials } from '../credentials.ts'
import {
  Branch,
  below,
  connected,
  gitCredentialsOf,
  memberOf,
  requireAnswer,
  requireOk,
  segment,
  TOKEN,
  toBranch,
  toHosted,
} from '../hosted.ts'
import { defineKind, type SourceContext } from '../integration-kind.ts'

const OWN = 'https://github.com'
const API_OF_OWN = 'https://api.github.com'

export const OwnerAndName = Type.Object({
  owner: segment('User or organization'),
  name: segment('Repository'),
  branch: Type.Optional(Branch),
})
type OwnerAndName = Static<typeof OwnerAndName>

export const github = githubOf({
  id: 'github',
  title: 'GitHub',
  description: 'Repositories of github.com, or of a server that the base URL names',
  baseUrl: 'optional',
  ownBaseUrl: OWN,
})

export const githubEnterprise = githubOf({
  id: 'github-enterprise',
  title: 'GitHub Enterprise',
  description: 'Repositories of a GitHub Enterprise server; the base URL is that of its web pages',
  baseUrl: 'required',
  ownBaseUrl: '',
})

interface Edition {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly baseUrl: 'optional' | 'required'
  readonly ownBaseUrl: string
}

/** GitHub's REST API, "Authenticating to the REST API" and "Get the authenticated user". */
function githubOf(edition: Edition) {
  return defineKind({
    ...edition,
    credentials: TOKEN,
    Target: OwnerAndName,
    check: ({ owner, name, branch }: OwnerAndName) => ({
      name: `${owner}/${name}`,
      branch: toBranch(branch),
      target: { owner, name: name.replace(/\.git$/, '') || name, branch: toBranch(branch) },
    }),
    async locate(context, { owner, name }) {
      const webUrl = below(webOf(context), owner, name)
      const repository = { kind: edition.id, displayName: `${owner}/${name}`, cloneUrl: `${webUrl}.git`, webUrl }
      return toHosted(repository, context.credentials && toGitCredentials(context.credentials))
    },
    async test(context) {
      const { credentials } = context
      if (credentials === undefined) {
        const answer = await context.ask(apiOf(context))
        requireOk(answer, 'its API')
        requireAnswer(answer, 'current_user_url', 'GitHub')
        return connected(context, undefined)
      }
      const answer = await context.ask(`${apiOf(context)}/user`, { authorization: `Bearer ${credentials.token}` })
      requireOk(answer, 'the user of the token')
      requireAnswer(answer, 'login', 'GitHub')
      return connected(context, memberOf(answer.json, 'login'))
    },
  })
}

function toGitCredentials(credentials: Credentials) {
  return gitCredentialsOf(credentials, 'x-access-token')
}

/** Returns the address of the web pages: users also enter that of the API. */
function webOf({ baseUrl }: SourceContext): string {
  return baseUrl.replace(/\/api(\/v3)?$/, '')
}

function apiOf(context: SourceContext): string {
  const web = webOf(context)
  return web === OWN ? API_OF_OWN : `${web}/api/v3`
}
