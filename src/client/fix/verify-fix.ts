import type { RepositorySource } from '#foundation/repositories/repository-source.ts'
import { collectFiles } from '../collect-files.ts'
import { listFindings, splitName } from '../findings.ts'
import { type InFolder, type TestContext, type TestInput, testCollected, toChoice } from '../run-test.ts'
import type { TestedProject } from '../test-document.ts'
import { withChanges } from './changed-source.ts'
import type { NeededFix } from './needed-upgrades.ts'
import { isLockfile } from './next-commands.ts'
import type { ChangedFile } from './write-files.ts'

/** A project with planned changes. */
export interface PlannedProject {
  readonly tested: TestedProject
  /** Paths of all its files. */
  readonly paths: readonly string[]
  /** Issues that the changes should fix. */
  readonly promised: readonly NeededFix[]
  /** Names of upgraded packages by key. */
  readonly made: ReadonlyMap<string, string>
}

/** The outcome of the test of a changed project. */
export interface Verdict {
  /** Reasons, by key of the upgrade that does not fix the promised issues. */
  readonly broken: ReadonlyMap<string, string>
  /** Issues that the project did not have before. */
  readonly added: readonly string[]
  /** The reason why the changes could not be verified. */
  readonly doubt: string | undefined
}

interface Verification {
  readonly source: RepositorySource
  readonly files: readonly ChangedFile[]
  readonly input: Omit<TestInput, 'paths'>
  readonly context: TestContext & InFolder
}

/**
 * Tests projects as they would be with the changed files. Lockfiles are left out, because they pin the old versions
 * until their tool renews them. Returns the verdicts by path of the project.
 */
export async function verifyFix(
  projects: readonly PlannedProject[],
  { source, files: changes, input, context }: Verification,
): Promise<Map<string, Verdict>> {
  const texts = new Map(changes.map(({ path, after }) => [path, after]))
  const removed = new Set(projects.flatMap(({ paths }) => paths.filter(isLockfile)))
  const changed = withChanges(source, { texts, removed })
  const verdicts = new Map<string, Verdict>()
  const groups = Map.groupBy(projects, packageManagerAfter)
  for (const [packageManager, group] of groups) {
    const targets = new Map(group.map((project) => [project, pathAfter(project, texts)]))
    const files = [...new Set(targets.values())]
    const whole = { ...input, paths: [], exclude: undefined, against: undefined, files: [], packageManager }
    const choice = { ...toChoice(whole, context.folder), files }
    const collected = await collectFiles(changed, choice, context.signal)
    context.onProgress('Testing the result')
    const document = await testCollected(collected, whole, context)
    for (const [project, path] of targets) {
      const after = document.projects.find((each) => each.path === path)
      const isLocked = project.paths.some(isLockfile)
      verdicts.set(project.tested.path, judge(project, after, isLocked))
    }
  }
  return verdicts
}

/** Without its lockfile, a project may be another package manager's; gems are found by their lockfile alone. */
function packageManagerAfter({ tested: { packageManager }, paths }: PlannedProject): string | undefined {
  return paths.some(isLockfile) && packageManager !== 'rubygems' ? undefined : packageManager
}

/** A project that is found by its lockfile is tested by the changed manifest in the same folder. */
function pathAfter({ tested: { path }, paths }: PlannedProject, texts: ReadonlyMap<string, string>): string {
  return isLockfile(path) ? paths.find((each) => texts.has(each))! : path
}

/** Codes of refusals that the changed text itself can cause. */
const REFUSED_TEXT = ['manifest-unreadable', 'package-not-found', 'invalid-request']
/** Codes of unresolved dependencies whose version does not exist. */
const NO_VERSION = ['no-matching-version', 'not-in-registry']

function judge(project: PlannedProject, after: TestedProject | undefined, isLocked: boolean): Verdict {
  const { tested, promised, made } = project
  const { result, error } = after ?? {}
  if (result === undefined) {
    const reason = error?.message ?? 'the changed manifest is not found'
    const isBroken = error !== undefined && REFUSED_TEXT.includes(error.code)
    const broken = isBroken
      ? [...made.keys()].map((key) => [key, `the result cannot be tested: ${reason}`] as const)
      : []
    return { broken: new Map(broken), added: [], doubt: broken.length > 0 ? undefined : reason }
  }
  const broken = new Map<string, string>()
  const names = new Set(made.values())
  const open = result.coverage.unresolved.filter(({ name }) => names.has(name))
  for (const { name, code, reason } of isLocked ? [] : open) {
    if (NO_VERSION.includes(code))
      blame(
        [...made].filter(([, each]) => each === name).map(([key]) => key),
        reason,
      )
  }
  const before = listFindings(tested)
  const found = listFindings(after!)
  for (const { id, package: name, needs } of promised) {
    const stayed = found.find(
      (each) => each.id === id && each.package === name && isNewAt(each) && isBelow(each, needs),
    )
    if (stayed !== undefined) blame(needs, `the test of the result still finds ${id} in ${name}@${stayed.version}`)
  }
  const known = new Set(before.map((each) => JSON.stringify([each.id, each.package])))
  const added = found.filter((each) => !known.has(JSON.stringify([each.id, each.package])))
  return {
    broken,
    added: added.map((each) => `${each.id} in ${each.package}@${each.version}`),
    doubt: open.length === 0 ? undefined : `${open[0]!.name}: ${open[0]!.reason}`,
  }

  function blame(keys: readonly string[], reason: string): void {
    for (const key of keys) if (!broken.has(key)) broken.set(key, reason)
  }

  /** Returns false for an issue that another version of the package already had, unless its fix was promised. */
  function isNewAt({ id, package: name, version }: Finding): boolean {
    const isPromised = promised.some((each) => each.id === id && each.package === name && each.version === version)
    return isPromised || !before.some((each) => each.id === id && each.package === name && each.version === version)
  }

  function isBelow({ package: name, paths }: Finding, needs: readonly string[]): boolean {
    const upgraded = new Set(needs.map((key) => made.get(key)))
    return upgraded.has(name) || paths.some(([direct = '']) => upgraded.has(splitName(direct).name))
  }
}

type Finding = ReturnType<typeof listFindings>[number]
