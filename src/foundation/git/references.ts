import { Problem } from '../problem.ts'
import type { GitRunner } from './git-runner.ts'

/** A branch and the commit it is at. */
export interface GitReference {
  readonly branch: string
  readonly commit: string
}

const BRANCHES = 'refs/heads/'

/** Whether git itself would take it for a branch's name (git-check-ref-format(1)). */
export function isBranchName(name: string): boolean {
  if (name.length === 0 || name.length > 250 || name === '@' || name.startsWith('-')) return false
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\.$/.test(name)) return false
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
}

/** The branch that was asked for, else the one that the repository calls its default. */
export async function findReference(
  git: GitRunner,
  { branch, signal }: { branch?: string | undefined; signal?: AbortSignal | undefined },
): Promise<GitReference> {
  if (branch !== undefined && !isBranchName(branch))
    throw new Problem('repository-unreadable', 'The branch has a name that git does not allow')
  const patterns = branch === undefined ? ['HEAD'] : [`${BRANCHES}${branch}`]
  const args = ['ls-remote', '--symref', 'origin', ...patterns]
  const output = await git.remote({ args, outputBytes: 1024 * 1024, signal })
  const lines = output.toString().split('\n')
  if (branch !== undefined) return { branch, commit: getCommit(lines, `${BRANCHES}${branch}`, `the branch ${branch}`) }
  const target = lines.map((line) => /^ref: (\S+)\tHEAD$/.exec(line)?.[1]).find((found) => found !== undefined)
  const commit = getCommit(lines, 'HEAD', 'a default branch')
  return { branch: target?.startsWith(BRANCHES) ? target.slice(BRANCHES.length) : 'HEAD', commit }
}

function getCommit(lines: readonly string[], name: string, what: string): string {
  const line = lines.find((each) => each.endsWith(`\t${name}`) && isCommitId(each.split('\t')[0]!))
  if (line === undefined) throw new Problem('repository-unreadable', `The repository does not have ${what}`)
  return line.split('\t')[0]!
}

/** An id of SHA-1 or SHA-256, in full. */
export function isCommitId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}
