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
  'language' | 'packageManager' | 'registry' | 'fixAdvice' | 'versions' | 'isMixed'
>

function of(
  registry: Registry,
  language: string,
  rest: Pick<PackageManager, 'packageManager' | 'fixAdvice'>,
): PackageManager {
  return { registry, language, versions: schemes[registry], ...rest }
}

const npm = of('npm', 'js', { packageManager: 'npm', fixAdvice: 'upgrade' })
const maven = of('Maven', 'java', { packageManager: 'maven', fixAdvice: 'upgrade' })
const pip = of('PyPI', 'python', { packageManager: 'pip', fixAdvice: 'pin' })
const rubygems = of('RubyGems', 'ruby', { packageManager: 'rubygems', fixAdvice: 'upgrade' })
const golang = of('Go', 'golang', { packageManager: 'golang', fixAdvice: 'none' })

/** The package managers whose packages we have advisories for, under the names that graphs give them. */
const managers: Readonly<Record<string, PackageManager>> = {
  npm,
  pnpm: npm,
  yarn: { ...npm, packageManager: 'yarn' },
  maven,
  gradle: maven,
  sbt: maven,
  pip,
  pipenv: pip,
  poetry: pip,
  uv: pip,
  rubygems,
  gomodules: golang,
  golangdep: golang,
  govendor: golang,
}

/** The package manager that stands for each registry, for packages of a graph of several. */
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

export const packageManagerNames: readonly string[] = Object.keys(managers)

/** By the name that a graph gives it. */
export function findPackageManager(name: string): PackageManager | undefined {
  return Object.hasOwn(managers, name) ? managers[name] : undefined
}

/** By what a stored project is a project of: a package manager whose files we read, or one that a graph named. */
export function getPackageManager(type: string): PackageManager {
  const found = ecosystems.find(({ id }) => id === type) ?? findPackageManager(type)
  if (found === undefined) throw new Error(`No package manager is called ${type}`)
  return found
}
