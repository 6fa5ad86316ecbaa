import { createSlices } from '../slices.ts'

/** A long list that is read along an index. */
interface Scan<Position, Row> {
  readonly first: Position
  /** Returns the position at which the next slice begins; undefined if this slice is the last. */
  findNext(from: Position): Promise<Position | undefined>
  /** Reads the matching rows of a slice. */
  read(from: Position, until: Position | undefined): Promise<readonly Row[]>
}

/** Collects up to `limit` matching rows of a list that no index can filter. Other work runs between the slices. */
export async function scanInSlices<Position, Row>(scan: Scan<Position, Row>, limit: number): Promise<Row[]> {
  const rows: Row[] = []
  const pause = createSlices()
  for (let from: Position | undefined = scan.first; from !== undefined && rows.length < limit; ) {
    await pause()
    const next = await scan.findNext(from)
    rows.push(...(await scan.read(from, next)))
    from = next
  }
  return rows.slice(0, limit)
}

/**
 * Returns the name at which the next slice of a scan by name begins, given the name one slice ahead of `from`. The rows
 * of one name stay together: if a name has more rows than a slice, its slice contains all of them.
 */
export function nameAfter(from: string, ahead: { readonly name: string } | undefined): string | undefined {
  return ahead?.name === from ? `${from}\u{1}` : ahead?.name
}
