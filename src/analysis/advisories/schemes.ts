import type { Registry } from '#analysis/registries/registry.ts'
import { registryFacts } from '../registry-facts.ts'
import type { VersionScheme } from '../versions/version-scheme.ts'

export type Schemes = Readonly<Record<Registry, VersionScheme>>

/** The version order of each registry. */
export const schemes = Object.fromEntries(registryFacts.map(({ name, versions }) => [name, versions])) as Schemes
