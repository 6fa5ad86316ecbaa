import type { Registry } from '../ecosystems/ecosystem.ts'

/** Every registry whose advisories we keep; their order numbers them in a snapshot, so a new one goes to the end. */
export const registries = ['npm', 'PyPI', 'RubyGems', 'Maven', 'Go'] as const satisfies readonly Registry[]

/** The registry an OSV `ecosystem` speaks of, without its suffix (`Maven:https://…`); undefined for one we do not read. */
export function findRegistry(ecosystem: string): Registry | undefined {
  const colon = ecosystem.indexOf(':')
  const base = colon < 0 ? ecosystem : ecosystem.slice(0, colon)
  return registries.find((registry) => registry === base)
}

/** The one spelling under which a registry's package is looked up. PyPI: PEP 503; everywhere else names are exact. */
export function normaliseName(registry: Registry, name: string): string {
  return registry === 'PyPI' ? name.toLowerCase().replace(/[-_.]+/g, '-') : name
}
