import type { Registry } from '#analysis/registries/registry.ts'
import type { Licenses } from './v1-package-resource.ts'

export type License = Licenses['results'][number]

/** Stands for an unknown license. */
export const UNKNOWN = 'Unknown'

/** Dependencies and projects that are named of each license; the others are counted. */
const MAX_NAMED = 1_000

export interface GivenLicenses {
  readonly orgId: string
  readonly ids: readonly string[] | undefined
  readonly registries: readonly Registry[] | undefined
  /** Written as `name@version`. */
  readonly dependencies: readonly string[] | undefined
}

/** Gathers licenses with what is under them. */
export interface FoundLicenses {
  /** The same one may come again. */
  addDependency(license: string, dependency: License['dependencies'][number]): void
  /** One project after the other: the same one may come again before the next. */
  addProject(license: string, project: { readonly id: string; readonly name: string }): void
  list(): License[]
}

export function createFoundLicenses(start: (license: string) => License): FoundLicenses {
  const found = new Map<string, { readonly license: License; lastProject: string | undefined }>()
  const seen = new Set<string>()

  function get(name: string) {
    const known = found.get(name) ?? { license: start(name), lastProject: undefined }
    found.set(name, known)
    return known
  }

  return {
    addDependency(name, dependency) {
      const { license } = get(name)
      const key = `${name}\n${dependency.packageManager}\n${dependency.id}`
      if (seen.has(key)) return
      seen.add(key)
      license.dependenciesTotal += 1
      if (license.dependencies.length < MAX_NAMED) license.dependencies.push(dependency)
    },
    addProject(name, project) {
      const known = get(name)
      if (known.lastProject === project.id) return
      known.lastProject = project.id
      known.license.projectsTotal += 1
      if (known.license.projects.length < MAX_NAMED) known.license.projects.push({ id: project.id, name: project.name })
    },
    list: () => [...found.values()].map(({ license }) => license),
  }
}
