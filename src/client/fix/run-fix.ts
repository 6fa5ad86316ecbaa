import { join } from 'node:path'
import { getEcosystem } from '#analysis/ecosystems/index.ts'
import { applyEdits, type Edit, type ProjectFile, type Upgrade } from '#analysis/fixes/edit.ts'
import { type FixedProject, planEdits } from '#analysis/fixes/plan-edits.ts'
import { folderOf, isBelow, resolve, seenFrom } from '#analysis/projects-in-tree/tree-paths.ts'
import { chooseProjects } from '#scanning/reading/choose-projects.ts'
import { openSourceTree, type ReadProject } from '#scanning/reading/source-tree.ts'
import type { CompareVersions } from '../best-upgrades.ts'
import { runTest, type TestContext, type TestInput, toChoice } from '../run-test.ts'
import { movePaths, type TestDocument, type TestedProject } from '../test-document.ts'
import { openWorkTree, type WorkTree } from '../work-tree.ts'
import { listNeededUpgrades, type NeededFix } from './needed-upgrades.ts'
import { findNextCommand } from './next-commands.ts'
import { type PlannedProject, verifyFix } from './verify-fix.ts'
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
  /** Issues that remain on some path, with the reason. */
  readonly left: readonly LeftIssue[]
  readonly fixedIssues: number
  /** Issues that only the changed project has. */
  readonly added: readonly string[]
  /** The reason why the test of the result proves nothing; undefined if it proves the fix. */
  readonly doubt: string | undefined
  /** To be run in `folder`. */
  readonly nextCommand: string | undefined
  readonly folder: string
}

export interface LeftIssue {
  readonly id: string
  /** `name@version` of the affected package. */
  readonly of: string
  readonly problem: string
}

/** A tested project and its files; undefined if they cannot be read. */
interface OpenedProject {
  readonly tested: TestedProject
  readonly files: FixedProject | undefined
}

/** Reasons for which upgrades are not made, by project and key. */
type Refusals = Map<string, Map<string, string>>

/**
 * Tests a folder, plans the edits of its manifests and tests the result. An upgrade that does not fix the promised
 * issues is removed from the plan. Changes nothing.
 */
export async function planFix(
  folder: string,
  input: Omit<TestInput, 'paths'>,
  { compare, ...context }: TestContext & { readonly compare: CompareVersions },
): Promise<FolderFix> {
  const source = await openWorkTree(folder, context)
  const inside = { ...context, cwd: source.root, folder: source.folder }
  const document = await runTest({ ...input, paths: [join(source.root, source.folder)] }, inside)
  const opened = await openProjects(document, source, { input, signal: context.signal })
  const refusals: Refusals = new Map()
  for (;;) {
    const { files, planned } = await planEditsOf(opened, { compare, refusals, folder: source.folder })
    const changed = new Set(files.map(({ path }) => path))
    const changing = planned.flatMap(({ project }) =>
      project.paths.some((path) => changed.has(path)) ? [project] : [],
    )
    const verdicts = await verifyFix(changing, { source, files, input, context: inside })
    let isSound = true
    for (const [path, { broken }] of verdicts) {
      if (broken.size === 0) continue
      isSound = false
      refusals.set(path, new Map([...(refusals.get(path) ?? []), ...broken]))
    }
    if (!isSound) continue
    const projects = planned.map(({ fix }) => {
      const { added = [], doubt } = verdicts.get(fix.path) ?? {}
      return { ...fix, added, doubt }
    })
    return fromFolder(source.folder, { document, files, projects })
  }
}

/** Returns the plan with paths from the folder, not from that of its workspace. */
function fromFolder(folder: string, { document, files, projects }: FolderFix): FolderFix {
  if (folder === '') return { document, files, projects }
  const toPath = (path: string) => seenFrom(folder, path)
  return {
    document: movePaths(document, toPath),
    files: files.map((each) => ({ ...each, path: toPath(each.path) })),
    projects: projects.map((each) => ({ ...each, path: toPath(each.path), folder: folderOf(toPath(each.path)) })),
  }
}

interface Opening {
  readonly input: Omit<TestInput, 'paths'>
  readonly signal: AbortSignal
}

