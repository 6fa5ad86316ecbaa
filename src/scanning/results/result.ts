import type { DependencyGraph } from '#analysis/dependency-graph.ts'
import type { Reading } from '#analysis/ecosystems/ecosystem.ts'
import { distinctPackages, matchGraph, possiblyAffected, undecided } from '#analysis/findings/match-graph.ts'
import type { AnswerForm } from '../reading/task.ts'
import type { TestContext } from './context.ts'
import { toCoverage } from './coverage.ts'
import { type FindDeclaration, openDeclarations } from './declarations.ts'
import { findLicenses, type Licenses } from './find-licenses.ts'
import { judgeLicenses, listLicenseIssues, showPolicy } from './license-issues.ts'
import { splitByImports } from './not-imported.ts'
import { withoutHidden } from './org-policies.ts'
import { type Issues, withoutIgnored } from './policy-ignores.ts'
import type { Coverage, TestResult } from './test-result.ts'
import { listVulnerabilities, toIssues } from './vulnerabilities.ts'

/** A project that was read and compared with advisories and policies, independent of the form of the answer. */
export interface Tested {
  readonly reading: Reading
  readonly licenses: Licenses
  readonly result: TestResult
}

/** Tests a project that was read. The same input, advisories and registry answers give the same bytes. */
export async function testReading(read: Reading, context: TestContext): Promise<Tested> {
  const { graph } = read
  const { snapshot } = context.advisories
  const packages = distinctPackages(graph)
  const affected = matchGraph(packages, context.ecosystem, snapshot)
  const open = [
    ...undecided(packages, context.ecosystem, { snapshot, affected }),
    ...possiblyAffected(packages, snapshot),
  ]
  const reading = open.length === 0 ? read : { ...read, unresolved: [...read.unresolved, ...open] }
  const { imported, notImported } = splitByImports(toIssues(affected, reading, context), reading)
  let findDeclaration = imported.length > 0 ? await declarationsFor(reading, context) : undefined
  const listed = await listVulnerabilities(
    { ...reading, findDeclaration: findDeclaration ?? findNone },
    imported,
    context,
  )
  const licenses = await findLicenses(packages, context)
  const offenses = judgeLicenses(licenses, context)
  if (offenses.length > 0) findDeclaration ??= await declarationsFor(reading, context)
  const judged = listLicenseIssues({ graph, findDeclaration: findDeclaration ?? findNone }, offenses, context)
  const boundsMet = [...listed.boundsMet, ...licenses.boundsMet, ...judged.boundsMet, ...context.boundsMet]
  const coverage = toCoverage(reading, { licenses, boundsMet }, context)
  const all = { vulnerabilities: listed.vulnerabilities, licenses: judged.licenses }
  const isWhole = unfiltered.includes(context.task.form)
  const { issues, ignored, notes } = isWhole
    ? { issues: all, ignored: [], notes: [] }
    : withoutAllIgnored(all, graph, context)
  const isClean = issues.vulnerabilities.length === 0 && issues.licenses.length === 0
  const { task, licensePolicy } = context
  const result = {
    ok: isClean && (coverage.complete || task.acceptPartial),
    issues,
    dependencyCount: packages.length,
    org: { name: task.org.name, id: task.org.id },
    licensesPolicy: licensePolicy === undefined ? null : showPolicy(licensePolicy),
    packageManager: topPackageManager(context),
    coverage: withNotes(coverage, notes),
    ...(ignored.length > 0 && { ignored }),
    ...(notImported.length > 0 && { notImported }),
  }
  return { reading, licenses, result }
}

function withoutAllIgnored(all: Issues, graph: DependencyGraph, context: TestContext) {
  const own = withoutIgnored(all, graph, context)
  const { issues, ignored } = withoutHidden(own.issues, graph, context)
  return { issues, ignored: [...own.ignored, ...ignored], notes: own.notes }
}

function withNotes(coverage: Coverage, notes: readonly string[]): Coverage {
  const { policyFile } = coverage
  if (policyFile === undefined || notes.length === 0) return coverage
  return { ...coverage, policyFile: { ...policyFile, notes: [...policyFile.notes, ...notes] } }
}

/** Finds no declaration, for results in which no declaration would be shown. */
const findNone: FindDeclaration = () => undefined

/** Stored results and bills of materials do not contain declarations. */
async function declarationsFor(reading: Reading, context: TestContext): Promise<FindDeclaration> {
  return tellingLines.includes(context.task.form) ? openDeclarations(reading, context) : findNone
}

const tellingLines: readonly AnswerForm[] = ['json', 'of-many', 'of-many-with-bill', 'sarif']

/** Forms to which ignores are applied later: for stored projects after every change, for the others by the client. */
const unfiltered: readonly AnswerForm[] = ['project', 'affected-packages']

function topPackageManager({ task, ecosystem }: TestContext): string {
  return (task.subject.kind === 'package' ? ecosystem.coordinates?.packageManager : undefined) ?? ecosystem.id
}
