const MAX_ALTERNATIVES = 100
const MAX_PARTS = 50
/** Characters of a pattern; longer ones match nothing. */
const MAX_CHARACTERS = 1_000

/** A workspace pattern: `*` and `?` within a name, `**` for any folders, `{a,b}` for either. Polynomial time. */
export class Glob {
  /** Upper bound of steps per character of a path. */
  readonly size: number
  private readonly alternatives: readonly (readonly string[])[]

  constructor(pattern: string) {
    const all = pattern.length > MAX_CHARACTERS ? [] : expand(pattern)
    this.size = all.reduce((sum, each) => sum + (/[*?]/.test(each) ? each.length : 1), 1)
    this.alternatives = all
      .map((each) => each.split('/').filter((part) => part !== '' && part !== '.'))
      .filter(({ length }) => length <= MAX_PARTS)
  }

  matches(path: string): boolean {
    const parts = path.split('/')
    return this.alternatives.some((wanted) => matchesParts(parts, wanted))
  }
}

export function matchesGlob(path: string, pattern: string): boolean {
  return new Glob(pattern).matches(path)
}

/** Fills the table "do the first n parts match the first m patterns?" row by row. */
function matchesParts(parts: readonly string[], wanted: readonly string[]): boolean {
  let fits = [true, ...parts.map(() => false)]
  for (const pattern of wanted) {
    const next = [pattern === '**' && fits[0]!]
    for (const [index, part] of parts.entries()) {
      const isFit = pattern === '**' ? next[index]! || fits[index + 1]! : fits[index]! && matchesName(part, pattern)
      next.push(isFit)
    }
    fits = next
  }
  return fits.at(-1)!
}

function matchesName(name: string, pattern: string): boolean {
  let [at, in_] = [0, 0]
  let [star, resume] = [-1, 0]
  while (at < name.length) {
    if (pattern[in_] === '*') [star, resume, in_] = [in_, at, in_ + 1]
    else if (pattern[in_] === '?' || pattern[in_] === name[at]) [at, in_] = [at + 1, in_ + 1]
    else if (star === -1) return false
    else {
      resume++
      at = resume
      in_ = star + 1
    }
  }
  return /^\**$/.test(pattern.slice(in_))
}

function expand(pattern: string): string[] {
  let open = [pattern]
  for (let round = 0; round < 10; round++) {
    const next = open.flatMap((each) => {
      const braces = [...each.matchAll(/\{([^{}]*)\}/g)].find(([, inner]) => inner!.includes(','))
      if (braces === undefined) return [each]
      const [before, after] = [each.slice(0, braces.index), each.slice(braces.index + braces[0].length)]
      return braces[1]!.split(',').map((choice) => before + choice + after)
    })
    if (next.length === open.length || next.length > MAX_ALTERNATIVES) break
    open = next
  }
  return open
}
