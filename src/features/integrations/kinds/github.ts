import type { Static } from 'typebox'
import {
  below,
  checkOwnerAndName,
  connected,
  gitCredentialsOf,
  memberOf,
  OwnerAndName,
  requireAnswer,
  requireOk,
  TOKEN,
  toHosted,
} from '../hosted.ts'
import { defineKind, type IntegrationKind, type SourceContext } from '../integration-kind.ts'

const OWN = 'https://github.com'
const API_OF_OWN = 'https://api.github.com'

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

/** GitHub's REST API, "Authenticating to the REST API" and "Get the authenticated user". */
function githubOf(edition: Pick<IntegrationKind, 'id' | 'title' | 'description' | 'baseUrl' | 'ownBaseUrl'>) {
  return defineKind({
    ...edition,
    credentials: TOKEN,
    Target: OwnerAndName,
    check(target: Static<typeof OwnerAndName>) {
      const repository = checkOwnerAndName(target)
      const name = target.name.replace(/\.git$/, '') || target.name
      return { ...repository, target: { ...repository.target, name } }
    },
    async locate(context, { owner, name }) {
      const webUrl = below(webOf(context), owner, name)
      const repository = { kind: edition.id, displayName: `${owner}/${name}`, cloneUrl: `${webUrl}.git`, webUrl }
      return toHosted(repository, context.credentials && gitCredentialsOf(context.credentials, 'x-access-token'))
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

/** Returns the address of the web pages: users also enter that of the API. */
function webOf({ baseUrl }: SourceContext): string {
  return baseUrl.replace(/\/api(\/v3)?$/, '')
}

function apiOf(context: SourceContext): string {
  const web = webOf(context)
  return web === OWN ? API_OF_OWN : `${web}/api/v3`
}
