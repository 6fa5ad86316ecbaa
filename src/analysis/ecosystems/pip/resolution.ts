import type { Candidate, Want } from './candidate.ts'
import { addReason, filterReasons, listReasons, noReasons, type Reason } from './reasons.ts'
import { type Criterion, createSearchState, type Position, type SearchState } from './search-state.ts'

/** What the search knows when it asks which criterion to decide. */
export interface Choice extends Position {
  /** What stood in the last conflict. */
  readonly causes: readonly Reason[]
}

/** What resolving asks of the package manager. */
export interface Provider {
  findMatches(
    id: string,
    /** Those that demand the same only once. */
    wantsOf: (id: string) => readonly Want[],
    incompatible: readonly Candidate[],
  ): Promise<readonly Candidate[]>
  /** Undefined for a candidate that turns out not to be one. */
  dependenciesOf(candidate: Candidate): Promise<readonly Want[] | undefined>
  isSatisfied(want: Want, candidate: Candidate): boolean
  /** Hears of each undecided criterion that is new or was changed. */
  onOpen(id: string, criterion: Criterion): void
  /** Of the undecided ones, at least two, the one to decide next. */
  choose(choice: Choice): string
}

/** Bounds on one search. */
export interface SearchLimits {
  readonly rounds: number
  /** Rounds that led no further than earlier ones. */
  readonly detours: number
}

export type Resolution = { readonly rounds: number } & (
  | { readonly kind: 'solved'; readonly chosen: ReadonlyMap<string, Candidate> }
  /** Demands of the project itself that nothing meets, one of each of these projects. */
  | { readonly kind: 'roots-unmet'; readonly conflicts: readonly Criterion[] }
  /** What stood against each version that was tried last. */
  | { readonly kind: 'impossible'; readonly conflicts: readonly Criterion[] }
  /** It took too long; `conflicts` are those that were met last. */
  | { readonly kind: 'bound-met'; readonly conflicts: readonly Criterion[] }
)

/** A place to go back to. */
interface Stage {
  readonly mark: number
  causes: readonly Reason[]
}

interface Saved {
  readonly stages: readonly Stage[]
  restore(): void
}

interface Search {
  readonly provider: Provider
  readonly state: SearchState
  stages: Stage[]
  /** Kept when stages were first thrown away on a guess, to go back to if that leads nowhere. */
  saved: Saved | undefined
  isOptimistic: boolean
  guessingSince: number | undefined
  lastConflicts: readonly Criterion[]
  /** The most stages that there were. */
  deepest: number
}

const GUESSING_PART = 0.1

/**
 * Decides one version of everything that is asked for, the most wanted first, as resolvelib does (the library that pip
 * resolves with, in version 1.2): a decision that cannot be made throws away earlier ones until one is gone that had a
 * part in the conflict, and its version is not tried again in that place.
 */
export async function resolve(roots: readonly Want[], provider: Provider, limits: SearchLimits): Promise<Resolution> {
  const search: Search = {
    provider,
    state: createSearchState(provider),
    stages: [{ mark: 0, causes: [] }],
    saved: undefined,
    isOptimistic: true,
    guessingSince: undefined,
    lastConflicts: [],
    deepest: 0,
  }
  const { state } = search
  const unmet = await addRoots(search, roots)
  if (unmet.length > 0) return { kind: 'roots-unmet', conflicts: unmet, rounds: 0 }
  push(search)
  let rounds = 0
  for (; rounds < limits.rounds && rounds - search.deepest < limits.detours; rounds++) {
    if (hasGuessedTooLong(search, limits.rounds - rounds)) {
      stopGuessing(search)
      continue
    }
    if (state.undecided.size === 0) return { kind: 'solved', chosen: connectedOf(state), rounds }
    const impossible = await decide(search)
    if (impossible !== undefined) return { kind: 'impossible', conflicts: impossible, rounds }
  }
  return { kind: 'bound-met', conflicts: search.lastConflicts, rounds }
}

/** Gives the criteria that nothing meets; they have no influence on those of other projects. */
async function addRoots(search: Search, roots: readonly Want[]): Promise<Criterion[]> {
  const unmet = new Map<string, Criterion>()
  for (const want of roots) {
    if (unmet.has(want.project)) continue
    const conflict = await add(search, { want, parent: undefined })
    if (conflict !== undefined) unmet.set(want.project, conflict)
  }
  return [...unmet.values()]
}

/** One round; gives the conflicts when there is no way left. */
async function decide(search: Search): Promise<readonly Criterion[] | undefined> {
  const { state, provider } = search
  const mark = state.mark()
  const [first] = state.undecided
  const { causes } = top(search)
  const id = state.undecided.size === 1 ? first! : provider.choose({ ...state, causes })
  const conflicts = await pin(search, id)
  if (conflicts.length === 0) {
    forget(state, state.undoneSince(mark))
    push(search)
    return undefined
  }
  search.lastConflicts = conflicts
  const found = [...new Set(conflicts.flatMap(({ reasons }) => listReasons(reasons)))]
  const canGoOn = await goBack(search, found)
  if (!canGoOn && search.isOptimistic && search.saved !== undefined) {
    stopGuessing(search)
    return undefined
  }
  if (!canGoOn) return conflicts
  top(search).causes = found
  return undefined
}

async function pin(search: Search, id: string): Promise<readonly Criterion[]> {
  const { state, provider } = search
  const criterion = state.criteria.get(id)!
  const conflicts: Criterion[] = []
  for (const candidate of criterion.candidates) {
    const wants = await provider.dependenciesOf(candidate)
    if (wants === undefined) continue
    const mark = state.mark()
    const conflict = await addAll(search, { wants, parent: candidate })
    if (conflict === undefined) {
      state.decide(id, candidate)
      return []
    }
    state.undoTo(mark)
    conflicts.push(conflict)
  }
  return conflicts.length === 0 ? [criterion] : conflicts
}

