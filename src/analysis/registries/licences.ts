import type { Package } from '../dependency-graph.ts'
import type { Registry } from '../ecosystems/ecosystem.ts'

/** What registries say of the licence of a version, where neither a lockfile nor resolving told it. */
export interface LicenceReader {
  /** In the registry's own words; undefined when it says nothing. Throws `RegistryUnreachable` without an answer. */
  find(registry: Registry, published: Package): Promise<string | undefined>
}
