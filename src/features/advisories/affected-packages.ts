import type { OsvRecord } from '#analysis/advisories/osv.ts'
import { schemes } from '#analysis/advisories/schemes.ts'
import type { Registry } from '#analysis/registries/registry.ts'

/** Limit per record: a record may list hundreds of packages that were published together. */
const MAX_PACKAGES = 100

export interface NamedPackage {
  readonly registry: Registry
  readonly name: string
}

/** Lists the packages of a record, each once. Omits unknown registries. */
export function affectedPackagesOf({ affected }: OsvRecord): NamedPackage[] {
  const packages = new Map<string, NamedPackage>()
  for (const { package: affectedPackage } of affected) {
    const registry = Object.keys(schemes).find((id) => id === affectedPackage.ecosystem) as Registry | undefined
    if (registry !== undefined)
      packages.set(`${registry} ${affectedPackage.name}`, { registry, name: affectedPackage.name })
  }
  return [...packages.values()].slice(0, MAX_PACKAGES)
}
