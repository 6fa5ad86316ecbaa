import { relative } from 'node:path'

interface Entry {
  readonly version?: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

export interface Lockfile {
  readonly name: string
  readonly version: string
  readonly packages: Readonly<Record<string, Entry>>
}

/** Returns the part of a lockfile that a package contains: the packages in the given folders and what they use of each other. */
export function shippedPart({ name, version, packages }: Lockfile, root: string, folders: Iterable<string>): Lockfile {
  const places = [...folders].map((folder) => relative(root, folder)).sort()
  const shipped = new Set(places)
  const entries = places.map((place) => {
    const { dependencies = {}, ...entry } = packages[place] ?? {}
    if (entry.version === undefined) throw new Error(`The lockfile has no ${place}, which the package contains.`)
    const used = Object.keys(dependencies).filter((dependency) => isShipped(dependency, place, shipped))
    return [place, { version: entry.version, ...entryLicense(entry), dependencies: pick(dependencies, used) }] as const
  })
  const direct = places.filter((place) => place.lastIndexOf('node_modules/') === 0).map((place) => place.slice(13))
  const own = Object.fromEntries(direct.map((name) => [name, packages[`node_modules/${name}`]!.version!]))
  return { name, version, packages: { '': { version, dependencies: own }, ...Object.fromEntries(entries) } }
}

/** True if Node finds the package from `place` among those that are shipped: beside it or in a folder above. */
function isShipped(name: string, place: string, shipped: ReadonlySet<string>): boolean {
  for (
    let above = `${place}/`;
    above !== '';
    above = above.slice(0, above.lastIndexOf('node_modules/', above.length - 2))
  ) {
    if (shipped.has(`${above}node_modules/${name}`)) return true
  }
  return shipped.has(`node_modules/${name}`)
}

function pick(values: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, values[name]!]))
}

function entryLicense({ license }: Entry): Entry {
  return license === undefined ? {} : { license }
}
