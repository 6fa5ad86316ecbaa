import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** `area: summary`; several areas are separated by commas. */
const header = /^[a-z0-9][a-z0-9./-]*(?:, [a-z0-9][a-z0-9./-]*)*: (?<first>\S+)(?: .*)?$/
/** A first word in another form than the imperative: "adds", "added", "adding". */
const otherForm = /^(?:[a-z]+[^s]s|[a-z]+ed|[a-z]+ing)$/
/** Imperatives that end alike. */
const imperatives = new Set(['need', 'embed', 'feed', 'speed', 'shed', 'bring', 'string', 'ring', 'alias', 'bias'])
/** Messages that git writes. */
const written = /^(?:Merge |Revert |fixup! |squash! )/

/** Returns what is wrong with a commit message. */
export function judgeMessage(message: string): string[] {
  const [subject = '', blank = ''] = message.split('\n')
  if (written.test(subject)) return []
  const first = header.exec(subject)?.groups?.['first']
  return [
    ...(first === undefined ? ['begin with `area: summary`'] : []),
    ...(subject.length > 72 ? ['use at most 72 characters in the first line'] : []),
    ...(subject.endsWith('.') ? ['end the first line without a full stop'] : []),
    ...(first !== undefined && otherForm.test(first) && !imperatives.has(first)
      ? [`"${first}": say what the commit does, in the imperative`]
      : []),
    ...(blank === '' ? [] : ['leave the second line blank']),
  ]
}

/** Reads from git; undefined outside a repository and for commits that a shallow clone lacks. */
function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}

/**
 * Returns the commit after which messages are checked: the given one, else the one that added this file. Where a shallow
 * clone lacks it, git names the oldest commit at hand, whose own message is then left out.
 */
export function firstUnchecked(base: string | undefined): string | undefined {
  if (base !== undefined) return git('rev-parse', '--verify', '--quiet', `${base}^{commit}`)
  return git('log', '--diff-filter=A', '--format=%H', '-1', '--', fileURLToPath(import.meta.url)) || undefined
}

if (import.meta.main) {
  const base = firstUnchecked(process.argv[2])
  if (base === undefined) console.log('commit messages not checked: no git history here')
  const log = base === undefined ? '' : (git('log', '-z', '--format=%h %B', `${base}..HEAD`) ?? '')
  for (const entry of log.split('\0').filter((text) => text !== '')) {
    const [, hash, message = ''] = /^(\w+) ([\s\S]*)$/.exec(entry) ?? []
    for (const advice of judgeMessage(message.trimEnd())) {
      console.log(`${hash} ${message.split('\n')[0]}\n    ${advice}`)
      process.exitCode = 1
    }
  }
}
