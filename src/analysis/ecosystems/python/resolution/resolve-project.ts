import type { Unresolved } from '#analysis/dependency-graph.ts'
import { shorten } from '#analysis/documents/json-document.ts'
import type { PythonVersion } from '#analysis/versions/pep440-version.ts'
import { orderVersions, parsePythonVersion } from '#analysis/versions/pep440-version.ts'
import { describeTarget } from '../packaging/environment.ts'
import { meetsAll, type PublishedFile } from '../packaging/published-files.ts'
import { type DirectPackage, findPin, withPlace } from '../requirements/requested-packages.ts'
import { targetName } from '../requirements/walk-files.ts'
import { type Candidate, PYTHON, type Want, wantExactly } from './candidate.ts'
import type { Absence } from './project-reads.ts'
import { createProvider, demandKey, type PipProvider, type ProviderParts, toWants } from './provider.ts'
import { toUnknown } from './published-candidates.ts'
import { listReasons, type Reason } from './reasons.ts'
import { resolve, type SearchLimits } from './resolution.ts'
import type { Criterion } from './search-state.ts'
import { takeWhatFits } from './take-what-fits.ts'

/** A direct package and its resolved demands. */
interface Root {
  readonly direct: DirectPackage
  wants: readonly Want[]
  /** True if its pin is taken although no listed version meets it. */
  isGiven: boolean
}

export interface ProjectResolution {
  readonly chosen: ReadonlyMap<string, Candidate>
  /** Demands that contradict others or that nothing meets. */
  readonly failures: readonly Unresolved[]
  readonly boundsMet: readonly string[]
}

export type ResolveParts = Omit<ProviderParts, 'order' | 'dropped'>

/** Limit of rounds of the main search; pip itself allows 200,000. */
const MAX_ROUNDS = 100_000
/** Limit of rounds for all searches after a contradiction was found. */
const MAX_ROUNDS_AFTERWARD = 50_000
/** Limit of detours for each search after a contradiction: enough to find a way around. */
const MAX_DETOURS_AFTERWARD = 1_000
const MAX_ATTEMPTS = 200

/**
 * Resolves the packages that pip would install. If pip would fail, because demands contradict each other or nothing
 * meets one, reports the obstructing demand and resolves the rest without it; of two, a package's demand rather than
 * the project's. The project's pins are always taken, since they need no registry. At a limit, takes the fitting
 * versions without backtracking.
 */
export async function resolveProject(
  direct: readonly DirectPackage[],
  parts: ResolveParts,
): Promise<ProjectResolution> {
  const roots = direct.map(
    (directPackage): Root => ({ direct: directPackage, wants: wantsOf(directPackage), isGiven: false }),
  )
  const relaxing: Relaxing = { roots, dropped: new Set(), parts }
  const failures: Unresolved[] = []
  const boundsMet: string[] = []
  for (const { requirement, elsewhere } of direct)
    if (elsewhere === undefined) parts.reads.prefetch(requirement.project)
  let limits: SearchLimits = { rounds: MAX_ROUNDS, detours: MAX_ROUNDS }
  let roundsLeft = MAX_ROUNDS_AFTERWARD
  for (let attempts = 0; attempts < MAX_ATTEMPTS && roundsLeft > 0; attempts++) {
    const resolution = await resolve(inOrder(roots), providerOf(relaxing), limits)
    if (resolution.kind === 'solved') return { chosen: resolution.chosen, failures, boundsMet }
    const { kind, conflicts, rounds } = resolution
    if (kind === 'bound-met' && failures.length === 0) {
      boundsMet.push(`The search for versions ended after ${rounds} rounds; not all combinations were tried`)
    }
    if (conflicts.length === 0) break
    const counted = kind === 'roots-unmet' ? conflicts : conflicts.slice(0, 1)
    for (const conflict of counted) failures.push(...(await relax(conflict, relaxing)))
    if (attempts > 0) roundsLeft -= rounds + roots.length
    limits = { rounds: roundsLeft, detours: MAX_DETOURS_AFTERWARD }
  }
  const chosen = await takeRest(relaxing, failures)
  const reason = `Resolving ended early, with ${failures.length} conflicts; the first requirement of each was kept`
  failures.push({ name: targetName, range: '', code: 'bound-met', reason, requiredBy: targetName })
  return { chosen, failures, boundsMet: [...boundsMet, reason] }
}

function providerOf({ roots, dropped, parts }: Relaxing): PipProvider {
  return createProvider({ ...parts, order: orderOf(roots), dropped })
}

/** Takes one version of everything; adds unmet demands to the failures. */
async function takeRest(relaxing: Relaxing, failures: Unresolved[]): Promise<ReadonlyMap<string, Candidate>> {
  let taken = await takeWhatFits(inOrder(relaxing.roots), providerOf(relaxing))
  const absent = taken.unmet.filter(
    ({ reason: { want, parent } }) => parent === undefined && !taken.chosen.has(want.id),
  )
  if (absent.length > 0) {
    for (const { reason } of absent) failures.push(...(await relaxRoot(reason.want, [], relaxing)))
    taken = await takeWhatFits(inOrder(relaxing.roots), providerOf(relaxing))
  }
  for (const { reason, others } of taken.unmet) {
    const { want, parent } = reason
    if (parent === undefined) failures.push(...(await relaxRoot(want, others, relaxing)))
    else failures.push(await describeDemand({ want, parent }, others, relaxing))
  }
  return taken.chosen
}

