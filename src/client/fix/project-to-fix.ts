import { commandOf, isLockfile, renewalOf } from '#analysis/discovery/projects-in-tree/lockfiles.ts'
import { folderOf, resolve } from '#analysis/discovery/projects-in-tree/tree-paths.ts'
import { getEcosystem } from '#analysis/ecosystems/index.ts'
import type { ProjectFile } from '#analysis/fixes/edit.ts'
import type { FixedProject } from '#analysis/fixes/plan-edits.ts'
import { chooseProjects } from '#scanning/reading/choose-projects.ts'
import { openSourceTree, type ReadProject } from '#scanning/reading/source-tree.ts'
import type { CompareVersions } from '../best-upgrades.ts'
import { type TestInput, toChoice } from '../run-test.ts'
import type { TestDocument, TestedProject } from '../test-document.ts'
import type { WorkTree } from '../work-tree.ts'
import { type FixableIssue, listFixableIssues } from './remedies.ts'

/** A tested project and its files; undefined if they cannot be read. */
export interface ProjectToFix {
  readonly tested: TestedProject
  readonly files: FixedProject | undefined
  /** Paths of all its files. */
  readonly paths: readonly string[]
  readonly issues: readonly FixableIssue[]
  /** The folder in which files may change; `paths` may also name files around it. */
  readonly folder: string
}

interface Opening {
  readonly input: Omit<TestInput, 'paths'>
  readonly signal: AbortSignal
  readonly compare: CompareVersions
}

export async function openProjects(
  { projects: all }: TestDocument,
  source: WorkTree,
  { input, signal, compare }: Opening,
): Promise<ProjectToFix[]> {
  const choice = toChoice(input, source.folder)
  const tree = await openSourceTree(source, { more: new Set(choice.files), folder: choice.folder, signal })
  const { projects } = await chooseProjects(tree, choice)
  const opened: ProjectToFix[] = []
  for (const tested of all) {
    const project = projects.find(({ path, ecosystem }) => path === tested.path && ecosystem === tested.packageManager)
    if (tested.result === undefined || project === undefined) continue
    const files = openProject(await tree.readProject(project), tested)
    const paths = files?.files.map(({ path }) => path) ?? []
    const unplanned = { tested, files, paths, issues: [], folder: source.folder }
    const issues = listFixableIssues(tested, compare).map((issue) =>
      issue.isRenewable && findRenewal(unplanned, [issue.package]) !== undefined ? { ...issue, options: [] } : issue,
    )
    opened.push({ ...unplanned, issues })
  }
  return opened
}

/** Returns the files of a project; only those in UTF-8, since others could not be written as they were. */
function openProject(read: ReadProject, { packageManager }: TestedProject): FixedProject | undefined {
  if (read.problem !== undefined || read.subject.kind !== 'files') return undefined
  const { target, additional, places } = read.subject
  const toText = (content: string) => Buffer.from(content, 'base64').toString('utf8')
  const isWhole = (content: string) => Buffer.from(toText(content)).equals(Buffer.from(content, 'base64'))
  const folder = folderOf(places!.target)
  const all = [
    { path: places!.target, content: target },
    ...additional.map((content, at) => ({ path: resolve(folder, places!.additional[at]!) ?? '', content })),
  ]
  const files = all.map(({ path, content }): ProjectFile => ({ path, text: isWhole(content) ? toText(content) : '' }))
  const [first, ...others] = files.map(({ text }) => text)
  return {
    ecosystem: getEcosystem(packageManager),
    manifest: { target: first!, additional: others, places: places! },
    files,
  }
}

/** Returns the command that brings the project's lockfile up to date; undefined without one. */
export function findNextCommand({ paths }: ProjectToFix): string | undefined {
  const isModule = paths.some((path) => path === 'go.mod' || path.endsWith('/go.mod'))
  return isModule ? 'go mod tidy' : paths.map(commandOf).find((command) => command !== undefined)
}

/** Returns the command that renews packages in the project's lockfile. */
export function findRenewal({ files }: ProjectToFix, names: readonly string[]): string | undefined {
  const lock = files?.files.find(({ path }) => isLockfile(path))
  return lock && renewalOf(lock.path, lock.text, names)
}
