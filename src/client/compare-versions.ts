import { ecosystems } from '#analysis/ecosystems/index.ts'

/** Compares versions as the package manager orders them. */
export function compareVersions(packageManager: string, one: string, other: string): number {
  const ecosystem = ecosystems.find(({ id }) => id === packageManager)
  return ecosystem === undefined ? 0 : ecosystem.versions.compare(one, other)
}
