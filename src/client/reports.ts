import type { Vulnerability } from '#scanning/results/test-result.ts'
import { toPrintedJson, withoutCommands, withoutCommandsInXml } from './output/runner-commands.ts'
import type { Details, TestDocument, TestedProject } from './test-document.ts'

/** Forms in which a result can be printed or written to a file, besides text. */
export const reportForms = ['json', 'sarif', 'cyclonedx', 'junit', 'markdown'] as const
export type ReportForm = (typeof reportForms)[number]

/** Writes a report; its writer is loaded when it is used. */
export async function writeForm(form: ReportForm, document: TestDocument): Promise<string> {
  return writers[form](document)
}

const writers: Readonly<Record<ReportForm, (document: TestDocument) => string | Promise<string>>> = {
  json: ({ projects, advisories, ...rest }) => {
    const shown = projects.map(({ bill: _bill, ...project }) => project)
    const ids = new Set(projects.flatMap(({ result }) => result?.issues.vulnerabilities.map(({ id }) => id) ?? []))
    // A baseline may have left out all vulnerabilities of an advisory.
    const details = Object.fromEntries(Object.entries(advisories).filter(([id]) => ids.has(id)))
    return asJson({ ...rest, projects: shown, advisories: details })
  },
  sarif: async ({ projects, advisories, ...rest }) => {
    const { toSarifOfProjects } = await import('#features/reports/sarif.ts')
    return asJson(toSarifOfProjects({ ...rest, projects: projects.map((project) => withDetails(project, advisories)) }))
  },
  cyclonedx: async ({ projects, leftOut, outOfScope }) => {
    const { toCycloneDxOfProjects } = await import('#features/reports/cyclonedx-of-projects.ts')
    const billed = projects.map(({ path, bill, error, result }) => ({
      path,
      bill,
      error,
      issues: new Set(result?.issues.vulnerabilities.map(({ id }) => id)),
    }))
    return asJson(toCycloneDxOfProjects(billed, { leftOut, outOfScope }))
  },
  junit: async (document) => withoutCommandsInXml((await import('./junit-report.ts')).toJunit(document)),
  markdown: async (document) => {
    const [{ toMarkdown }, { compareVersions }] = await Promise.all([
      import('./markdown-report.ts'),
      import('./compare-versions.ts'),
    ])
    return withoutCommands(toMarkdown(document, compareVersions))
  },
}

function withDetails({ result, ...project }: TestedProject, details: Details) {
  if (result === undefined) return project
  const vulnerabilities = result.issues.vulnerabilities.map(
    (vulnerability): Vulnerability => ({ ...(details[vulnerability.id] ?? NO_DETAILS), ...vulnerability }),
  )
  return { ...project, result: { ...result, issues: { ...result.issues, vulnerabilities } } }
}

const NO_DETAILS: Details[string] = { description: '', credit: [], references: [] }

function asJson(value: object): string {
  return `${toPrintedJson(value)}\n`
}
