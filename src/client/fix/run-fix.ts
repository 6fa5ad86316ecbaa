import { getEcosystem } from '#analysis/ecosystems/index.ts'
import { applyEdits, type Edit, type ProjectFile, type Upgrade } from '#analysis/fixes/edit.ts'
import { type FixedProject, planEdits } from '#analysis/fixes/plan-edits.ts'
import { folderOf, resolve } from '#analysis/projects-in-tree/tree-paths.ts'
import { chooseProjects } from '#scanning/reading/choose-projects.ts'
import { openSourceTree, type ReadProject } from '#scanning/reading/source-tree.ts'
import type { CompareVersions } from '../best-upgrades.ts'
import { runTest, type TestContext, type TestInput, toChoice } from '../run-test.ts'
import type { TestDocument, TestedProject } from '../test-document.ts'
import { openWorkTree } from '../work-tree.ts'
import { listNeededUpgrades } from './needed-upgrades.ts'
import { findNextCommand } from './next-commands.ts'
import type { ChangedFile } from './write-files.ts'

/** The plan for one folder. Paths are from the folder. */
export interface FolderFix {
  readonly document: TestDocument
  readonly files: readonly ChangedFile[]
  readonly projects: readonly ProjectFix[]
}

export interface ProjectFix {
  readonly path: string
  readonly upgrades: readonly Upgrade[]
  /** Upgrades that cannot be made, with the reason. */
  readonly refused: readonly { readonly upgrade: Upgrade; readonly problem: string }[]
  /** Issues that stay on some path, with the reason. */
  readonly left: readonly { readonly label: string; readonly problem: string }[]
  readonly fixedIssues: number
  /** To be run in `folder`. */
  readonly nextCommand: string | undefined
  readonly folder: string
}

/** Tests a folder and plans the edits of its manifests. Changes nothing. */
export async function planFix(
  folder: string,
  input: Omit<TestInput, 'paths'>,
  { compare, ...context }: TestContext & { readonly compare: CompareVersions },
): Promise<FolderFix> {
  const whole = { ...input, paths: [folder] }
  const document = await runTest(whole, { ...context, cwd: folder })
  const tree = await openSourceTree(await openWorkTree(folder, context), {
    more: new Set(input.files),
    signal: context.signal,
  })
  const { projects } = await chooseProjects(tree, toChoice(whole))
  const edits = new Map<string, Edit>()
  const texts = new Map<string, string>()
  const fixes: ProjectFix[] = []
  for (const tested of document.projects) {
    const project = projects.find(({ path, ecosystem }) => path === tested.path && ecosystem === tested.packageManager)
    if (tested.result === undefined || project === undefined) continue
    const opened = openProject(await tree.readProject(project), tested)
    for (const { path, text } of opened?.files ?? []) texts.set(path, text)
    const { fix, edits: own } = await planProject(tested, opened, compare)
    fixes.push(fix)
    for (const each of own) keepHigher(edits, each, (one, other) => compare(tested.packageManager, one, other))
  }
  const byPath = Map.groupBy(edits.values(), ({ path }) => path)
  const files = [...byPath].map(([path, own]) => ({
    path,
    before: texts.get(path)!,
    after: applyEdits(texts.get(path)!, own),
  }))
  return { document, files: files.filter(({ before, after }) => before !== after), projects: fixes }
}

/** Projects share files; of two edits of one place the higher version stays. */
function keepHigher(edits: Map<string, Edit>, edit: Edit, compare: (one: string, other: string) => number): void {
  const key = `${edit.path}:${edit.start}`
  const known = edits.get(key)
  const version = ({ text }: Edit) => text.replace(/^\D*/, '')
  if (known === undefined || compare(version(known), version(edit)) < 0) edits.set(key, edit)
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

async function planProject(
  tested: TestedProject,
  project: FixedProject | undefined,
  compare: CompareVersions,
): Promise<{ fix: ProjectFix; edits: Edit[] }> {
  const { upgrades, issues } = listNeededUpgrades(tested, compare)
  const edits: Edit[] = []
  const made = new Map<string, Upgrade>()
  const problems = new Map<string, string>()
  for (const [key, upgrade] of upgrades) {
    const planned = project === undefined ? { problem: 'its files cannot be read' } : await planEdits(project, upgrade)
    if ('problem' in planned) problems.set(key, planned.problem)
    else {
      made.set(key, upgrade)
      edits.push(...planned.edits)
    }
  }
  const left = issues.flatMap(({ label, needs, problem }) => {
    const refused = needs.find((each) => problems.has(each))
    const why = problem ?? (refused && `${refused}: ${problems.get(refused)}`)
    return why === undefined ? [] : [{ label, problem: why }]
  })
  return {
    edits,
    fix: {
      path: tested.path,
      upgrades: [...made.values()],
      refused: [...problems].map(([key, problem]) => ({ upgrade: upgrades.get(key)!, problem })),
      left,
      fixedIssues: issues.length - left.length,
      nextCommand: made.size === 0 ? undefined : findNextCommand(project?.files.map(({ path }) => path) ?? []),
      folder: folderOf(tested.path),
    },
  }
}
