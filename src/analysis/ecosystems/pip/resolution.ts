import type { Candidate, Want } from './candidate.ts'

/** Why a project takes part: who asks for it. The project itself is no parent. */
export interface Reason {
  readonly want: Want
  readonly parent: Candidate | undefined
}

export interface Criterion {
  /** The most wanted first. */
  readonly candidates: readonly Candidate[]
  readonly reasons: readonly Reason[]
  readonly incompatible: readonly Candidate[]
}

export type Criteria = Map<string, Criterion>

interface State {
  /** In the order in which they were decided. */
  readonly chosen: Map<string, Candidate>
  criteria: Criteria
  causes: readonly Reason[]
}

/** What resolving asks of the package manager. */
export interface Provider {
  findMatches(
    id: string,
    wantsOf: (id: string) => readonly Want[],
    incompatible: readonly Candidate[],
  ): Promise<readonly Candidate[]>
  /** Undefined for a candidate that turns out not to be one. */
  dependenciesOf(candidate: Candidate): Promise<readonly Want[] | undefined>
  isSatisfied(want: Want, candidate: Candidate): boolean
  /** Of the undecided ones the one to decide next. */
  choose(undecided: readonly string[], state: Readonly<State>): string
}

export type Resolution =
  | { readonly kind: 'solved'; readonly chosen: ReadonlyMap<string, Candidate> }
  /** What stood against each version that was tried last. */
  | { readonly kind: 'impossible'; readonly conflicts: readonly Criterion[] }
  /** It took too long; `conflicts` are those that were met last. */
  | { readonly kind: 'bound-met'; readonly conflicts: readonly Criterion[] }

interface Search {
  readonly provider: Provider
  states: State[]
  /** Kept when states were first thrown away on a guess, to go back to if that leads nowhere. */
  saved: State[] | undefined
  isOptimistic: boolean
  guessingSince: number | undefined
  lastConflicts: readonly Criterion[]
}

const GUESSING_PART = 0.1

/**
 * Decides one version of everything that is asked for, the most wanted first, as resolvelib does (the library that pip
 * resolves with, in version 1.2): a decision that cannot be made throws away earlier ones until one is gone that had a
 * part in the conflict, and its version is not tried again in that place.
 */
export async function resolve(roots: readonly Want[], provider: Provider, mostRounds: number): Promise<Resolution> {
  const search: Search = {
    provider,
    states: [],
    saved: undefined,
    isOptimistic: true,
    guessingSince: undefined,
    lastConflicts: [],
  }
  const root: State = { chosen: new Map(), criteria: new Map(), causes: [] }
  search.states = [root]
  for (const want of roots) {
    const conflict = await add(search, root.criteria, { want, parent: undefined })
    if (conflict !== undefined) return { kind: 'impossible', conflicts: [conflict] }
  }
  push(search)
  for (let rounds = mostRounds; rounds > 0; rounds--) {
    if (hasGuessedTooLong(search, rounds)) {
      stopGuessing(search)
      continue
    }
    const state = top(search)
    const undecided = undecidedIn(search, state)
    if (undecided.length === 0) return { kind: 'solved', chosen: connectedOf(state) }
    const impossible = await decide(search, undecided)
    if (impossible !== undefined) return { kind: 'impossible', conflicts: impossible }
  }
  return { kind: 'bound-met', conflicts: search.lastConflicts }
}

/** One round; gives the conflicts when there is no way left. */
async function decide(search: Search, undecided: readonly string[]): Promise<readonly Criterion[] | undefined> {
  const state = top(search)
  const open = new Set(undecided)
  const decided = [...state.criteria.keys()].filter((id) => !open.has(id))
  const id = undecided.length === 1 ? undecided[0]! : search.provider.choose(undecided, state)
  const conflicts = await pin(search, id)
  if (conflicts.length === 0) {
    const undone = new Set(decided.filter((each) => !isDecided(search, state, each)))
    forget(state, undone)
    push(search)
    return undefined
  }
  search.lastConflicts = conflicts
  const causes = [...new Set(conflicts.flatMap(({ reasons }) => reasons))]
  const isSaved = await goBack(search, causes)
  if (!isSaved && search.isOptimistic && search.saved !== undefined) {
    stopGuessing(search)
    return undefined
  }
  if (!isSaved) return conflicts
  top(search).causes = causes
  return undefined
}

async function pin(search: Search, id: string): Promise<readonly Criterion[]> {
  const state = top(search)
  const criterion = state.criteria.get(id)!
  const conflicts: Criterion[] = []
  for (const candidate of criterion.candidates) {
    const criteria = new Map(state.criteria)
    const wants = await search.provider.dependenciesOf(candidate)
    if (wants === undefined) continue
    const conflict = await addAll(search, criteria, { wants, parent: candidate })
    if (conflict !== undefined) {
      conflicts.push(conflict)
      continue
    }
    state.criteria = criteria
    // The latest decision is the last one.
    state.chosen.delete(id)
    state.chosen.set(id, candidate)
    return []
  }
  return conflicts.length === 0 ? [criterion] : conflicts
}

