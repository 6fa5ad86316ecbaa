import { Problem } from '../problem.ts'
import type { GitRunner } from './git-task.ts'

/** A branch or HEAD, with its commit. */
export interface GitReference {
  readonly branch: string
  readonly commit: string
}

const BRANCHES = 'refs/heads/'

/** Returns true if git accepts the text as a branch name (git-check-ref-format(1)). */
function isBranchName(name: string): boolean {
  if (name.length === 0 || name.length > 250 || name === '@' || name.startsWith('-')) return false
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\.$/.test(name)) return false
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
}

/** Requests the commit of HEAD, which may be outside any branch. */
const HEAD = 'HEAD'
const MAX_NAMED = 5

/**
 * Finds the requested branch, or by default the repository's default branch. `HEAD` requests HEAD's current commit, on
 * a branch or not: no branch has this name (gitglossary(7), "detached HEAD").
 */
export async function findReference(
  git: GitRunner,
  { branch, signal }: { branch?: string | undefined; signal?: AbortSignal | undefined },
): Promise<GitReference> {
  if (branch !== undefined && !isBranchName(branch))
    throw new Problem('repository-unreadable', 'The name of the branch is invalid in git')
  const isNamed = branch !== undefined && branch !== HEAD
  const lines = await listReferences(git, isNamed ? `${BRANCHES}${branch}` : HEAD, signal)
  const commit = commitOf(lines, isNamed ? `${BRANCHES}${branch}` : HEAD)
  if (commit === undefined) {
    if (branch !== undefined)
      throw new Problem('repository-unreadable', `The repository does not have ${wordsFor(branch)}`)
    return findOnlyBranch(git, signal)
  }
  return { branch: branch ?? branchOfHead(lines) ?? HEAD, commit }
}

function wordsFor(branch: string): string {
  return branch === HEAD ? 'a commit that its HEAD names' : `the branch ${branch}`
}

function branchOfHead(lines: readonly string[]): string | undefined {
  const target = lines.map((line) => /^ref: (\S+)\tHEAD$/.exec(line)?.[1]).find((ref) => ref !== undefined)
  return target?.startsWith(BRANCHES) ? target.slice(BRANCHES.length) : undefined
}

/** HEAD may name a branch that does not exist: a single branch is then the default. */
async function findOnlyBranch(git: GitRunner, signal: AbortSignal | undefined): Promise<GitReference> {
  const lines = await listReferences(git, `${BRANCHES}*`, signal)
  const branches = lines.flatMap((line) => {
    const name = line.split('\t')[1]
    return name?.startsWith(BRANCHES) ? [name.slice(BRANCHES.length)] : []
  })
  const [only, ...others] = branches
  if (only === undefined) throw new Problem('repository-unreadable', 'The repository does not have a default branch')
  const commit = commitOf(lines, `${BRANCHES}${only}`)
  if (others.length === 0 && commit !== undefined) return { branch: only, commit }
  const [names, more] = [branches.slice(0, MAX_NAMED).join(', '), branches.length - MAX_NAMED]
  const detail = `The repository does not have a default branch; name one of its branches: ${names}${more > 0 ? ` and ${more} more` : ''}`
  throw new Problem('repository-unreadable', detail)
}

async function listReferences(
  git: GitRunner,
  pattern: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const args = ['ls-remote', '--symref', 'origin', pattern]
  return (await git.remote({ args, outputBytes: 1024 * 1024, signal })).toString().split('\n')
}

function commitOf(lines: readonly string[], name: string): string | undefined {
  const line = lines.find((line) => line.endsWith(`\t${name}`) && isCommitId(line.split('\t')[0]!))
  return line?.split('\t')[0]
}

/** Returns true for a full SHA-1 or SHA-256 id. */
export function isCommitId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}
