import { Problem } from '#foundation/problem.ts'
import type { IntegrationKind } from './integration-kind.ts'
import { archive } from './kinds/archive.ts'
import { azureRepos } from './kinds/azure-repos.ts'
import { bitbucketCloud } from './kinds/bitbucket-cloud.ts'
import { bitbucketServer } from './kinds/bitbucket-server.ts'
import { git } from './kinds/git.ts'
import { github, githubEnterprise } from './kinds/github.ts'
import { gitlab } from './kinds/gitlab.ts'
import { local } from './kinds/local.ts'
import { unservedKinds } from './unserved-kinds.ts'

export const integrationKinds: readonly IntegrationKind[] = [
  github,
  githubEnterprise,
  gitlab,
  bitbucketCloud,
  bitbucketServer,
  azureRepos,
  git,
  local,
  archive,
]

/** Returns a kind. Throws 422 for kinds of other products, 400 for unknown ones. */
export function getKind(id: string, pointer: string): IntegrationKind {
  const match = integrationKinds.find((kind) => kind.id === id)
  if (match) return match
  if (unservedKinds.includes(id)) throw unserved(`Integrations of the kind ${id}`, pointer)
  throw new Problem('invalid-request', `${pointer} must be one of ${servedKinds()}`, { source: { pointer } })
}

export function unserved(what: string, pointer: string): Problem {
  return new Problem('integration-unsupported', `${what} are not supported. Supported: ${servedKinds()}.`, {
    source: { pointer },
  })
}

function servedKinds(): string {
  return integrationKinds.map(({ id }) => id).join(', ')
}
