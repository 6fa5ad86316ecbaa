import { Type } from 'typebox'
import {
  Branch,
  below,
  checkOwnerAndName,
  connected,
  gitCredentialsOf,
  requireAnswer,
  requireOk,
  segment,
  TOKEN,
  toBasic,
  toHosted,
} from '../hosted.ts'
import { defineKind } from '../integration-kind.ts'

const TOKEN_USER = 'token'

const Target = Type.Object({
  owner: segment('Project'),
  name: segment('Repository'),
  branch: Type.Optional(Branch),
})

/** Azure DevOps' REST API, "Use personal access tokens" and "Projects - List". */
export const azureRepos = defineKind({
  id: 'azure-repos',
  title: 'Azure Repos',
  description: 'Repositories of an Azure DevOps organization, which is part of the base URL',
  credentials: TOKEN,
  baseUrl: 'required',
  ownBaseUrl: '',
  Target,
  check: checkOwnerAndName,
  async locate(context, { owner, name }) {
    const address = below(context.baseUrl, owner, '_git', name)
    const repository = { kind: 'azure-repos', displayName: `${owner}/${name}`, cloneUrl: address, webUrl: address }
    return toHosted(repository, context.credentials && gitCredentialsOf(context.credentials, TOKEN_USER))
  },
  async test(context) {
    const { credentials } = context
    const url = `${context.baseUrl}/_apis/projects?$top=1&api-version=6.0`
    const answer = await context.ask(url, credentials && toBasic(credentials, TOKEN_USER))
    // Azure DevOps answers 203 or 302 with its sign-in page if the credentials are missing or wrong.
    requireOk(answer.status === 203 || answer.status === 302 ? { ...answer, status: 401 } : answer, 'its projects')
    requireAnswer(answer, 'value', 'Azure DevOps')
    return connected(context, undefined)
  },
})