/** Returns the demands of a direct package; an address allows only itself. */
function wantsOf({ requirement, elsewhere }: DirectPackage): readonly Want[] {
  if (elsewhere === undefined) return toWants(requirement)
  return [wantExactly(toGiven(requirement.project, elsewhere.version))]
}

function toGiven(project: string, version: string | undefined, file?: PublishedFile): Candidate {
  const parsed = version === undefined ? undefined : parsePythonVersion(version)
  return { ...toUnknown(project), version, parsed, file, isGiven: true }
}

function orderOf(roots: readonly Root[]): Map<string, number> {
  const order = new Map<string, number>()
  for (const [index, { wants }] of roots.entries()) {
    const [first] = wants
    if (first !== undefined && !order.has(first.id)) order.set(first.id, index)
  }
  return order
}

/** Returns the root demands; those with extras last, when the others are known. */
function inOrder(roots: readonly Root[]): Want[] {
  const wants = roots.flatMap((root) => root.wants)
  return [...wants.filter(({ extras }) => extras.length === 0), ...wants.filter(({ extras }) => extras.length > 0)]
}

interface Relaxing {
  readonly roots: readonly Root[]
  readonly dropped: Set<string>
  readonly parts: ResolveParts
}

/** Drops one demand and returns it; nothing if its package was dropped before. */
async function relax(conflict: Criterion, relaxing: Relaxing): Promise<Unresolved[]> {
  const reasons = listReasons(conflict.reasons)
  const own = reasons.findLast(({ parent }) => parent === undefined)
  const foreign = reasons.filter((reason): reason is Reason & { parent: Candidate } => reason.parent !== undefined)
  const demand = foreign.findLast(({ want }) => want.exact === undefined) ?? foreign.at(-1)
  if (demand === undefined) return relaxRoot(own!.want, reasons, relaxing)
  relaxing.dropped.add(demandKey(demand.parent, demand.want))
  return [await describeDemand(demand, reasons, relaxing)]
}

async function describeDemand(
  { want, parent }: Reason & { parent: Candidate },
  reasons: readonly Reason[],
  { parts }: Relaxing,
): Promise<Unresolved> {
  const entry = { name: want.project, range: shorten(want.range), requiredBy: toLabel(parent) }
  if (want.id === PYTHON) {
    const reason = `Its version requires another Python than ${parts.environment.target.version}`
    return { ...entry, name: 'Python', code: 'no-matching-version', reason }
  }
  const others = reasons.filter((reason) => reason.want !== want && reason.want.range !== '')
  if (others.length > 0) return { ...entry, code: 'no-matching-version', reason: contradiction(others, parts) }
  return { ...entry, ...(await explain(want, parts)) }
}

/**
 * Drops the demands of a direct package; a pin stays as a fixed package. Returns nothing if they were dropped with
 * another of them: each extra is one.
 */
async function relaxRoot(want: Want, reasons: readonly Reason[], { roots, parts }: Relaxing): Promise<Unresolved[]> {
  const root = roots.findLast(({ wants }) => wants.includes(want))
  if (root === undefined) return []
  const { requirement, elsewhere } = root.direct
  const entry = { name: requirement.project, range: requirement.range }
  const others = reasons.filter((reason) => !root.wants.includes(reason.want))
  root.wants = []
  if (others.length > 0) {
    return [withPlace({ ...entry, code: 'no-matching-version', reason: contradiction(others, parts) }, root.direct)]
  }
  const why = await explain(want, parts)
  const version = findPin(requirement)
  if (version !== undefined && elsewhere === undefined && !root.isGiven) {
    root.isGiven = true
    const files = await parts.reads.files(requirement.project)
    const file = 'code' in files ? undefined : files.find((file) => meetsAll(requirement.specifiers, file))
    root.wants = [wantExactly(toGiven(requirement.project, file?.version ?? version, file))]
  }
  return [withPlace({ ...entry, ...why }, root.direct)]
}

function contradiction(others: readonly Reason[], { constraints }: ResolveParts): string {
  const [first] = others
  const limits = constraints.has(first!.want.project) ? ' and the constraints' : ''
  const demands = others.slice(0, 3).map(({ want, parent }) => `${want.id}${want.range} of ${toLabel(parent)}`)
  return `It conflicts with ${shorten(demands.join(', '))}${limits}`
}

/** Explains an unmet demand on its own. */
async function explain({ project, specifiers }: Want, parts: ResolveParts): Promise<Absence> {
  const files = await parts.reads.files(project)
  if ('code' in files) return files
  const code = 'no-matching-version'
  const meeting = files.filter((file) => meetsAll(specifiers, file))
  const [first] = meeting.toSorted(newestFirst)
  const limits = parts.constraints.get(project) ?? []
  if (first === undefined) return { code, reason: 'No published version matches' }
  if (meeting.every((file) => !meetsAll(limits, file))) return { code, reason: 'No version satisfies the constraints' }
  const here = describeTarget(parts.environment.target)
  if (first.misfit !== undefined)
    return { code, reason: `${first.version} cannot be installed for ${here}: ${first.misfit}` }
  return {
    code,
    reason: meeting.every(({ isYanked }) => isYanked)
      ? 'All matching versions are yanked'
      : 'pip refuses the metadata of every matching version',
  }
}

function newestFirst(a: { parsed: PythonVersion }, b: { parsed: PythonVersion }): number {
  return orderVersions(b.parsed, a.parsed)
}

function toLabel(parent: Candidate | undefined): string {
  return parent === undefined ? 'the project' : `${parent.project}@${parent.version}`
}
