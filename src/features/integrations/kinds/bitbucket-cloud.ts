import {
  below,
  checkOwnerAndName,
  connected,
  gitCredentialsOf,
  LOGIN_OR_TOKEN,
  memberOf,
  OwnerAndName,
  requireAnswer,
  requireOk,
  toAuthorization,
  toHosted,
} from '../hosted.ts'
import { defineKind, type SourceContext } from '../integration-kind.ts'

const OWN = 'https://bitbucket.org'
const API_OF_OWN = 'https://api.bitbucket.org'
const TOKEN_USER = 'x-token-auth'

/** Bitbucket Cloud's REST API 2.0, "Authentication methods" and "Users". */
export const bitbucketCloud = defineKind({
  id: 'bitbucket-cloud',
  title: 'Bitbucket Cloud',
  description: 'Repositories of bitbucket.org; a username with an app password, or an access token',
  credentials: LOGIN_OR_TOKEN,
  baseUrl: 'optional',
  ownBaseUrl: OWN,
  Target: OwnerAndName,
  check: checkOwnerAndName,
  async locate(context, { owner, name }) {
    const webUrl = below(context.baseUrl, owner, name)
    const repository = { kind: 'bitbucket-cloud', displayName: `${owner}/${name}`, cloneUrl: `${webUrl}.git`, webUrl }
    return toHosted(repository, context.credentials && gitCredentialsOf(context.credentials, TOKEN_USER))
  },
  async test(context) {
    const { credentials } = context
    const path = credentials === undefined ? 'repositories?pagelen=1' : 'user'
    const answer = await context.ask(`${apiOf(context)}/2.0/${path}`, toAuthorization(credentials, TOKEN_USER))
    // A repository's access token belongs to no user, so Bitbucket answers 403.
    if (credentials?.token !== undefined && answer.status === 403) return connected(context, undefined)
    requireOk(answer, 'its API')
    requireAnswer(answer, credentials === undefined ? 'values' : 'username', 'Bitbucket')
    return connected(context, memberOf(answer.json, 'username'))
  },
})

function apiOf({ baseUrl }: SourceContext): string {
  return baseUrl === OWN ? API_OF_OWN : baseUrl
}
