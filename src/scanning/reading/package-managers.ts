import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts'
import { ecosystems } from '#analysis/ecosystems/index.ts'
import { type Registry, registryFacts } from '#analysis/registry-facts.ts'

/** The parts of a package manager that results need. */
export type TestedEcosystem = Pick<
  Ecosystem,
  'id' | 'language' | 'packageManager' | 'registry' | 'versions' | 'fixAdvice' | 'coordinates' | 'isMixed' | 'locate'
>

/** The parts of a package manager needed to judge a graph of its packages. */
export type PackageManager = Pick<
  TestedEcosystem,
  'id' | 'language' | 'packageManager' | 'registry' | 'fixAdvice' | 'versions' | 'isMixed'
>

/** The package manager that represents each registry in graphs with packages from several. */
const managerOfRegistry = new Map<Registry, PackageManager>(
  registryFacts.map(({ name, packageManager, ...facts }) => [
    name,
    { ...facts, id: packageManager, packageManager, registry: name },
  ]),
)

const npm = managerOfRegistry.get('npm')!
const maven = managerOfRegistry.get('Maven')!
const pip = managerOfRegistry.get('PyPI')!
const golang = managerOfRegistry.get('Go')!

/** Package managers for whose packages we have advisories, by the names that graphs use. */
const managers: Readonly<Record<string, PackageManager>> = {
  npm,
  pnpm: { ...npm, id: 'pnpm' },
  yarn: { ...npm, id: 'yarn', packageManager: 'yarn' },
  maven,
  gradle: { ...maven, id: 'gradle' },
  sbt: { ...maven, id: 'sbt' },
  pip,
  pipenv: { ...pip, id: 'pipenv' },
  poetry: { ...pip, id: 'poetry' },
  uv: { ...pip, id: 'uv' },
  gomodules: { ...golang, id: 'gomodules' },
  golangdep: { ...golang, id: 'golangdep' },
  govendor: { ...golang, id: 'govendor' },
  ...Object.fromEntries(
    [...managerOfRegistry.values()].filter((manager) => manager !== golang).map((manager) => [manager.id, manager]),
  ),
}

/** Returns the package manager of one package of a project. */
export function managerOf<M extends PackageManager>(
  manager: M & { readonly isMixed?: true | undefined },
  registry: Registry,
): M | PackageManager {
  return manager.isMixed ? managerOfRegistry.get(registry)! : manager
}

/** Returns the registry of an issue's package, by the name of its package manager in results. */
export function registryOf(
  manager: PackageManager & { readonly isMixed?: true | undefined },
  packageManager: string,
): Registry {
  const match = manager.isMixed && registryFacts.find((facts) => facts.packageManager === packageManager)
  return match ? match.name : manager.registry
}

export const packageManagerNames: readonly string[] = Object.keys(managers)

/** Finds a package manager by the name that graphs use. */
export function findPackageManager(name: string): PackageManager | undefined {
  return Object.hasOwn(managers, name) ? managers[name] : undefined
}

/** Returns the package manager of a stored project's type: one whose files we read, or one that a graph named. */
export function getPackageManager(type: string): PackageManager {
  const manager = ecosystems.find(({ id }) => id === type) ?? findPackageManager(type)
  if (manager === undefined) throw new Error(`No package manager is called ${type}`)
  return manager
}
