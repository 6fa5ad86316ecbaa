import { createHash } from 'node:crypto'

/** A package of a synthetic project. */
export interface SyntheticPackage {
  readonly name: string
  readonly version: string
  /** Packages that it requires; each comes later, so that there are no cycles. */
  readonly requires: readonly SyntheticPackage[]
  /** True for dependencies of the project itself. */
  readonly isDirect: boolean
  /** The number of its files in registries of Python: most have a wheel and a source, compiled ones many wheels. */
  readonly files: number
}

/**
 * Packages that no advisory knows, in the shape of real projects: one in fifty is direct, and each requires one to three
 * others near it. As in lockfiles that tools write, none is left that nothing requires.
 */
export function syntheticPackages(count: number): SyntheticPackage[] {
  const packages: (SyntheticPackage & { readonly requires: SyntheticPackage[]; isDirect: boolean })[] = []
  for (let n = count - 1; n >= 0; n--) {
    const near = [1 + (n % 7), 9 + (n % 31), 60 + (n % 90)].slice(0, 1 + (n % 3))
    const requires = near.flatMap((distance) => packages[packages.length - distance] ?? [])
    const version = `${1 + (n % 9)}.${n % 20}.${n % 30}`
    packages.push({
      name: `unheard-of-${n}`,
      version,
      requires,
      isDirect: n % 50 === 0,
      files: n % 8 === 0 ? 24 : 2,
    })
  }
  const required = new Set(packages.flatMap(({ requires }) => requires))
  for (const syntheticPackage of packages) syntheticPackage.isDirect ||= !required.has(syntheticPackage)
  return packages.reverse()
}

/** A digest that differs for each text, as no two archives have the same. */
export function digestOf(text: string, algorithm: 'sha256' | 'sha512', encoding: 'hex' | 'base64'): string {
  return createHash(algorithm).update(text).digest(encoding)
}

/** Returns the names of a Python package's files. */
export function filesOf({ name, version, files }: SyntheticPackage): string[] {
  const base = `${name.replaceAll('-', '_')}-${version}`
  const wheels = Array.from({ length: files - 1 }, (_, n) =>
    files === 2
      ? `${base}-py3-none-any.whl`
      : `${base}-cp3${9 + (n % 5)}-cp3${9 + (n % 5)}-manylinux_2_${n}_x86_64.whl`,
  )
  return [`${base}.tar.gz`, ...wheels]
}
