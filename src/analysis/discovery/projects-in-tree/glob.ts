/** Limits of one pattern; longer ones match nothing. */
const MAX_CHARACTERS = 1_000
const MAX_ALTERNATIVES = 100
const MAX_PARTS = 50
/** Steps for all patterns of one tree, which take less than 200 ms. */
export const MAX_STEPS = 20_000_000
/** Steps that a state of the automaton, and a folder, count for, because they take memory. */
const STEPS_OF_STATE = 32

/** Steps that patterns may still take. They are counted because the author of the files chose patterns and paths. */
export class GlobBudget {
  private left: number

  constructor(steps = MAX_STEPS) {
    this.left = steps
  }

  get isSpent(): boolean {
    return this.left < 0
  }

  spend(steps: number): void {
    this.left -= steps
  }
}

const budgets = new WeakMap<ReadonlySet<string>, GlobBudget>()

/** Returns the budget that all patterns of a tree share. */
export function budgetOf({ paths }: { readonly paths: ReadonlySet<string> }): GlobBudget {
  const budget = budgets.get(paths) ?? new GlobBudget()
  budgets.set(paths, budget)
  return budget
}

/** A state of the automaton: the patterns' parts up to here matched the path's names up to here. */
interface State {
  readonly names: Map<string, State>
  readonly wildcards: Map<string, State>
  /** True after `**`, which matches every further name. */
  readonly isDeep: boolean
  deep?: State
  /** Indices of the patterns that end here. */
  readonly ends: number[]
}

/** A folder of the paths that were matched so far. */
interface Folder {
  readonly states: readonly State[]
  readonly below: Map<string, Folder>
  readonly ends: readonly number[]
}

/**
 * Patterns compiled to one automaton: `*` and `?` within a name, `**` for any folders, `{a,b}` for either. Each folder
 * of the paths is matched once, with one step per state. When the budget is spent, nothing matches.
 */
export class Globs {
  private readonly budget: GlobBudget
  private readonly root: Folder

  constructor(patterns: readonly string[], budget: GlobBudget) {
    this.budget = budget
    const start = createState({ isDeep: false })
    for (const [index, pattern] of patterns.entries()) this.compile(start, { index, pattern })
    this.root = toFolder(closureOf([start]))
  }

  /** Returns the indices of the patterns that match a path. */
  matching(path: string): readonly number[] {
    return this.matchingLevels(path).at(-1)!
  }

  /** Returns the indices of the patterns that match each folder on a path, and last those that match the path. */
  matchingLevels(path: string): readonly (readonly number[])[] {
    let folder = this.root
    return path.split('/').map((name) => {
      this.budget.spend(1)
      if (this.budget.isSpent) return []
      folder = folder.below.get(name) ?? this.enter(folder, name)
      return folder.ends
    })
  }

  private compile(start: State, { index, pattern }: { index: number; pattern: string }): void {
    if (pattern.length > MAX_CHARACTERS) return
    for (const alternative of this.expand(pattern)) {
      const parts = alternative.split('/').filter((part) => part !== '' && part !== '.')
      if (parts.length === 0 || parts.length > MAX_PARTS) continue
      this.budget.spend(alternative.length + parts.length * STEPS_OF_STATE)
      if (this.budget.isSpent) return
      parts.reduce(follow, start).ends.push(index)
    }
  }

  private expand(pattern: string): string[] {
    let open = [pattern]
    for (let round = 0; round < 10; round++) {
      this.budget.spend(open.length * pattern.length)
      if (this.budget.isSpent) return []
      const next: string[] = []
      for (const alternative of open) {
        next.push(...expandOnce(alternative))
        if (next.length > MAX_ALTERNATIVES) return open
      }
      if (next.length === open.length) break
      open = next
    }
    return open
  }

  private enter({ states, below }: Folder, name: string): Folder {
    this.budget.spend(STEPS_OF_STATE)
    const next: State[] = []
    for (const state of states) {
      this.budget.spend(STEPS_OF_STATE)
      if (this.budget.isSpent) break
      if (state.isDeep) next.push(state)
      const same = state.names.get(name)
      if (same !== undefined) next.push(same)
      for (const [pattern, target] of state.wildcards) {
        this.budget.spend(name.length + pattern.length)
        if (this.budget.isSpent) break
        if (this.matchesName(name, pattern)) next.push(target)
      }
    }
    const folder = toFolder(closureOf(next))
    below.set(name, folder)
    return folder
  }

  private matchesName(name: string, pattern: string): boolean {
    let [at, next] = [0, 0]
    let [star, resume] = [-1, 0]
    while (at < name.length) {
      if (pattern[next] === '*') [star, resume, next] = [next, at, next + 1]
      else if (pattern[next] === '?' || pattern[next] === name[at]) [at, next] = [at + 1, next + 1]
      else if (star === -1) return false
      else {
        this.budget.spend(next - star)
        if (this.budget.isSpent) return false
        resume++
        at = resume
        next = star + 1
      }
    }
    while (pattern[next] === '*') next++
    return next === pattern.length
  }
}

function expandOnce(pattern: string): string[] {
  const braces = [...pattern.matchAll(/\{([^{}]*)\}/g)].find(([, inner]) => inner!.includes(','))
  if (braces === undefined) return [pattern]
  const [before, after] = [pattern.slice(0, braces.index), pattern.slice(braces.index + braces[0].length)]
  return braces[1]!.split(',').map((choice) => before + choice + after)
}

function createState({ isDeep }: { isDeep: boolean }): State {
  return { names: new Map(), wildcards: new Map(), isDeep, ends: [] }
}

function follow(state: State, part: string): State {
  if (part === '**') {
    if (state.isDeep) return state
    state.deep ??= createState({ isDeep: true })
    return state.deep
  }
  const edges = /[*?]/.test(part) ? state.wildcards : state.names
  const target = edges.get(part) ?? createState({ isDeep: false })
  edges.set(part, target)
  return target
}

/** Adds the states behind `**`, which also matches no folder. */
function closureOf(states: readonly State[]): readonly State[] {
  const all = new Set(states)
  for (const { deep } of all) if (deep !== undefined) all.add(deep)
  return [...all]
}

function toFolder(states: readonly State[]): Folder {
  return { states, below: new Map(), ends: [...new Set(states.flatMap(({ ends }) => ends))] }
}
