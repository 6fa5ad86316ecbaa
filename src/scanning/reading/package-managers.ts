import { registries } from '#analysis/advisories/package-names.ts'
import { schemes } from '#analysis/advisories/schemes.ts'
import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts'
import { ecosystems } from '#analysis/ecosystems/index.ts'
import type { Registry } from '#analysis/registries/registry.ts'

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

function of(
  registry: Registry,
  language: string,
  rest: Pick<PackageManager, 'packageManager' | 'fixAdvice'>,
): PackageManager {
  return { id: rest.packageManager, registry, language, versions: schemes[registry], ...rest }
}

const npm = of('npm', 'js', { packageManager: 'npm', fixAdvice: 'upgrade' })
const maven = of('Maven', 'java', { packageManager: 'maven', fixAdvice: 'upgrade' })
const pip = of('PyPI', 'python', { packageManager: 'pip', fixAdvice: 'pin' })
const rubygems = of('RubyGems', 'ruby', { packageManager: 'rubygems', fixAdvice: 'upgrade' })
const golang = of('Go', 'golang', { packageManager: 'golang', fixAdvice: 'none' })

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
  rubygems,
  gomodules: { ...golang, id: 'gomodules' },
  golangdep: { ...golang, id: 'golangdep' },
  govendor: { ...golang, id: 'govendor' },
}

/** The package manager that represents each registry in graphs with packages from several. */
const managerOfRegistry: Readonly<Record<Registry, PackageManager>> = {
  npm,
  PyPI: pip,
  RubyGems: rubygems,
  Maven: maven,
  Go: golang,
}

/** Returns the package manager of one package of a project. */
export function managerOf<M extends PackageManager>(
  manager: M & { readonly isMixed?: true | undefined },
  registry: Registry,
): M | PackageManager {
  return manager.isMixed ? managerOfRegistry[registry] : manager
}

/** Returns the registry of an issue's package, by the name of its package manager in results. */
export function registryOf(
  manager: PackageManager & { readonly isMixed?: true | undefined },
  packageManager: string,
): Registry {
  const match = manager.isMixed && registries.find((name) => managerOfRegistry[name].packageManager === packageManager)
  return match || manager.registry
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
