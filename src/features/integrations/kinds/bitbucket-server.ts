import { type Static, Type } from 'typebox'
import {
  Branch,
  below,
  connected,
  gitCredentialsOf,
  LOGIN_OR_TOKEN,
  requireAnswer,
  requireOk,
  segment,
  toAuthorization,
  toBranch,
  toHosted,
} from '../hosted.ts'
import { defineKind } from '../integration-kind.ts'

const TOKEN_USER = 'x-token-auth'

const Target = Type.Object({
  projectKey: segment('Key of the project; ~user for a personal one'),
  repoSlug: segment('Slug of the repository'),
  name: Type.Optional(Type.String({ maxLength: 200, description: 'Display name of the repository' })),
  branch: Type.Optional(Branch),
})
type Target = Static<typeof Target>

/** Bitbucket Data Center's REST API 1.0, and "HTTP access tokens". */
export const bitbucketServer = defineKind({
  id: 'bitbucket-server',
  title: 'Bitbucket Server',
  description: 'Repositories of a Bitbucket Server or Data Center; a username with a password, or an HTTP access token',
  credentials: LOGIN_OR_TOKEN,
  baseUrl: 'required',
  ownBaseUrl: '',
  Target,
  check: ({ projectKey, repoSlug, branch }: Target) => ({
    name: `${projectKey}/${repoSlug}`,
    branch: toBranch(branch),
    target: { projectKey, repoSlug, branch: toBranch(branch) },
  }),
  async locate(context, { projectKey, repoSlug }) {
    const isPersonal = projectKey.startsWith('~')
    const place = isPersonal ? ['users', projectKey.slice(1)] : ['projects', projectKey]
    const repository = {
      kind: 'bitbucket-server',
      displayName: `${projectKey}/${repoSlug}`,
      cloneUrl: `${below(context.baseUrl, 'scm', projectKey, repoSlug)}.git`,
      webUrl: below(context.baseUrl, ...place, 'repos', repoSlug),
    }
    return toHosted(repository, context.credentials && gitCredentialsOf(context.credentials, TOKEN_USER))
  },
  async test(context) {
    const answer = await context.ask(
      `${context.baseUrl}/rest/api/1.0/projects?limit=1`,
      toAuthorization(context.credentials, TOKEN_USER),
    )
    requireOk(answer, 'its projects')
    requireAnswer(answer, 'values', 'Bitbucket')
    return connected(context, undefined)
  },
})