async function addAll(
  search: Search,
  criteria: Criteria,
  { wants, parent }: { wants: readonly Want[]; parent: Candidate },
): Promise<Criterion | undefined> {
  for (const want of wants) {
    const conflict = await add(search, criteria, { want, parent })
    if (conflict !== undefined) return conflict
  }
  return undefined
}

/** Gives the criterion that nothing meets, if it comes to that. */
async function add({ provider }: Search, criteria: Criteria, reason: Reason): Promise<Criterion | undefined> {
  const { want } = reason
  const known = criteria.get(want.id)
  const incompatible = known?.incompatible ?? []
  const wantsOf = (id: string) => (id === want.id ? [...wantsIn(criteria, id), want] : wantsIn(criteria, id))
  const candidates = await provider.findMatches(want.id, wantsOf, incompatible)
  const criterion = { candidates, reasons: [...(known?.reasons ?? []), reason], incompatible }
  if (candidates.length === 0) return criterion
  criteria.set(want.id, criterion)
  return undefined
}

function wantsIn(criteria: Criteria, id: string): readonly Want[] {
  return criteria.get(id)?.reasons.map(({ want }) => want) ?? []
}

/** Throws away decisions until a state is found that can go on; false when there is none. */
async function goBack(search: Search, causes: readonly Reason[]): Promise<boolean> {
  const involved = new Set(
    causes.flatMap(({ want, parent }) => [want.id, ...(parent === undefined ? [] : [parent.id])]),
  )
  while (search.states.length >= 3) {
    search.states.pop()
    const broken = await undo(search, involved)
    if (broken === undefined) return false
    const { state, id, candidate } = broken
    const incompatible = [...state.criteria].map(([each, criterion]) => [each, criterion.incompatible] as const)
    push(search)
    if (await exclude(search, [...incompatible, [id, [candidate]]])) return true
  }
  return false
}

/** The decision that is taken back, with the state it led to. */
async function undo(search: Search, involved: ReadonlySet<string>) {
  for (;;) {
    const state = search.states.at(-1)
    const last = state === undefined ? undefined : [...state.chosen].at(-1)
    if (state === undefined || last === undefined) return undefined
    const [id, candidate] = last
    search.states.pop()
    state.chosen.delete(id)
    const broken = { state, id, candidate }
    if (!search.isOptimistic && !involved.has(id)) return broken
    if (search.isOptimistic && search.saved === undefined && !involved.has(id)) search.saved = copyOf(search.states)
    const wants = (await search.provider.dependenciesOf(candidate)) ?? []
    if (wants.some((want) => involved.has(want.id)) || state.chosen.size === 0) return broken
    if (search.states.length <= 1) return undefined
  }
}

/** Takes what is known not to work out of the newest state; false when that leaves nothing of something. */
async function exclude(search: Search, all: readonly (readonly [string, readonly Candidate[]])[]): Promise<boolean> {
  const { criteria } = top(search)
  for (const [id, more] of all) {
    const criterion = criteria.get(id)
    if (more.length === 0 || criterion === undefined) continue
    const incompatible = [...more, ...criterion.incompatible]
    const candidates = await search.provider.findMatches(id, (each) => wantsIn(criteria, each), incompatible)
    if (candidates.length === 0) return false
    criteria.set(id, { ...criterion, candidates, incompatible })
  }
  return true
}

function hasGuessedTooLong(search: Search, rounds: number): boolean {
  if (!search.isOptimistic || search.saved === undefined) return false
  search.guessingSince ??= rounds
  return search.guessingSince - rounds >= search.guessingSince * GUESSING_PART
}

function stopGuessing(search: Search): void {
  search.isOptimistic = false
  search.states = search.saved ?? search.states
  search.saved = undefined
}

function push(search: Search): void {
  const { chosen, criteria, causes } = top(search)
  search.states.push({ chosen: new Map(chosen), criteria: new Map(criteria), causes })
}

function top({ states }: Search): State {
  return states.at(-1)!
}

function copyOf(states: readonly State[]): State[] {
  return states.map(({ chosen, criteria, causes }) => ({
    chosen: new Map(chosen),
    criteria: new Map(criteria),
    causes,
  }))
}

function undecidedIn(search: Search, state: State): string[] {
  return [...state.criteria.keys()].filter((id) => !isDecided(search, state, id))
}

function isDecided({ provider }: Search, { chosen, criteria }: State, id: string): boolean {
  const candidate = chosen.get(id)
  return candidate !== undefined && criteria.get(id)!.reasons.every(({ want }) => provider.isSatisfied(want, candidate))
}

/** What decisions that no longer hold asked for does not count. */
function forget({ criteria }: State, undone: ReadonlySet<string>): void {
  if (undone.size === 0) return
  for (const [id, criterion] of criteria) {
    const reasons = criterion.reasons.filter(({ parent }) => parent === undefined || !undone.has(parent.id))
    if (reasons.length < criterion.reasons.length) criteria.set(id, { ...criterion, reasons })
  }
}

/** What the project reaches; earlier decisions may have left more. */
function connectedOf({ chosen, criteria }: State): ReadonlyMap<string, Candidate> {
  const children = new Map<Candidate | undefined, string[]>()
  for (const [id, { reasons }] of criteria) {
    for (const { parent } of reasons) {
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
