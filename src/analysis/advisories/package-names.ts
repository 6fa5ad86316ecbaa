import type { Registry } from '#analysis/registries/registry.ts'

/** Every registry with advisories. Their order numbers them in snapshots, so append new ones. */
export const registries = ['npm', 'PyPI', 'RubyGems', 'Maven', 'Go'] as const satisfies readonly Registry[]

/**
 * Returns the registry of an OSV `ecosystem`, ignoring its suffix (`Maven:https://…`); undefined for unsupported ones.
 */
export function findRegistry(ecosystem: string): Registry | undefined {
  const colon = ecosystem.indexOf(':')
  const base = colon < 0 ? ecosystem : ecosystem.slice(0, colon)
  return registries.find((registry) => registry === base)
}

/** Returns the spelling under which a package is looked up. PyPI: PEP 503; elsewhere names are exact. */
export function normalizeName(registry: Registry, name: string): string {
  return registry === 'PyPI' ? name.toLowerCase().replace(/[-_.]+/g, '-') : name
}

/** Hosts whose repositories are found under any spelling of their paths. */
const HOSTS_WITHOUT_CASE = /^(?:github\.com|gitlab\.com|bitbucket\.org|gitee\.com)\//

/** Returns a Go path in lower case if its host ignores case; other names as they are. */
export function withoutCase(registry: Registry, name: string): string {
  if (registry !== 'Go') return normalizeName(registry, name)
  const lower = name.toLowerCase()
  return HOSTS_WITHOUT_CASE.test(lower) ? lower : name
}
