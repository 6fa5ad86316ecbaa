import { factsOf, type Registry, registryFacts } from '../registry-facts.ts'

/** Every registry with advisories, in the order that numbers them in snapshots. */
export const registries: readonly Registry[] = registryFacts.map(({ name }) => name)

/**
 * Returns the registry of an OSV `ecosystem`, ignoring its suffix (`Maven:https://…`); undefined for unsupported ones.
 */
export function findRegistry(ecosystem: string): Registry | undefined {
  const colon = ecosystem.indexOf(':')
  const base = colon < 0 ? ecosystem : ecosystem.slice(0, colon)
  return registries.find((registry) => registry === base)
}

/** Returns the spelling under which a package is looked up. */
export function normalizeName(registry: Registry, name: string): string {
  return factsOf(registry).normalizeName?.(name) ?? name
}

/** Hosts whose repositories are found under any spelling of their paths. */
const HOSTS_WITHOUT_CASE = /^(?:github\.com|gitlab\.com|bitbucket\.org|gitee\.com)\//

/** Returns a Go path in lower case if its host ignores case; other names as they are. */
export function withoutCase(registry: Registry, name: string): string {
  if (registry !== 'Go') return normalizeName(registry, name)
  const lower = name.toLowerCase()
  return HOSTS_WITHOUT_CASE.test(lower) ? lower : name
}
