import type { Severity } from '#analysis/advisories/cvss.ts'
import type { Package } from '#analysis/dependency-graph.ts'
import { severities } from '#analysis/findings/known-issue.ts'
import type { Db } from '#foundation/db/database.ts'
import { addEvent } from '#foundation/events/add-event.ts'
import { MAX_LISTED } from '#foundation/events/project-events.ts'
import type { StoredProject } from './record-store.ts'

export interface NewIssue {
  readonly issueId: string
  readonly type: 'vulnerability' | 'license'
  readonly severity: Severity
  readonly title: string
  readonly packages: readonly Package[]
}

interface Announced {
  readonly issues: readonly NewIssue[]
  readonly cause: 'import' | 'monitor' | 'retest'
  readonly at: number
}

type EventProject = Pick<StoredProject, 'id' | 'name' | 'type' | 'target_id'>

export function toEventProject({ id, name, type, target_id }: EventProject): EventProject {
  return { id, name, type, target_id }
}

export function toEventIssue({ issueId, type, severity, title, packages }: NewIssue) {
  const listed = packages.slice(0, MAX_LISTED).map(({ name, version }) => ({ name, version }))
  return { id: issueId, type, title, severity, packages: listed }
}

export async function announceTested(tx: Db, project: StoredProject, { issues, cause, at }: Announced): Promise<void> {
  if (issues.length === 0) return
  const worst = issues.toSorted((a, b) => severities.indexOf(b.severity) - severities.indexOf(a.severity))
  await addEvent(tx, {
    orgId: project.org_id,
    type: 'issues.new',
    data: {
      cause,
      projects: [toEventProject(project)],
      issue_count: issues.length,
      issues: worst.slice(0, MAX_LISTED).map(toEventIssue),
    },
    at,
  })
}
