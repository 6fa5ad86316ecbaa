import assert from 'node:assert/strict'
import type { Keyset, Page, Position, Window } from '#foundation/db/keyset.ts'

/** All rows of a list, in its order, read page by page from one end to the other; what pages say of their neighbors is checked. */
export async function pages<Row>(
  read: (window: Window) => Promise<Page<Row>> | Page<Row>,
  keyset: Keyset<Row>,
  { limit, direction }: { limit: number; direction: Window['direction'] },
): Promise<Row[]> {
  const isForward = direction === 'after'
  const rows: Row[] = []
  let position: Position = isForward ? 'start' : 'end'
  for (let n = 0; ; n++) {
    const page: Page<Row> = await read({ limit, direction, position })
    assert.equal(isForward ? page.hasPrevious : page.hasNext, n > 0)
    rows[isForward ? 'push' : 'unshift'](...page.rows)
    if (!(isForward ? page.hasNext : page.hasPrevious)) return rows
    assert.equal(page.rows.length, limit)
    position = keyset.position(page.rows.at(isForward ? -1 : 0)!)
  }
}
