import type { Reading } from '#analysis/ecosystems/ecosystem.ts'
import { distinctPackages, matchGraph, undecided } from '#analysis/findings/match-graph.ts'
import type { TestContext } from './context.ts'
import { toCoverage } from './coverage.ts'
import { findLicences, type Licences } from './find-licences.ts'
import { listLicenceIssues, showPolicy } from './licence-issues.ts'
import type { TestResult } from './resource.ts'
import { listVulnerabilities, toIssues } from './vulnerabilities.ts'

/** A project that was read and held against what is known, for whatever form it is answered in. */
export interface Tested {
  readonly reading: Reading
  readonly licences: Licences
  readonly result: TestResult
}

/** What is answered for a project that was read: the same input, advisories and registry answers give the same bytes. */
export async function testReading(read: Reading, context: TestContext): Promise<Tested> {
  const { graph } = read
  const { snapshot } = context.advisories
  const packages = distinctPackages(graph)
  const affected = matchGraph(packages, context.ecosystem, snapshot)
  const open = undecided(packages, context.ecosystem, { snapshot, affected })
  const reading = open.length === 0 ? read : { ...read, unresolved: [...read.unresolved, ...open] }
  const found = await listVulnerabilities(reading, toIssues(affected, context), context)
  const licences = await findLicences(packages, context)
  const judged = listLicenceIssues(graph, licences, context)
  const boundsMet = [...found.boundsMet, ...licences.boundsMet, ...judged.boundsMet, ...context.boundsMet]
  const coverage = toCoverage(reading, { licences, boundsMet }, context)
  const issues = { vulnerabilities: found.vulnerabilities, licenses: judged.licences }
  const isClean = issues.vulnerabilities.length === 0 && issues.licenses.length === 0
  const { task, licencePolicy } = context
  const result = {
    ok: isClean && (coverage.complete || task.acceptPartial),
    issues,
    dependencyCount: packages.length,
    org: { name: task.org.name, id: task.org.id },
    licensesPolicy: licencePolicy === undefined ? null : showPolicy(licencePolicy),
    packageManager: topPackageManager(context),
    coverage,
  }
  return { reading, licences, result }
}

function topPackageManager({ task, ecosystem }: TestContext): string {
  return (task.subject.kind === 'package' ? ecosystem.coordinates?.packageManager : undefined) ?? ecosystem.id
}
