/** Returns the known word with the fewest edits; undefined if none is near. */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 2))
  const rated = candidates.map((candidate) => ({ candidate, edits: editsBetween(word.toLowerCase(), candidate) }))
  const [best] = rated.toSorted((a, b) => a.edits - b.edits)
  return best !== undefined && best.edits <= limit ? best.candidate : undefined
}

/** The Levenshtein distance, with a swap of neighbors as one edit. */
function editsBetween(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const [same, swapped] = [one[i - 1] === other[j - 1], i > 1 && j > 1 && one[i - 1] === other[j - 2]]
      const replaced = rows[i - 1]![j - 1]! + (same ? 0 : 1)
      const best = Math.min(replaced, rows[i - 1]![j]! + 1, row[j - 1]! + 1)
      row.push(swapped && one[i - 2] === other[j - 1] ? Math.min(best, rows[i - 2]![j - 2]! + 1) : best)
    }
    rows.push(row)
  }
  return rows[one.length]![other.length]!
}
