import { sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'

/** A vulnerability of a package of a project. */
export interface ExportedIssue {
  readonly project_number: number
  readonly issue_id: string
  readonly severity: number
  readonly title: string
  /** JSON of `IssueFacts`. */
  readonly facts: string
  readonly name: string
  readonly version: string
  /** Epoch milliseconds; 0 if the issue is not counted yet. */
  readonly known_since: number
  readonly ignored_until: number | null
  /** 1 if the project declares the package itself. */
  readonly is_direct: number
}

/** Lists the vulnerabilities of a few projects, those of a project together. */
export async function listExportedIssues(db: Db, projectNumbers: readonly number[]): Promise<ExportedIssue[]> {
  if (projectNumbers.length === 0) return []
  return db
    .selectFrom('project_packages as pp')
    .innerJoin('package_issues as pi', 'pi.package_number', 'pp.package_number')
    .innerJoin('packages as k', 'k.number', 'pi.package_number')
    .leftJoin('org_issues as oi', (join) =>
      join
        .onRef('oi.org_number', '=', 'pp.org_number')
        .onRef('oi.package_number', '=', 'pi.package_number')
        .onRef('oi.issue_id', '=', 'pi.issue_id'),
    )
    .leftJoin('ignored_issues as ii', (join) =>
      join.onRef('ii.project_number', '=', 'pp.project_number').onRef('ii.issue_id', '=', 'pi.issue_id'),
    )
    .select(['pp.project_number', 'pi.issue_id', 'pi.severity', 'pi.title', 'pi.facts', 'k.name', 'k.version'])
    .select([sql<number>`coalesce(oi.known_since, 0)`.as('known_since'), 'ii.ignored_until', 'pp.is_direct'])
    .where('pp.project_number', 'in', projectNumbers)
    .orderBy('pp.project_number')
    .orderBy('pi.issue_id')
    .orderBy('pi.package_number')
    .execute()
}
