import { projectUrl } from '#features/projects/project-url.ts'
import type { ProjectRow } from '#features/projects/store.ts'
import type { Bill, StoredProject } from '#features/reports/bill.ts'
import { createSlices } from '#foundation/slices.ts'
import { findStoredProject, type ReadProjectTools } from '../sbom/read-project.ts'
import { toStoredBill } from '../sbom/stored-bill.ts'
import { type ExportScope, listParts } from './list-projects.ts'

export interface ProjectBill {
  readonly row: ProjectRow
  readonly project: StoredProject & { readonly name: string }
  /** Undefined before the first test. */
  readonly bill: Bill | undefined
}

/** Yields the bill of each project in turn. */
export async function* listBills(tools: ReadProjectTools, scope: ExportScope): AsyncGenerator<ProjectBill> {
  const { db, baseUrl } = tools.services
  const pause = createSlices()
  for await (const part of listParts(db, scope)) {
    for (const row of part) {
      await pause()
      const stored = await findStoredProject(tools, row)
      const { id, name } = row
      const url = projectUrl(baseUrl, row.org_id, id)
      const project = { kind: 'project', id, name, url, testedAt: Number(row.tested_at ?? 0) } as const
      yield { row, project, bill: stored && toStoredBill(stored.read, { ...stored, withLicenses: true }) }
    }
  }
}
