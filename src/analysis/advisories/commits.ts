import type { Registry } from '../ecosystems/ecosystem.ts'
import type { OsvAffected } from './osv.ts'

/**
 * GIT ranges say which commits are affected, and only the repository knows the order of its commits. What can be said
 * without it: the commits that a range names as its first or last affected ones are affected themselves. They are kept
 * for Go, whose vendored packages are known by commit.
 */
export const COMMIT_VERSION = 'v0.0.0'

const commit = /^[0-9a-f]{40}$/
const separator = '#'

/** The name under which a commit of a module is kept; no module's path can hold the sign between the two. */
export function commitName(module: string, hash: string): string {
  return `${module}${separator}${hash}`
}

export function isCommitName(name: string): boolean {
  return name.includes(separator)
}

export function affectedCommits(registry: Registry, affected: OsvAffected): string[] {
  if (registry !== 'Go') return []
  return [...new Set(namedCommits(affected))].map((hash) => commitName(affected.package.name, hash))
}

/** The affected commits that the ranges name. */
export function namedCommits({ ranges = [] }: OsvAffected): string[] {
  return ranges
    .filter(({ type }) => type === 'GIT')
    .flatMap(({ events }) => events.flatMap(({ introduced, last_affected: last }) => [introduced, last]))
    .filter((hash) => hash !== undefined)
    .filter((hash) => commit.test(hash))
}

/** `>=<hash> <<hash>`: from the commit that introduced it to the one that fixed it. */
export function toCommitRanges(affected: readonly OsvAffected[]): string[] {
  return affected
    .flatMap(({ ranges = [] }) => ranges.filter(({ type }) => type === 'GIT'))
    .map(({ events }) =>
      events
        .map(({ introduced, fixed, last_affected: last, limit }) => {
          if (introduced !== undefined) return introduced === '0' ? '' : `>=${introduced}`
          return last === undefined ? `<${fixed ?? limit}` : `<=${last}`
        })
        .filter((bound) => bound !== '')
        .join(' '),
    )
    .map((range) => range || '*')
}
