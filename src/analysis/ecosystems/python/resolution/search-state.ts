import type { Candidate, Want } from './candidate.ts'
import type { Reasons } from './reasons.ts'

export interface Criterion {
  /** Most preferred first. */
  readonly candidates: readonly Candidate[]
  readonly reasons: Reasons
  readonly incompatible: readonly Candidate[]
}

/** The demands and decisions at one moment. */
export interface Position {
  readonly criteria: ReadonlyMap<string, Criterion>
  readonly chosen: ReadonlyMap<string, Candidate>
  /** Criteria without a valid choice. */
  readonly undecided: ReadonlySet<string>
  /** Criteria that exclude candidates. */
  readonly excluding: ReadonlySet<string>
}

interface Change {
  readonly id: string
  readonly criterion: Criterion | undefined
  readonly candidate: Candidate | undefined
  readonly wasUndecided: boolean
  readonly isDecision: boolean
}

/**
 * The search position with its history of changes, so that each step costs only its changes. Calls `onOpen` for each
 * new or changed undecided criterion.
 */
export interface SearchState extends Position {
  setCriterion(id: string, criterion: Criterion): void
  decide(id: string, candidate: Candidate): void
  /** Returns the most recent decision. */
  last(): readonly [id: string, candidate: Candidate] | undefined
  /** Returns the number of changes so far. */
  mark(): number
  undoTo(mark: number): void
  /** Returns projects decided at a mark and no longer since. */
  undoneSince(mark: number): Set<string>
  /** Returns a function that restores this position. */
  save(): () => void
}

export interface SearchRules {
  isSatisfied(want: Want, candidate: Candidate): boolean
  onOpen(id: string, criterion: Criterion): void
}

export function createSearchState({ isSatisfied, onOpen }: SearchRules): SearchState {
  const criteria = new Map<string, Criterion>()
  const chosen = new Map<string, Candidate>()
  const undecided = new Set<string>()
  const excluding = new Set<string>()
  let changes: Change[] = []
  let decisions: string[] = []

  function note(id: string, isDecision: boolean): void {
    const before = { criterion: criteria.get(id), candidate: chosen.get(id), wasUndecided: undecided.has(id) }
    changes.push({ id, ...before, isDecision })
  }

  function refresh(id: string): void {
    const criterion = criteria.get(id)
    if (criterion === undefined) {
      undecided.delete(id)
      excluding.delete(id)
      return
    }
    if (criterion.incompatible.length > 0) excluding.add(id)
    else excluding.delete(id)
    const candidate = chosen.get(id)
    if (candidate !== undefined && criterion.reasons.wants.every((want) => isSatisfied(want, candidate))) {
      undecided.delete(id)
      return
    }
    undecided.add(id)
    onOpen(id, criterion)
  }

  function undo({ id, criterion, candidate, isDecision }: Change): void {
    if (isDecision) decisions.pop()
    if (criterion === undefined) criteria.delete(id)
    else criteria.set(id, criterion)
    if (candidate === undefined) chosen.delete(id)
    else chosen.set(id, candidate)
    refresh(id)
  }

  return {
    criteria,
    chosen,
    undecided,
    excluding,
    setCriterion(id, criterion) {
      note(id, false)
      criteria.set(id, criterion)
      refresh(id)
    },
    decide(id, candidate) {
      note(id, true)
      decisions.push(id)
      chosen.set(id, candidate)
      refresh(id)
    },
    last() {
      const id = decisions.at(-1)
      return id === undefined ? undefined : [id, chosen.get(id)!]
    },
    mark: () => changes.length,
    undoTo(mark) {
      while (changes.length > mark) undo(changes.pop()!)
    },
    undoneSince(mark) {
      const visited = new Set<string>()
      const undone = new Set<string>()
      for (let at = mark; at < changes.length; at++) {
        const { id, criterion, wasUndecided } = changes[at]!
        if (visited.has(id)) continue
        visited.add(id)
        if (criterion !== undefined && !wasUndecided && undecided.has(id)) undone.add(id)
      }
      return undone
    },
    save() {
      const saved = { criteria: [...criteria], chosen: [...chosen], changes: [...changes], decisions: [...decisions] }
      return () => {
        refill(criteria, saved.criteria)
        refill(chosen, saved.chosen)
        changes = saved.changes
        decisions = saved.decisions
        undecided.clear()
        excluding.clear()
        for (const id of criteria.keys()) refresh(id)
      }
    },
  }
}

function refill<K, V>(map: Map<K, V>, entries: readonly (readonly [K, V])[]): void {
  map.clear()
  for (const [key, value] of entries) map.set(key, value)
}
