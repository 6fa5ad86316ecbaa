import type { Repositories } from '#features/integrations/open-repository.ts'
import { type GitReader, gitReader, localGit } from './git-reader.ts'

/** Bare repositories by their paths, without the integrations' manners: what imports do with what they read. */
export function folderRepositories(reader: GitReader = gitReader()): Repositories & AsyncDisposable {
  const placeOf = (target: unknown) => target as { readonly path: string; readonly branch?: string }
  const toFound = (path: string, head: { branch: string; commit: string }) => ({
    origin: 'git',
    sourceKey: path,
    displayName: 'team/app',
    url: null,
    isPrivate: true,
    reference: head.branch,
    revision: head.commit,
  })
  return {
    check: (_integration, target) => ({ name: 'team/app', branch: placeOf(target).branch, target: target as object }),
    async find(_integration, target, options) {
      const { path, branch } = placeOf(target)
      return toFound(path, await reader.find(localGit(path), { ...options, branch }))
    },
    async open(_integration, target, options) {
      const { path, branch } = placeOf(target)
      const { resolved: head, source } = await reader.open(localGit(path), { ...options, branch })
      return { resolved: toFound(path, head), source }
    },
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  }
}
