import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const config = fileURLToPath(new URL('commitlint.config.js', import.meta.url))

/** Reads from git; undefined outside a repository and for commits that a shallow clone lacks. */
function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}

/**
 * Returns the commit after which messages are checked: the given one, else the one that added the rules. Where a shallow
 * clone lacks it, git names the oldest commit at hand, whose own message is then left out.
 */
export function firstUnchecked(given: string | undefined): string | undefined {
  if (given !== undefined) return git('rev-parse', '--verify', '--quiet', `${given}^{commit}`)
  return git('log', '--diff-filter=A', '--format=%H', '-1', '--', config) || undefined
}

if (import.meta.main) {
  const base = firstUnchecked(process.argv[2])
  if (base === undefined) console.log('commit messages not checked: no git history here')
  else if (git('rev-parse', 'HEAD') !== base) {
    const program = fileURLToPath(import.meta.resolve('@commitlint/cli/cli.js'))
    const { status } = spawnSync(process.execPath, [program, '--config', config, '--from', base], { stdio: 'inherit' })
    process.exitCode = status ?? 1
  }
}
