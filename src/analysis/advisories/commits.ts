import type { Registry } from '#analysis/registries/registry.ts'
import type { OsvAffected } from './osv.ts'

/**
 * GIT ranges name affected commits, and only the repository knows their order. Without it, the commits that a range
 * names as its first or last affected ones are known to be affected. They are kept for Go, whose vendored packages are
 * identified by commit.
 */
export const COMMIT_VERSION = 'v0.0.0'

const commit = /^[0-9a-f]{40}$/
const separator = '#'

/** Returns the name under which a module's commit is kept. The separator cannot occur in a module path. */
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

/** Returns the affected commits that ranges name. */
export function namedCommits({ ranges = [] }: OsvAffected): string[] {
  return ranges
    .filter(({ type }) => type === 'GIT')
    .flatMap(({ events }) => events.flatMap(({ introduced, last_affected: last }) => introduced ?? last ?? []))
    .filter((hash) => commit.test(hash))
}

/** Formats `>=<hash> <<hash>`: from the introducing commit to the fixing one. */
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
