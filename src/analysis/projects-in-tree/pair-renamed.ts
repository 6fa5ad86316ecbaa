/** A manifest of one package manager at a path, with what names its content, where that is known. */
export interface Placed {
  readonly ecosystem: string
  readonly path: string
  readonly digest: string | null
}

/**
 * Which of those that are gone became which of those that are new: what is at the same path for another package manager,
 * then by equal content, of several the one whose path ends
 * most alike; then, where of a package manager just one is gone and one is new, those two.
 */
export function pairRenamed<Gone extends Placed, New extends Placed>(
  gone: readonly Gone[],
  added: readonly New[],
): Map<New, Gone> {
  const pairs = new Map<New, Gone>()
  const left = new Set(gone)
  for (const one of added) {
    const same = gone.find(({ path }) => path === one.path)
    if (same === undefined || !left.delete(same)) continue
    pairs.set(one, same)
  }
  const byContent = Map.groupBy(gone, keyOf)
  for (const one of added) {
    if (one.digest === null || pairs.has(one)) continue
    const same = (byContent.get(keyOf(one)) ?? []).filter((each) => left.has(each))
    const best = same.sort((a, b) => alike(b.path, one.path) - alike(a.path, one.path))[0]
    if (best === undefined) continue
    pairs.set(one, best)
    left.delete(best)
  }
  const open = added.filter((one) => !pairs.has(one))
  for (const ecosystem of new Set(open.map((one) => one.ecosystem))) {
    const [one, another] = open.filter((each) => each.ecosystem === ecosystem)
    const [old, older] = [...left].filter((each) => each.ecosystem === ecosystem)
    if (another === undefined && older === undefined && old !== undefined) pairs.set(one!, old)
  }
  return pairs
}

function keyOf({ ecosystem, digest }: Placed): string {
  return `${ecosystem} ${digest}`
}

/** How many parts of two paths are equal, from their ends. */
function alike(one: string, other: string): number {
  const [a, b] = [one.split('/').reverse(), other.split('/').reverse()]
  const different = a.findIndex((part, at) => part !== b[at])
  return different === -1 ? a.length : different
}