async function openProjects(
  { projects: all }: TestDocument,
  source: WorkTree,
  { input, signal }: Opening,
): Promise<OpenedProject[]> {
  const choice = toChoice(input, source.folder)
  const tree = await openSourceTree(source, { more: new Set(choice.files), folder: choice.folder, signal })
  const { projects } = await chooseProjects(tree, choice)
  const opened: OpenedProject[] = []
  for (const tested of all) {
    const project = projects.find(({ path, ecosystem }) => path === tested.path && ecosystem === tested.packageManager)
    if (tested.result === undefined || project === undefined) continue
    opened.push({ tested, files: openProject(await tree.readProject(project), tested) })
  }
  return opened
}

type Fix = Omit<ProjectFix, 'added' | 'doubt'>

interface Planned {
  readonly project: PlannedProject
  readonly fix: Fix
}

async function planEditsOf(
  opened: readonly OpenedProject[],
  { compare, refusals, folder }: { compare: CompareVersions; refusals: Refusals; folder: string },
): Promise<{ files: ChangedFile[]; planned: Planned[] }> {
  const edits = new Map<string, Edit>()
  const texts = new Map<string, string>()
  const planned: Planned[] = []
  for (const each of opened) {
    const { tested, files } = each
    for (const { path, text } of files?.files ?? []) texts.set(path, text)
    const { edits: own, ...plan } = await planProject(each, {
      compare,
      folder,
      refused: refusals.get(tested.path) ?? new Map(),
    })
    planned.push(plan)
    for (const edit of own) keepHigher(edits, edit, (one, other) => compare(tested.packageManager, one, other))
  }
  const files = [...Map.groupBy(edits.values(), ({ path }) => path)].map(([path, own]) => {
    const before = texts.get(path)!
    return { path, before, after: applyEdits(before, own) }
  })
  return { files: files.filter(({ before, after }) => before !== after), planned }
}

/** Adds an edit. Projects share files: of two edits of the same place, keeps the higher version. */
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
  { tested, files: project }: OpenedProject,
  { compare, folder, refused }: { compare: CompareVersions; folder: string; refused: ReadonlyMap<string, string> },
): Promise<Planned & { readonly edits: readonly Edit[] }> {
  const { upgrades, issues } = listNeededUpgrades(tested, compare)
  const edits: Edit[] = []
  const made = new Map<string, Upgrade>()
  const problems = new Map(refused)
  for (const [key, upgrade] of upgrades) {
    if (problems.has(key)) continue
    const planned = project === undefined ? { problem: 'its files cannot be read' } : await planEdits(project, upgrade)
    const outside = 'problem' in planned ? undefined : planned.edits.find(({ path }) => !isBelow(path, folder))
    if ('problem' in planned) problems.set(key, planned.problem)
    else if (outside !== undefined) {
      const path = seenFrom(folder, outside.path)
      problems.set(key, `its version is in ${path}, outside of this folder. Fix the folder of that file`)
    } else {
      made.set(key, upgrade)
      edits.push(...planned.edits)
    }
  }
  const whyLeft = ({ package: name, version, needs, problem }: NeededFix): string | undefined => {
    const missing = needs.find((each) => problems.has(each))
    if (problem !== undefined || missing === undefined) return problem
    return missing === `${name}@${version}` ? problems.get(missing) : `${missing}: ${problems.get(missing)}`
  }
  const left = issues.flatMap((issue) => {
    const problem = whyLeft(issue)
    return problem === undefined ? [] : [{ id: issue.id, of: `${issue.package}@${issue.version}`, problem }]
  })
  const paths = project?.files.map(({ path }) => path) ?? []
  return {
    edits,
    project: {
      tested,
      paths,
      promised: issues.filter((issue) => whyLeft(issue) === undefined),
      made: new Map([...made].map(([key, { name }]) => [key, name])),
    },
    fix: {
      path: tested.path,
      upgrades: [...made.values()],
      refused: [...problems].map(([key, problem]) => ({ upgrade: upgrades.get(key)!, problem })),
      left,
      fixedIssues: issues.length - left.length,
      nextCommand: made.size === 0 ? undefined : findNextCommand(paths),
      folder: folderOf(tested.path),
    },
  }
}
