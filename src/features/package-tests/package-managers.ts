import { schemes } from '#analysis/advisories/schemes.ts'
import type { Registry } from '#analysis/ecosystems/ecosystem.ts'
import { ecosystems } from '#analysis/ecosystems/index.ts'
import type { TestedEcosystem } from './context.ts'

/** What is to be known of a package manager to judge a graph of its packages. */
export type PackageManager = Pick<
  TestedEcosystem,
  'language' | 'packageManager' | 'registry' | 'fixAdvice' | 'versions'
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
  rubygems: of('RubyGems', 'ruby', { packageManager: 'rubygems', fixAdvice: 'upgrade' }),
  gomodules: golang,
  golangdep: golang,
  govendor: golang,
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
