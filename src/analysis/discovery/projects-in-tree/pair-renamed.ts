/** A manifest of a package manager at a path, with its content id if known. */
export interface Placed {
  readonly ecosystem: string
  readonly path: string
  readonly digest: string | null
}

/**
 * Pairs removed and new manifests: the same path under another package manager, then equal content, preferring the most
 * similar path; then the only removed and the only new one of a package manager.
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
    const same = (byContent.get(keyOf(one)) ?? []).filter((gone) => left.has(gone))
    const best = same.sort((a, b) => alike(b.path, one.path) - alike(a.path, one.path))[0]
    if (best === undefined) continue
    pairs.set(one, best)
    left.delete(best)
  }
  const open = added.filter((one) => !pairs.has(one))
  for (const ecosystem of new Set(open.map((one) => one.ecosystem))) {
    const [one, another] = open.filter((project) => project.ecosystem === ecosystem)
    const [old, older] = [...left].filter((gone) => gone.ecosystem === ecosystem)
    if (another === undefined && older === undefined && old !== undefined) pairs.set(one!, old)
  }
  return pairs
}

function keyOf({ ecosystem, digest }: Placed): string {
  return `${ecosystem} ${digest}`
}

/** Counts equal trailing parts of two paths. */
function alike(one: string, other: string): number {
  const [a, b] = [one.split('/').reverse(), other.split('/').reverse()]
  const different = a.findIndex((part, at) => part !== b[at])
  return different === -1 ? a.length : different
}
