import { join } from 'node:path'
import { folderOf, seenFrom } from '#analysis/discovery/projects-in-tree/tree-paths.ts'
import type { Upgrade } from '#analysis/fixes/edit.ts'
import type { CompareVersions } from '../best-upgrades.ts'
import { runTest, type TestContext, type TestInput } from '../run-test.ts'
import { movePaths, type TestDocument } from '../test-document.ts'
import { openWorkTree } from '../work-tree.ts'
import { isGone, listAdded, listConflicts } from './judge-changes.ts'
import { findNextCommand, findRenewal, openProjects, type ProjectToFix } from './project-to-fix.ts'
import type { FixableIssue } from './remedies.ts'
import { createResolver, type Resolved, type Resolver } from './resolve-changes.ts'
import { type FoundChanges, type Resolutions, searchChanges } from './search-changes.ts'
import { applySteps } from './steps.ts'
import type { ChangedFile } from './write-files.ts'

/** The plan for one folder. Paths are from the folder. */
export interface FolderFix {
  readonly document: TestDocument
  readonly files: readonly ChangedFile[]
  readonly projects: readonly ProjectFix[]
}

export interface ProjectFix {
  readonly path: string
  readonly changes: readonly MadeChange[]
  /** Issues that remain on some path, with the reason. */
  readonly left: readonly LeftIssue[]
  /** Issues that the resolution of the changed files does not have. */
  readonly fixedIssues: number
  /** Issues that only the changed project has. */
  readonly added: readonly string[]
  /** The reason why the resolution is not whole; undefined if it is. */
  readonly doubt: string | undefined
  /** To be run in `folder`. */
  readonly nextCommand: string | undefined
  /** A command that renews locked packages, and the number of remaining issues that it ends. */
  readonly renewal: { readonly command: string; readonly issues: number } | undefined
  readonly folder: string
}

export interface MadeChange extends Upgrade {
  readonly isMajor: boolean
  /** True if the version is set for a package that others require. */
  readonly isOverride: boolean
}

export interface LeftIssue {
  readonly id: string
  /** `name@version` of the affected package. */
  readonly of: string
  readonly problem: string
}

interface FixContext extends TestContext {
  readonly compare: CompareVersions
  /** True to write new major versions. */
  readonly takesMajor: boolean
}

/** Tests a folder, and finds changes of its manifests that fix issues and that its tools accept. Changes nothing. */
export async function planFix(
  folder: string,
  input: Omit<TestInput, 'paths'>,
  { compare, takesMajor, ...context }: FixContext,
): Promise<FolderFix> {
  const source = await openWorkTree(folder, context)
  const inside = { ...context, cwd: source.root, folder: source.folder }
  const document = await runTest({ ...input, paths: [join(source.root, source.folder)] }, inside)
  const opened = await openProjects(document, source, { input, signal: context.signal, compare })
  const resolver = createResolver({ source, input, context: inside })
  const files: ChangedFile[] = []
  const fixes = new Map<ProjectToFix, ProjectFix>()
  for (const projects of groupsOf(opened)) {
    const before = await resolveBefore(projects, resolver, input)
    const changes = await searchChanges(projects, before, { resolver, compare, takesMajor })
    const own = applySteps(changes.steps, compare)
    files.push(...own)
    for (const project of projects) {
      const renewed = await renew(project, { files: own, resolver, proposal: changes, before })
      fixes.set(project, toFix(project, { proposal: changes, before, renewed, compare }))
    }
  }
  return fromFolder(source.folder, { document, files, projects: opened.flatMap((fix) => fixes.get(fix) ?? []) })
}

/** Returns the plan with paths from the folder, not from that of its workspace. */
function fromFolder(folder: string, { document, files, projects }: FolderFix): FolderFix {
  if (folder === '') return { document, files, projects }
  const toPath = (path: string) => seenFrom(folder, path)
  return {
    document: movePaths(document, toPath),
    files: files.map((file) => ({ ...file, path: toPath(file.path) })),
    projects: projects.map((project) => ({
      ...project,
      path: toPath(project.path),
      folder: folderOf(toPath(project.path)),
    })),
  }
}

/** Joins projects with issues and all that share files with them. */
function groupsOf(projects: readonly ProjectToFix[]): ProjectToFix[][] {
  const groups: { paths: Set<string>; members: ProjectToFix[] }[] = []
  for (const project of projects) {
    const joined = { paths: new Set(project.paths), members: [project] }
    const shared = groups.filter(({ paths }) => project.paths.some((path) => paths.has(path)))
    for (const group of shared) {
      for (const path of group.paths) joined.paths.add(path)
      joined.members.unshift(...group.members)
      groups.splice(groups.indexOf(group), 1)
    }
    groups.push(joined)
  }
  return groups.map(({ members }) => members).filter((members) => members.some(({ issues }) => issues.length > 0))
}

