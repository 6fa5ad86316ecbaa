import type { Severity } from '#analysis/advisories/cvss.ts'
import { toScore } from '#analysis/advisories/severity.ts'
import { comparePriority, type PriorityFacts } from '#analysis/findings/priority.ts'
import type { Bill, BillVulnerability } from '#features/reports/bill.ts'
import { listOmissions } from '#features/reports/bill.ts'
import type { ProjectBill } from './list-bills.ts'
import type { UntestedManifest } from './untested-manifests-store.ts'

/** Rows of each table of a report; the rest is counted. */
const MAX_VULNERABILITIES = 50
const MAX_PROJECTS = 200
export const MAX_NOTES = 100
const MAX_NAMES = 3
const NOTES_OF_PROJECT = 10

export interface ReportedVulnerability {
  readonly about: BillVulnerability
  /** Name and version, separated by a space. */
  readonly packages: ReadonlySet<string>
  readonly advice: ReadonlySet<string>
  /** The first of the projects in which it is not ignored. */
  readonly openIn: readonly string[]
  readonly openProjects: number
  readonly ignoredProjects: number
  /** Reasons of ignores. */
  readonly reasons: ReadonlySet<string>
}

export interface ReportedProject {
  readonly name: string
  readonly counts: Readonly<Record<Severity, number>>
  /** Epoch milliseconds; 0 before the first test. */
  readonly testedAt: number
  readonly isComplete: boolean
}

/** A part of a list, and the number of all. */
export interface Part<T> {
  readonly rows: readonly T[]
  readonly total: number
}

export interface ReportFacts {
  readonly open: Part<ReportedVulnerability>
  readonly ignored: Part<ReportedVulnerability>
  /** Open vulnerabilities by severity; one in several projects counts once. */
  readonly counts: Readonly<Record<Severity, number>>
  /** Violations of the license policy with the packages that have them. */
  readonly licenses: Part<readonly [violation: string, packages: ReadonlySet<string>]>
  readonly projects: Part<ReportedProject>
  readonly completeProjects: number
  /** Reasons for which results are incomplete, by project or manifest. */
  readonly notes: Part<readonly [name: string, note: string]>
}

interface Mutable {
  readonly about: BillVulnerability
  readonly packages: Set<string>
  readonly advice: Set<string>
  readonly openIn: string[]
  openProjects: number
  ignoredProjects: number
  readonly reasons: Set<string>
}

/**
 * Collects what a report says about projects, without keeping their bills. Yields the number of projects so far and
 * returns the facts.
 */
export async function* collectReportFacts(
  bills: AsyncIterable<ProjectBill>,
  untested: readonly UntestedManifest[],
): AsyncGenerator<number, ReportFacts> {
  const vulnerabilities = new Map<string, Mutable>()
  const licenses = new Map<string, Set<string>>()
  const projects: ReportedProject[] = []
  const notes = untested.map(({ path, message }): [string, string] => [path, message ?? 'Not imported.'])
  const total = { projects: 0, complete: 0, notes: notes.length }
  for await (const { row, project, bill } of bills) {
    const counts = { critical: 0, high: 0, medium: 0, low: 0 }
    for (const vulnerability of bill?.vulnerabilities ?? []) {
      if (addVulnerability(vulnerabilities, vulnerability, { bill: bill!, name: project.name })) {
        counts[vulnerability.severity]++
      }
    }
    for (const {
      licenseIssues,
      package: { name, version },
    } of bill?.components ?? []) {
      for (const issue of licenseIssues)
        licenses.set(issue, (licenses.get(issue) ?? new Set()).add(`${name} ${version}`))
    }
    const isComplete = bill?.coverage.complete === true
    const own = listNotes(bill, row.failure)
    total.projects++
    total.notes += own.length
    if (isComplete) total.complete++
    if (notes.length < MAX_NOTES) {
      notes.push(...own.slice(0, NOTES_OF_PROJECT).map((note): [string, string] => [project.name, note]))
    }
    if (projects.length < MAX_PROJECTS) {
      projects.push({ name: project.name, counts, testedAt: project.testedAt, isComplete })
    }
    yield total.projects
  }
  const all = [...vulnerabilities.values()].sort(worstFirst)
  const open = all.filter(({ openProjects }) => openProjects > 0)
  return {
    open: partOf(open, MAX_VULNERABILITIES),
    ignored: partOf(
      all.filter(({ openProjects }) => openProjects === 0),
      MAX_VULNERABILITIES,
    ),
    counts: Object.fromEntries(
      (['critical', 'high', 'medium', 'low'] as const).map((severity) => [
        severity,
        open.filter(({ about }) => about.severity === severity).length,
      ]),
    ) as Record<Severity, number>,
    licenses: partOf([...licenses], MAX_VULNERABILITIES),
    projects: { rows: projects, total: total.projects },
    completeProjects: total.complete,
    notes: { rows: notes, total: total.notes },
  }
}

/** Returns true if the vulnerability is open in the project. */
function addVulnerability(
  all: Map<string, Mutable>,
  about: BillVulnerability,
  { bill, name }: { bill: Bill; name: string },
): boolean {
  const entry = all.get(about.id) ?? create(about)
  all.set(about.id, entry)
  for (const at of about.components) {
    const { package: affected } = bill.components[at]!
    entry.packages.add(`${affected.name} ${affected.version}`)
  }
  const { assessment } = about
  const isOpen = assessment === undefined || assessment.verdict === 'partial'
  if (isOpen) {
    entry.openProjects++
    if (entry.openIn.length < MAX_NAMES) entry.openIn.push(name)
    for (const advice of about.advice) if (entry.advice.size < MAX_NAMES) entry.advice.add(advice)
  } else {
    entry.ignoredProjects++
    if (entry.reasons.size < MAX_NAMES) entry.reasons.add(assessment.text)
  }
  return isOpen
}

function create(about: BillVulnerability): Mutable {
  return {
    about,
    packages: new Set(),
    advice: new Set(),
    openIn: [],
    openProjects: 0,
    ignoredProjects: 0,
    reasons: new Set(),
  }
}

function listNotes(bill: Bill | undefined, failure: string | null): string[] {
  const failures = failure === null ? [] : [failure]
  if (bill === undefined) return failures.length > 0 ? failures : ['Not tested yet.']
  return bill.coverage.complete ? failures : [...failures, ...listOmissions(bill.coverage)]
}

function worstFirst(a: Mutable, b: Mutable): number {
  return comparePriority(toPriority(a), toPriority(b)) || (a.about.id < b.about.id ? -1 : 1)
}

/** Returns the facts of the order; a bill does not tell which dependencies are direct. */
function toPriority({ about, openProjects }: Mutable): PriorityFacts {
  const { isExploited, severity, epssScore, rating, fixedIn } = about
  const { cvssScore } = toScore({ severity, cvssScore: rating?.score })
  const hasFix = fixedIn.length > 0
  return { isExploited, severity, epssScore, cvssScore, projects: openProjects, isDirect: false, hasFix }
}

function partOf<T>(rows: readonly T[], most: number): Part<T> {
  return { rows: rows.slice(0, most), total: rows.length }
}
