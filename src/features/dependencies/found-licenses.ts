import type { Registry } from '#analysis/registries/registry.ts'
import type { Licenses } from './v1-package-resource.ts'

export type License = Licenses['results'][number]

export const UNKNOWN = 'Unknown'

/** Maximum number of dependencies and projects listed per license; further ones are only counted. */
const MAX_NAMED = 1_000

export interface GivenLicenses {
  readonly orgId: string
  readonly ids: readonly string[] | undefined
  readonly registries: readonly Registry[] | undefined
  /** Written as `name@version`. */
  readonly dependencies: readonly string[] | undefined
}

export interface FoundLicenses {
  /** Ignores repeated dependencies. */
  addDependency(license: string, dependency: License['dependencies'][number]): void
  /** Ignores a project that repeats the previous one: projects arrive grouped. */
  addProject(license: string, project: { readonly id: string; readonly name: string }): void
  list(): License[]
}

export function createFoundLicenses(start: (license: string) => License): FoundLicenses {
  const entries = new Map<string, { readonly license: License; lastProject: string | undefined }>()
  const seen = new Set<string>()

  function get(name: string) {
    const entry = entries.get(name) ?? { license: start(name), lastProject: undefined }
    entries.set(name, entry)
    return entry
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
      const entry = get(name)
      if (entry.lastProject === project.id) return
      entry.lastProject = project.id
      entry.license.projectsTotal += 1
      if (entry.license.projects.length < MAX_NAMED) entry.license.projects.push({ id: project.id, name: project.name })
    },
    list: () => [...entries.values()].map(({ license }) => license),
  }
}
