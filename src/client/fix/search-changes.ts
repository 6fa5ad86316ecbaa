import type { CompareVersions } from '../best-upgrades.ts'
import { countIssues, describeConflict, findDowngrade, isGone, listConflicts } from './judge-changes.ts'
import type { ProjectToFix } from './project-to-fix.ts'
import {
  type FixableIssue,
  isMajorOption,
  keyOfRemedy,
  majorOf,
  type Remedy,
  SEVERAL_VERSIONS,
  toRemedy,
} from './remedies.ts'
import type { OpenDependency, Resolved, Resolver } from './resolve-changes.ts'
import { applySteps, type PlannedStep, planStep, type Step } from './steps.ts'

/** The resolutions of projects with and without development dependencies, by project. */
export interface Resolutions {
  readonly own: ReadonlyMap<ProjectToFix, Resolved>
  readonly withDev: ReadonlyMap<ProjectToFix, Resolved>
}

export interface FoundChanges {
  readonly steps: readonly PlannedStep[]
  readonly resolutions: Resolutions
  /** Reasons for which issues remain. */
  readonly problems: ReadonlyMap<FixableIssue, string>
}

interface Parts {
  readonly resolver: Resolver
  readonly compare: CompareVersions
  /** True to write new major versions. */
  readonly takesMajor: boolean
}

interface Search extends Parts {
  /** Projects that share files. */
  readonly projects: readonly ProjectToFix[]
  readonly before: Resolutions
  readonly problems: Map<FixableIssue, string>
  /** Number of options of an issue that were tried. */
  readonly tried: Map<FixableIssue, number>
  /** Issues whose upgrade another requirement forbids: an override would only silence it. */
  readonly conflicting: Set<FixableIssue>
  trials: number
  steps: readonly PlannedStep[]
  current: Resolutions
}

/** Limit of resolutions for the projects that share files. */
const MAX_TRIALS = 80
/** Limit of packages that move with another one. */
const MAX_SIBLINGS = 4

/**
 * Finds the changes after which the projects still resolve and have fewer issues. Tries the smallest remedy of each
 * issue, all of them together; if that fails, halves of them, so that a remedy that fails does not prevent the others.
 */
export async function searchChanges(
  projects: readonly ProjectToFix[],
  before: Resolutions,
  parts: Parts,
): Promise<FoundChanges> {
  const search: Search = {
    ...parts,
    projects,
    before,
    problems: new Map(),
    tried: new Map(),
    conflicting: new Set(),
    trials: 0,
    steps: [],
    current: before,
  }
  for (;;) {
    const steps = nextSteps(search)
    if (steps.length === 0) break
    for (const { issues } of steps) {
      for (const issue of issues) search.tried.set(issue, (search.tried.get(issue) ?? 0) + 1)
    }
    const planned: PlannedStep[] = []
    for (const step of steps) {
      const made = findMixture(search, step) ?? (await planStep(step))
      if ('problem' in made) blame(search, step, made.problem)
      else planned.push(made)
    }
    await addSteps(search, planned)
  }
  return { steps: search.steps, resolutions: search.current, problems: search.problems }
}

/**
 * Joins the next remedies of all issues that remain: issues with the same remedy share a step. Declared versions come
 * first, since they may make overrides superfluous.
 */
function nextSteps(search: Search): Step[] {
  const steps = new Map<string, Step>()
  for (const project of search.projects) {
    const { packageManager } = project.tested
    for (const issue of project.issues) {
      if (isGone(issue, project, search.current.own.get(project)!)) continue
      const option = nextOption(search, issue)
      if (option === undefined) continue
      const key = JSON.stringify([project.tested.path, packageManager, option.map(keyOfRemedy)])
      const existing = steps.get(key)
      const remedies = option.map((remedy, at): Remedy => {
        const other = existing?.remedies[at]
        return other !== undefined && search.compare(packageManager, other.to, remedy.to) > 0 ? other : remedy
      })
      steps.set(key, { project, remedies, issues: [...(existing?.issues ?? []), issue] })
    }
  }
  const declared = [...steps.values()].filter(({ remedies }) => remedies.every(({ isOverride }) => !isOverride))
  return declared.length > 0 ? declared : [...steps.values()]
}

/** Refuses an override that would change other major versions too. */
function findMixture({ current }: Search, { project, remedies }: Step): { readonly problem: string } | undefined {
  if (!SEVERAL_VERSIONS.includes(project.tested.packageManager)) return undefined
  const { versions } = current.own.get(project)!
  const mixed = remedies.find(
    ({ name, to, isOverride }) => isOverride && versions.get(name)?.some((version) => majorOf(version) !== majorOf(to)),
  )
  return mixed && { problem: `other major versions of ${mixed.name} are in use, which an override would change too` }
}

function nextOption(search: Search, issue: FixableIssue): readonly Remedy[] | undefined {
  const first = search.tried.get(issue) ?? 0
  const isSilencing = (option: readonly Remedy[]) =>
    search.conflicting.has(issue) && option.some(({ isOverride }) => isOverride)
  const at = issue.options.findIndex((option, index) => index >= first && !isSilencing(option))
  const option = issue.options[at]
  search.tried.set(issue, at < 0 ? issue.options.length : at)
  if (option === undefined || search.takesMajor || !isMajorOption(option)) return option
  if (!search.problems.has(issue)) {
    const major = option.find(({ isMajor }) => isMajor)!
    search.problems.set(issue, `only a new major version fixes it: ${major.name} ${major.from} → ${major.to} (--major)`)
  }
  return undefined
}

