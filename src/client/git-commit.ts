import { realpath } from 'node:fs/promises'
import { listTree } from '#foundation/git/list-tree.ts'
import { readBlobs } from '#foundation/git/read-blobs.ts'
import type { RepositorySource } from '#foundation/repositories/repository-source.ts'
import { ClientFailure } from './failure.ts'
import { askGit, type GitContext } from './git.ts'
import { printable } from './printable.ts'
import { localBounds, requireFolder } from './work-tree.ts'

/**
 * Opens a folder, or `root` above it, as it was in a commit. Its files are read from git's objects; the work tree and the index stay as they
 * are. A folder that the commit lacks is empty. Throws `ClientFailure`.
 */
export async function openCommit(
  path: string,
  ref: string,
  { root, ...context }: GitContext & { readonly root?: string },
): Promise<RepositorySource> {
  await requireFolder(path)
  const folder = root ?? (await realpath(path))
  const git = (args: readonly string[], input?: string) => askGit(folder, args, { ...context, input })

  const prefix = await git(['rev-parse', '--show-prefix'])
  if (prefix === undefined) {
    throw new ClientFailure(`"${path}" is in no git work tree, or git is not installed. --against needs both.`)
  }
  if ('refusal' in prefix) throw new ClientFailure(`git cannot read "${path}": ${printable(prefix.refusal)}`)
  const find = async (name: string): Promise<string | undefined> => {
    const answer = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', name])
    const id = answer !== undefined && 'output' in answer ? String(answer.output).trim() : ''
    return /^[0-9a-f]{40,64}$/.test(id) ? id : undefined
  }
  const commit = await find(`${ref}^{commit}`)
  if (commit === undefined) {
    const shallow = await git(['rev-parse', '--is-shallow-repository'])
    throw noCommit(ref, shallow !== undefined && 'output' in shallow && String(shallow.output).trim() === 'true')
  }
  const tree = await find(`${commit}:${String(prefix.output).replace(/\/?\n$/, '')}`)

  const missing = () =>
    new ClientFailure(`The clone lacks files of ${printable(ref)}. Fetch it without a filter: "git fetch --refetch".`)
  const runner = {
    async local(task: { readonly args: readonly string[]; input?: string; onOutput?: (chunk: Buffer) => void }) {
      const answer = await git(task.args, task.input)
      if (answer === undefined || 'refusal' in answer) throw missing()
      task.onOutput?.(answer.output)
      return answer.output
    },
    remote: () => Promise.reject(missing()),
    used: () => Promise.resolve(0),
  }
  return {
    revision: commit,
    reference: ref,
    list: async (isWanted, signal) =>
      tree === undefined
        ? { entries: [], fileCount: 0 }
        : listTree(runner, localBounds, { commit: tree, isWanted, signal }),
    readFiles: (entries, signal) => readBlobs(runner, localBounds, { commit, entries, signal }),
    async close() {},
  }
}

function noCommit(ref: string, isShallow: boolean): ClientFailure {
  const name = printable(ref)
  return new ClientFailure(
    isShallow
      ? `The clone is shallow and has no commit "${name}". Fetch it: "git fetch --unshallow" or "git fetch --depth=1 origin ${name}:${name}".`
      : `The repository has no commit "${name}". Name a branch, a tag or a commit, or fetch it first.`,
  )
}
