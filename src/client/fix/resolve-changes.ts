import type { RepositorySource } from '#foundation/repositories/repository-source.ts'
import { collectFiles } from '../collect-files.ts'
import { splitName } from '../findings.ts'
import { type InFolder, type TestContext, type TestInput, testCollected, toChoice } from '../run-test.ts'
import type { TestedProject } from '../test-document.ts'
import { withChanges } from './changed-source.ts'
import type { ProjectToFix } from './project-to-fix.ts'
import type { ChangedFile } from './write-files.ts'

/** A project as its tool would resolve it with changed files. */
export interface Resolved {
  readonly issues: readonly FoundIssue[]
  readonly unresolved: readonly OpenDependency[]
  /** Versions by package. */
  readonly versions: ReadonlyMap<string, readonly string[]>
  /** The reason for having no result. */
  readonly error: string | undefined
}

export interface FoundIssue {
  readonly id: string
  readonly package: string
  readonly version: string
}

export type OpenDependency = NonNullable<TestedProject['result']>['coverage']['unresolved'][number]

export interface Resolver {
  /** Resolves projects with changed files; without the locked versions of packages that are to be renewed. */
  resolve(
    projects: readonly ProjectToFix[],
    changes: readonly ChangedFile[],
    options?: { readonly renew?: readonly string[]; readonly includeDev?: boolean },
  ): Promise<Map<ProjectToFix, Resolved>>
}

interface ResolverParts {
  readonly source: RepositorySource
  readonly input: Omit<TestInput, 'paths'>
  readonly context: TestContext & InFolder
}

/** Resolves changed projects as the next command of their tool does: with the lockfile that stays. */
export function createResolver({ source, input, context }: ResolverParts): Resolver {
  return {
    async resolve(projects, changes, { renew = [], includeDev = input.includeDev } = {}) {
      const changed = withChanges(source, new Map(changes.map(({ path, after }) => [path, after])))
      const resolved = new Map<ProjectToFix, Resolved>()
      for (const [packageManager, group] of Map.groupBy(projects, ({ tested }) => tested.packageManager)) {
        const files = group.map(({ tested }) => tested.path)
        const options = { exclude: undefined, against: undefined, bill: true, relock: renew, includeDev }
        const chosen = { ...input, ...options, paths: [], files: [], packageManager }
        const choice = { ...toChoice(chosen, context.folder), files }
        const collected = await collectFiles(changed, choice, context.signal)
        context.onProgress('Testing the result')
        const document = await testCollected(collected, chosen, context)
        for (const project of group) {
          resolved.set(project, toResolved(document.projects.find(({ path }) => path === project.tested.path)))
        }
      }
      return resolved
    },
  }
}

function toResolved(tested: TestedProject | undefined): Resolved {
  const { result, bill, error } = tested ?? {}
  if (result === undefined) {
    const reason = error?.message ?? 'the changed manifest is not a project'
    return { issues: [], unresolved: [], versions: new Map(), error: reason }
  }
  const { vulnerabilities, licenses } = result.issues
  const versions = new Map<string, string[]>()
  for (const { 'bom-ref': ref } of bill?.components ?? []) {
    const { name, version } = splitName(ref)
    versions.set(name, [...(versions.get(name) ?? []), version])
  }
  return {
    issues: [...vulnerabilities, ...licenses],
    unresolved: result.coverage.unresolved,
    versions,
    error: undefined,
  }
}