/** Adds those steps that can be made, by halves. */
async function addSteps(search: Search, batch: readonly PlannedStep[]): Promise<void> {
  if (batch.length === 0) return
  const [first] = batch
  if (batch.length === 1) return addOne(search, first!)
  if ((await tryTo(search, batch)) === undefined) return
  const half = Math.ceil(batch.length / 2)
  await addSteps(search, batch.slice(0, half))
  await addSteps(search, batch.slice(half))
}

/** Adds a step, if necessary with newer versions of packages that conflict with it. */
async function addOne(search: Search, step: PlannedStep): Promise<void> {
  let failure = await tryTo(search, [step])
  const reason = failure?.reason
  let larger: PlannedStep | undefined = step
  for (let added = 0; failure !== undefined && larger !== undefined && added < MAX_SIBLINGS; added++) {
    larger = await withSibling(search, larger, failure.conflicts)
    if (larger !== undefined) failure = await tryTo(search, [larger])
  }
  if (failure === undefined) return
  blame(search, step, reason!)
  if (failure.conflicts.length > 0) for (const issue of step.issues) search.conflicting.add(issue)
}

interface Failure {
  readonly reason: string
  readonly conflicts: readonly OpenDependency[]
}

/** Resolves the projects with further steps; keeps the steps, or returns the reason against them. */
async function tryTo(search: Search, batch: readonly PlannedStep[]): Promise<Failure | undefined> {
  if (search.trials >= MAX_TRIALS) return { reason: 'too many changes were tried', conflicts: [] }
  search.trials++
  const { projects, resolver, compare, before, current } = search
  const steps = [...search.steps, ...batch]
  const files = applySteps(steps, compare)
  const paths = new Set(files.map(({ path }) => path))
  const affected = projects.filter((project) => project.paths.some((path) => paths.has(path)))
  const own = await resolver.resolve(affected, files)
  const failure = judge(own, current.own)
  if (failure !== undefined) return failure
  const withDev = before.own === before.withDev ? own : await resolver.resolve(affected, files, { includeDev: true })
  const devFailure = firstConflict(withDev, before.withDev)
  if (devFailure !== undefined) return devFailure
  search.steps = steps
  search.current = {
    own: new Map([...current.own, ...own]),
    withDev: new Map([...current.withDev, ...withDev]),
  }
  return undefined

  function judge(after: ReadonlyMap<ProjectToFix, Resolved>, last: Resolutions['own']): Failure | undefined {
    const conflict = firstConflict(after, before.own)
    if (conflict !== undefined) return conflict
    for (const [project, resolved] of after) {
      const downgrade = findDowngrade(project, { before: last.get(project)!, after: resolved }, compare)
      if (downgrade !== undefined) return { reason: downgrade, conflicts: [] }
    }
    for (const { project, issues } of batch) {
      const resolved = after.get(project)
      const remaining = issues.filter((issue) => resolved === undefined || !isGone(issue, project, resolved))
      if (remaining.length < issues.length) continue
      const { id, package: name } = issues[0]!
      const at = resolved?.issues.find((issue) => issue.id === id && issue.package === name)
      return { reason: `the result still has ${id} in ${name}@${at?.version ?? issues[0]!.version}`, conflicts: [] }
    }
    const count = (all: Resolutions['own']) =>
      affected.reduce((sum, project) => sum + countIssues(all.get(project)!), 0)
    return count(after) < count(last)
      ? undefined
      : { reason: 'it would bring as many issues as it fixes', conflicts: [] }
  }
}

function firstConflict(after: Resolutions['own'], before: Resolutions['own']): Failure | undefined {
  for (const [project, resolved] of after) {
    if (resolved.error !== undefined) return { reason: `the result cannot be tested: ${resolved.error}`, conflicts: [] }
    const conflicts = listConflicts(before.get(project)!, resolved)
    if (conflicts.length > 0) return { reason: describeConflict(conflicts[0]!), conflicts }
  }
  return undefined
}

/** Adds the smallest newer version of a declared package that ends a conflict. */
async function withSibling(
  { current, takesMajor }: Search,
  step: PlannedStep,
  conflicts: readonly OpenDependency[],
): Promise<PlannedStep | undefined> {
  for (const { name, range, code } of conflicts) {
    const from = current.own.get(step.project)?.versions.get(name)?.[0]
    if (code !== 'no-matching-version' || from === undefined || step.remedies.some((remedy) => remedy.name === name))
      continue
    const to = lowestAbove(range, from)
    if (to === undefined || (!takesMajor && majorOf(from) !== majorOf(to))) continue
    const planned = await planStep({ ...step, remedies: [...step.remedies, toRemedy({ name, from, to }, false)] })
    if (!('problem' in planned)) return planned
  }
  return undefined
}

/** Returns the first lower bound of a range that another version than the current one meets. */
function lowestAbove(range: string, current: string): string | undefined {
  const bounds = [...range.matchAll(/(?:>=|==|=|~=|~>|\^|~)\s*v?(\d[\w.+-]*)/g)].map((match) => match[1]!)
  return bounds.find((bound) => bound !== current)
}

function blame({ problems }: Search, { issues }: Step, reason: string): void {
  for (const issue of issues) problems.set(issue, reason)
}