async function addAll(
  search: Search,
  { wants, parent }: { wants: readonly Want[]; parent: Candidate },
): Promise<Criterion | undefined> {
  for (const want of wants) {
    const conflict = await add(search, { want, parent })
    if (conflict !== undefined) return conflict
  }
  return undefined
}

/** Gives the criterion that nothing meets, if it comes to that. */
async function add({ provider, state }: Search, reason: Reason): Promise<Criterion | undefined> {
  const { id } = reason.want
  const known = state.criteria.get(id)
  const incompatible = known?.incompatible ?? []
  const reasons = addReason(known?.reasons ?? noReasons, reason)
  const wantsOf = (each: string) => (each === id ? reasons.wants : wantsIn(state, each))
  const candidates = await provider.findMatches(id, wantsOf, incompatible)
  const criterion = { candidates, reasons, incompatible }
  if (candidates.length === 0) return criterion
  state.setCriterion(id, criterion)
  return undefined
}

function wantsIn({ criteria }: Position, id: string): readonly Want[] {
  return criteria.get(id)?.reasons.wants ?? []
}

/** Throws away decisions until a stage is found that can go on; false when there is none. */
async function goBack(search: Search, causes: readonly Reason[]): Promise<boolean> {
  const involved = new Set(
    causes.flatMap(({ want, parent }) => [want.id, ...(parent === undefined ? [] : [parent.id])]),
  )
  while (search.stages.length >= 3) {
    pop(search)
    const excluded = await undo(search, involved)
    if (excluded === undefined) return false
    push(search)
    if (await exclude(search, excluded)) return true
  }
  return false
}

type Excluded = readonly (readonly [id: string, candidates: readonly Candidate[]])[]

/** Takes decisions back; gives what is then known not to work. */
async function undo(search: Search, involved: ReadonlySet<string>): Promise<Excluded | undefined> {
  const { state, provider } = search
  for (;;) {
    const last = state.last()
    if (last === undefined) return undefined
    const [id, candidate] = last
    const isLastOne = state.chosen.size === 1
    const excluded = [...excludedIn(state), [id, [candidate]] as const]
    pop(search)
    if (!involved.has(id)) {
      if (!search.isOptimistic) return excluded
      search.saved ??= save(search)
    }
    const wants = (await provider.dependenciesOf(candidate)) ?? []
    if (wants.some((want) => involved.has(want.id)) || isLastOne) return excluded
    if (search.stages.length <= 1) return undefined
  }
}

function excludedIn({ criteria, excluding }: Position): Excluded {
  return [...excluding].map((id) => [id, criteria.get(id)!.incompatible] as const)
}

/** Takes what is known not to work out of the newest stage; false when that leaves nothing of something. */
async function exclude({ provider, state }: Search, excluded: Excluded): Promise<boolean> {
  for (const [id, more] of excluded) {
    const criterion = state.criteria.get(id)
    if (criterion === undefined) continue
    const incompatible = [...new Set([...more, ...criterion.incompatible])]
    const candidates = await provider.findMatches(id, (each) => wantsIn(state, each), incompatible)
    if (candidates.length === 0) return false
    state.setCriterion(id, { ...criterion, candidates, incompatible })
  }
  return true
}

function hasGuessedTooLong(search: Search, rounds: number): boolean {
  if (!search.isOptimistic || search.saved === undefined) return false
  search.guessingSince ??= rounds
  return search.guessingSince - rounds >= search.guessingSince * GUESSING_PART
}

function stopGuessing(search: Search): void {
  const { saved } = search
  search.isOptimistic = false
  search.saved = undefined
  if (saved === undefined) return
  saved.restore()
  search.stages = [...saved.stages]
}

function push(search: Search): void {
  const { stages, state } = search
  stages.push({ mark: state.mark(), causes: stages.at(-1)!.causes })
  search.deepest = Math.max(search.deepest, stages.length)
}

function pop({ stages, state }: Search): void {
  state.undoTo(stages.pop()!.mark)
}

function top({ stages }: Search): Stage {
  return stages.at(-1)!
}

function save({ stages, state }: Search): Saved {
  return { stages: stages.map((stage) => ({ ...stage })), restore: state.save() }
}

/** What decisions that no longer hold asked for does not count. */
function forget(state: SearchState, undone: ReadonlySet<string>): void {
  if (undone.size === 0) return
  for (const [id, criterion] of state.criteria) {
    const reasons = filterReasons(criterion.reasons, ({ parent }) => parent === undefined || !undone.has(parent.id))
    if (reasons !== criterion.reasons) state.setCriterion(id, { ...criterion, reasons })
  }
}

/** What the project reaches; earlier decisions may have left more. */
function connectedOf({ chosen, criteria }: Position): ReadonlyMap<string, Candidate> {
  const children = new Map<Candidate | undefined, string[]>()
  for (const [id, { reasons }] of criteria) {
    for (const { parent } of listReasons(reasons)) {
      const known = children.get(parent)
      if (known === undefined) children.set(parent, [id])
      else known.push(id)
    }
  }
  const connected = new Set<string>()
  const queue = [...(children.get(undefined) ?? [])]
  for (const id of queue) {
    if (connected.has(id)) continue
    connected.add(id)
    queue.push(...(children.get(chosen.get(id)) ?? []))
  }
  return new Map([...chosen].filter(([id]) => connected.has(id)))
}
