import type { Unresolved } from '#analysis/dependency-graph.ts'
import { shorten } from '#analysis/documents/json-document.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import type { Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import type { NpmReader } from '#analysis/registries/npm.ts'
import type { Dependency } from '../dependency.ts'
import { overriddenRange, parseOverrides, ruleFor } from '../overrides.ts'
import { nameProject, type PackageJson } from '../package-json.ts'
import { resolveProject as resolveAsNpm } from '../resolution/resolve.ts'
import { type Override, toNpmOverrides } from './overrides.ts'

/** The settings of pnpm and Bun for resolution, which npm does not have. */
export interface ResolutionRules {
  readonly lockName: string
  /** Folder patterns of the workspace. */
  readonly packages: readonly string[]
  /** Ranges by package, by the name of their catalog. */
  readonly catalogs: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly overrides: readonly Override[]
  /** Settings that change packages and are not applied. */
  readonly notApplied: readonly string[]
}

/** A project without its lock. */
export interface OpenFiles {
  readonly project: PackageJson
  readonly members: readonly PackageJson[]
  readonly rules: ResolutionRules
  readonly filesRead: readonly string[]
}

/** Resolves a project without its lock as npm does, with the catalogs, workspaces and overrides of its own tool. */
export async function resolveProject(files: OpenFiles, reader: NpmReader, options: ReadOptions): Promise<Reading> {
  const { project, unresolved, ...rest } = translate(files)
  const reading = await resolveAsNpm(
    { ...rest, project, part: undefined, lock: undefined, filesRead: [...files.filesRead] },
    reader,
    options,
  )
  const { nodes } = reading.graph
  const asNpm = `Without ${files.rules.lockName}, versions are those that npm would choose today`
  return {
    ...reading,
    unresolved: [...reading.unresolved, ...unresolved],
    boundsMet: nodes.length > 1 ? [...reading.boundsMet, asNpm] : reading.boundsMet,
  }
}

/** Writes the project as npm would have it; what npm has no word for is unresolved. */
function translate({ project, members, rules: own }: OpenFiles) {
  const { lockName, packages, catalogs, overrides, notApplied } = own
  const unresolved: Unresolved[] = []
  const rules = parseOverrides(toNpmOverrides(overrides), toDocument(project), 'target')
  const names = new Set(members.map(({ name }) => name ?? ''))
  const toNpm = (json: PackageJson): PackageJson => ({
    ...json,
    dependencies: json.dependencies.flatMap((dependency) => {
      const range = rangeOf(dependency)
      if (range !== undefined) return [{ ...dependency, range }]
      const reason = `Its range is in a catalog that was not sent, or not in it. Send ${lockName}`
      const { name, range: written } = dependency
      unresolved.push({ name, range: shorten(written), code: 'not-static', reason, requiredBy: nameProject(json) })
      return []
    }),
  })
  const rangeOf = ({ name, range }: Dependency): string | undefined => {
    if (range.startsWith('workspace:') && names.has(name)) {
      const workspaceRange = range.slice('workspace:'.length)
      return /^[~^]?$/.test(workspaceRange) ? '*' : workspaceRange
    }
    const declared = range.startsWith('catalog:') ? fromCatalog(name, range) : range
    if (declared === undefined || rules === undefined) return declared
    return overriddenRange(ruleFor(rules, name, declared), name, declared)
  }
  const fromCatalog = (name: string, range: string) =>
    catalogs.get(range.slice('catalog:'.length).trim() || 'default')?.get(name)
  const patterns = packages.filter((pattern) => pattern !== '.' && !pattern.startsWith('!'))
  const root = { ...toNpm(project), overrides: rules, workspaces: members.length > 0 ? ['*'] : patterns }
  return {
    project: root,
    members: members.map(toNpm),
    unresolved: [
      ...unresolved,
      ...overrides
        .filter(({ isPnpmOnly }) => isPnpmOnly)
        .map((override) => notAppliedLine(override, project, lockName)),
      ...notApplied.map((name) => notAppliedSetting(name, project, lockName)),
    ],
  }
}

/** Returns the members to which `$name` of an override refers. */
function toDocument({ dependencies }: PackageJson) {
  return { dependencies: Object.fromEntries(dependencies.map(({ name, range }) => [name, range])) }
}

function notAppliedLine({ selector, value }: Override, project: PackageJson, lockName: string): Unresolved {
  const reason = `This override applies to some places only, or removes a package, which is not resolved. Send ${lockName}`
  const range = withoutCredentials(value)
  return { name: shorten(selector), range, code: 'not-static', reason, requiredBy: nameProject(project) }
}

function notAppliedSetting(name: string, project: PackageJson, lockName: string): Unresolved {
  const reason = `This setting changes what packages require, and is not applied without a lockfile. Send ${lockName}`
  return { name, range: '', code: 'not-static', reason, requiredBy: nameProject(project) }
}
