import type { Candidate, Want } from './candidate.ts'
import { addReason, filterReasons, listReasons, noReasons, type Reason } from './reasons.ts'
import { type Criterion, createSearchState, type Position, type SearchState } from './search-state.ts'

/** The state from which the next criterion is chosen. */
export interface Choice extends Position {
  /** The reasons of the last conflict. */
  readonly causes: readonly Reason[]
}

/** The package manager's part of resolution. */
export interface Provider {
  findMatches(
    id: string,
    /** The distinct demands. */
    wantsOf: (id: string) => readonly Want[],
    incompatible: readonly Candidate[],
  ): Promise<readonly Candidate[]>
  /** Returns the dependencies; undefined if the candidate turns out to be invalid. */
  dependenciesOf(candidate: Candidate): Promise<readonly Want[] | undefined>
  isSatisfied(want: Want, candidate: Candidate): boolean
  /** Called for each new or changed undecided criterion. */
  onOpen(id: string, criterion: Criterion): void
  /** Chooses the next of at least two undecided criteria. */
  choose(choice: Choice): string
}

/** Limits of one search. */
export interface SearchLimits {
  readonly rounds: number
  /** Rounds without progress beyond earlier ones. */
  readonly detours: number
}

export type Resolution = { readonly rounds: number } & (
  | { readonly kind: 'solved'; readonly chosen: ReadonlyMap<string, Candidate> }
  /** Unmet demands of the project itself, one per project. */
  | { readonly kind: 'roots-unmet'; readonly conflicts: readonly Criterion[] }
  /** The conflicts of each version tried last. */
  | { readonly kind: 'impossible'; readonly conflicts: readonly Criterion[] }
  /** A limit was reached; `conflicts` are the last ones. */
  | { readonly kind: 'bound-met'; readonly conflicts: readonly Criterion[] }
)

/** A state for backtracking. */
interface DecisionLevel {
  readonly mark: number
  causes: readonly Reason[]
}

interface Saved {
  readonly levels: readonly DecisionLevel[]
  restore(): void
}

interface Search {
  readonly provider: Provider
  readonly state: SearchState
  levels: DecisionLevel[]
  /** The state before the first backjump on a guess, restored if the guess fails. */
  saved: Saved | undefined
  isOptimistic: boolean
  guessingSince: number | undefined
  lastConflicts: readonly Criterion[]
  /** The deepest level reached. */
  deepest: number
}

const GUESSING_PART = 0.1

/**
 * Decides one version of every required project, most preferred first, as resolvelib does (pip's resolver library,
 * version 1.2): an impossible decision removes earlier ones until one with a part in the conflict is gone, whose
 * version is then excluded there.
 */
export async function resolve(roots: readonly Want[], provider: Provider, limits: SearchLimits): Promise<Resolution> {
  const search: Search = {
    provider,
    state: createSearchState(provider),
    levels: [{ mark: 0, causes: [] }],
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

/** Adds the root demands. Returns the unmet ones, which do not affect those of other projects. */
async function addRoots(search: Search, roots: readonly Want[]): Promise<Criterion[]> {
  const unmet = new Map<string, Criterion>()
  for (const want of roots) {
    if (unmet.has(want.project)) continue
    const conflict = await add(search, { want, parent: undefined })
    if (conflict !== undefined) unmet.set(want.project, conflict)
  }
  return [...unmet.values()]
}

/** Runs one round. Returns the conflicts if no way is left. */
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
  const conflictReasons = [...new Set(conflicts.flatMap(({ reasons }) => listReasons(reasons)))]
  const canGoOn = await goBack(search, conflictReasons)
  if (!canGoOn && search.isOptimistic && search.saved !== undefined) {
    stopGuessing(search)
    return undefined
  }
  if (!canGoOn) return conflicts
  top(search).causes = conflictReasons
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

/** Adds a reason. Returns the criterion if nothing meets it. */
async function add({ provider, state }: Search, reason: Reason): Promise<Criterion | undefined> {
  const { id } = reason.want
  const previous = state.criteria.get(id)
  const incompatible = previous?.incompatible ?? []
  const reasons = addReason(previous?.reasons ?? noReasons, reason)
  const wantsOf = (otherId: string) => (otherId === id ? reasons.wants : wantsIn(state, otherId))
  const candidates = await provider.findMatches(id, wantsOf, incompatible)
  const criterion = { candidates, reasons, incompatible }
  if (candidates.length === 0) return criterion
  state.setCriterion(id, criterion)
  return undefined
}

function wantsIn({ criteria }: Position, id: string): readonly Want[] {
  return criteria.get(id)?.reasons.wants ?? []
}

/** Removes decisions until a level can continue; false if there is none. */
async function goBack(search: Search, causes: readonly Reason[]): Promise<boolean> {
  const involved = new Set(
    causes.flatMap(({ want, parent }) => [want.id, ...(parent === undefined ? [] : [parent.id])]),
  )
  while (search.levels.length >= 3) {
    pop(search)
    const excluded = await undo(search, involved)
    if (excluded === undefined) return false
    push(search)
    if (await exclude(search, excluded)) return true
  }
  return false
}

type Excluded = readonly (readonly [id: string, candidates: readonly Candidate[]])[]

/** Undoes decisions. Returns the candidates that are then known to fail. */
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
    if (search.levels.length <= 1) return undefined
  }
}

function excludedIn({ criteria, excluding }: Position): Excluded {
  return [...excluding].map((id) => [id, criteria.get(id)!.incompatible] as const)
}

/** Excludes known failures from the newest level; false if a project has no candidate left. */
async function exclude({ provider, state }: Search, excluded: Excluded): Promise<boolean> {
  for (const [id, more] of excluded) {
    const criterion = state.criteria.get(id)
    if (criterion === undefined) continue
    const incompatible = [...new Set([...more, ...criterion.incompatible])]
    const candidates = await provider.findMatches(id, (otherId) => wantsIn(state, otherId), incompatible)
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
  search.levels = [...saved.levels]
}

function push(search: Search): void {
  const { levels, state } = search
  levels.push({ mark: state.mark(), causes: levels.at(-1)!.causes })
  search.deepest = Math.max(search.deepest, levels.length)
}

function pop({ levels, state }: Search): void {
  state.undoTo(levels.pop()!.mark)
}

function top({ levels }: Search): DecisionLevel {
  return levels.at(-1)!
}

function save({ levels, state }: Search): Saved {
  return { levels: levels.map((level) => ({ ...level })), restore: state.save() }
}

/** Removes demands of undone decisions. */
function forget(state: SearchState, undone: ReadonlySet<string>): void {
  if (undone.size === 0) return
  for (const [id, criterion] of state.criteria) {
    const reasons = filterReasons(criterion.reasons, ({ parent }) => parent === undefined || !undone.has(parent.id))
    if (reasons !== criterion.reasons) state.setCriterion(id, { ...criterion, reasons })
  }
}

/** Returns everything reached from the project; earlier decisions may have left more. */
function connectedOf({ chosen, criteria }: Position): ReadonlyMap<string, Candidate> {
  const children = new Map<Candidate | undefined, string[]>()
  for (const [id, { reasons }] of criteria) {
    for (const { parent } of listReasons(reasons)) {
      const siblings = children.get(parent)
      if (siblings === undefined) children.set(parent, [id])
      else siblings.push(id)
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