/** Resolves the unchanged projects in the way in which changes are judged. */
async function resolveBefore(
  projects: readonly ProjectToFix[],
  resolver: Resolver,
  { includeDev }: Pick<TestInput, 'includeDev'>,
): Promise<Resolutions> {
  const own = await resolver.resolve(projects, [])
  return { own, withDev: includeDev ? own : await resolver.resolve(projects, [], { includeDev: true }) }
}

interface Renewing {
  readonly files: readonly ChangedFile[]
  readonly resolver: Resolver
  readonly proposal: FoundChanges
  readonly before: Resolutions
}

/** Finds out which remaining issues end when their packages are renewed in the lockfile. */
async function renew(
  project: ProjectToFix,
  { files, resolver, proposal, before }: Renewing,
): Promise<ProjectFix['renewal']> {
  const current = proposal.resolutions.own.get(project)!
  const remaining = project.issues.filter((issue) => !isGone(issue, project, current))
  const names = [...new Set(remaining.filter(({ isRenewable }) => isRenewable).map((issue) => issue.package))].sort()
  const command = names.length === 0 ? undefined : findRenewal(project, names)
  if (command === undefined) return undefined
  const renewed = (await resolver.resolve([project], files, { renew: names })).get(project)!
  if (renewed.error !== undefined || listConflicts(before.own.get(project)!, renewed).length > 0) return undefined
  const issues = remaining.filter((issue) => isGone(issue, project, renewed)).length
  return issues === 0 ? undefined : { command, issues }
}

interface Outcome {
  readonly proposal: FoundChanges
  readonly before: Resolutions
  readonly renewed: ProjectFix['renewal']
  readonly compare: CompareVersions
}

function toFix(project: ProjectToFix, { proposal, before, renewed, compare }: Outcome): ProjectFix {
  const { path } = project.tested
  const [first, current] = [before.own.get(project)!, proposal.resolutions.own.get(project)!]
  const steps = proposal.steps.filter((step) => step.project === project)
  const changes = new Map<string, MadeChange>()
  for (const { name, from, to, isMajor, isOverride } of steps.flatMap(({ remedies }) => remedies)) {
    const [actual = to] = current.versions.get(name) ?? []
    const change = { name, from, to: isOverride ? actual : to, isMajor, isOverride }
    const existing = changes.get(`${name}@${from}`)
    if (existing === undefined || compare(project.tested.packageManager, existing.to, change.to) <= 0) {
      changes.set(`${name}@${from}`, change)
    }
  }
  const left = project.issues.filter((issue) => !isGone(issue, project, current))
  const isLocked = (issue: FixableIssue) => isGone(issue, project, first)
  const fixed = project.issues.filter((issue) => isGone(issue, project, current) && !isLocked(issue))
  const waiting = project.issues.filter((issue) => isLocked(issue) && isGone(issue, project, current))
  const next = findNextCommand(project)
  return {
    path,
    changes: [...changes.values()],
    left: [
      ...left.map((issue) => toLeft(issue, proposal.problems.get(issue) ?? issue.advice)),
      ...waiting.map((issue) => toLeft(issue, whyWaiting(first, next))),
    ],
    fixedIssues: fixed.length,
    added: listAdded(project, first, current).map((issue) => `${issue.id} in ${issue.package}@${issue.version}`),
    doubt: steps.length === 0 ? undefined : doubtOf(project, current, changes),
    nextCommand: steps.length === 0 ? undefined : next,
    renewal: renewed,
    folder: folderOf(path),
  }
}

/** Says why an issue that the tested project has is not in its resolution. */
function whyWaiting({ unresolved, error }: Resolved, command: string | undefined): string {
  const silent = unresolved.find(({ code }) => code === 'registry-unreachable')
  if (silent === undefined && error === undefined && command !== undefined)
    return `the lockfile keeps it: run "${command}"`
  return `changes cannot be tested: ${error ?? (silent === undefined ? 'it is not found again' : `${silent.name}: ${silent.reason}`)}`
}

function toLeft({ id, package: name, version }: FixableIssue, problem: string): LeftIssue {
  return { id, of: `${name}@${version}`, problem }
}

/** Returns the reason why not all is known of the resolution: of a changed package, or of what the lockfile told. */
function doubtOf(
  { tested }: ProjectToFix,
  { unresolved }: Resolved,
  changes: ReadonlyMap<string, MadeChange>,
): string | undefined {
  const names = new Set([...changes.values()].map(({ name }) => name))
  const isLocked = tested.result?.coverage.locked === true
  const before = new Set(tested.result?.coverage.unresolved.map(({ name }) => name))
  const open = unresolved.find(({ name }) => names.has(name) || (isLocked && !before.has(name)))
  return open && `${open.name}: ${open.reason}`
}
