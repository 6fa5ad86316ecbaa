import type { Package } from '../dependency-graph.ts'
import type { Registry } from './registry.ts'

/** Looks up licenses in registries that neither a lockfile nor resolution provided. */
export interface LicenseReader {
  /** Returns the registry's own words; undefined if it has none. Throws `RegistryUnreachable` without an answer. */
  find(registry: Registry, published: Package): Promise<string | undefined>
}
