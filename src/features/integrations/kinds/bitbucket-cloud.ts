import type { Static } from 'typebox'
import type { Credentials } from '../credentials.ts'
import {
  below,
  connected,
  gitCredentialsOf,
  LOGIN_OR_TOKEN,
  memberOf,
  requireAnswer,
  requireOk,
  toBasic,
  toBranch,
  toHosted,
} from '../hosted.ts'
import { defineKind, type SourceContext } from '../integration-kind.ts'
import { OwnerAndName } from './github.ts'

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
  check: ({ owner, name, branch }: Static<typeof OwnerAndName>) => ({
    name: `${owner}/${name}`,
    branch: toBranch(branch),
    target: { owner, name, branch: toBranch(branch) },
  }),
  async locate(context, { owner, name }) {
    const webUrl = below(context.baseUrl, owner, name)
    const repository = { kind: 'bitbucket-cloud', displayName: `${owner}/${name}`, cloneUrl: `${webUrl}.git`, webUrl }
    return toHosted(repository, context.credentials && gitCredentialsOf(context.credentials, TOKEN_USER))
  },
  async test(context) {
    const { credentials } = context
    const path = credentials === undefined ? 'repositories?pagelen=1' : 'user'
    const answer = await context.ask(`${apiOf(context)}/2.0/${path}`, authorizationOf(credentials))
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

function authorizationOf(credentials: Credentials | undefined): Readonly<Record<string, string>> {
  if (credentials === undefined) return {}
  return credentials.token === undefined
    ? toBasic(credentials, TOKEN_USER)
    : { authorization: `Bearer ${credentials.token}` }
}
