import { listProjects, type ProjectRow, projectOrders } from '#features/projects/store.ts'
import type { Db } from '#foundation/db/database.ts'
import type { Position } from '#foundation/db/keyset.ts'
import { createSlices } from '#foundation/slices.ts'

/** Projects read at once: their issues fit into memory even if each has thousands. */
const AT_ONCE = 25

/** The projects of an export: those of an organization, or of one of its targets. */
export interface ExportScope {
  readonly kind: 'organization' | 'target'
  readonly orgId: string
  readonly id: string
  readonly name: string
  /** Its page in the console. */
  readonly url: string
  /** Id of the only project to export. */
  readonly projectId?: string | undefined
}

/** Yields all projects in parts, oldest first. Other requests continue in between, also where storage answers at once. */
export async function* listParts(
  db: Db,
  { kind, orgId, id, projectId }: ExportScope,
): AsyncGenerator<readonly ProjectRow[]> {
  const filters = {
    targetIds: kind === 'target' ? [id] : undefined,
    ids: projectId === undefined ? undefined : [projectId],
  }
  const pause = createSlices()
  let position: Position = 'start'
  for (let hasNext = true; hasNext; ) {
    const page = await listProjects(
      db,
      { orgId, filters, sort: 'created' },
      { limit: AT_ONCE, direction: 'after', position },
    )
    const last = page.rows.at(-1)
    if (!last) return
    yield page.rows
    await pause()
    position = projectOrders.created.position(last)
    hasNext = page.hasNext
  }
}
