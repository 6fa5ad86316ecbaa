import { toPrintedJson, withoutCommands, withoutCommandsInXml } from './output/runner-commands.ts'
import type { TestDocument } from './test-document.ts'

/** Forms in which a result can be printed or written to a file, besides text. */
export const reportForms = ['json', 'sarif', 'cyclonedx', 'junit', 'markdown'] as const
export type ReportForm = (typeof reportForms)[number]

/** Writes a report; its writer is loaded when it is used. */
export async function writeForm(form: ReportForm, document: TestDocument): Promise<string> {
  return writers[form](document)
}

const writers: Readonly<Record<ReportForm, (document: TestDocument) => string | Promise<string>>> = {
  json: (document) =>
    asJson({ ...document, projects: document.projects.map(({ bill: _bill, ...project }) => project) }),
  sarif: async (document) => {
    const { toSarifOfProjects } = await import('#features/reports/sarif.ts')
    return asJson(toSarifOfProjects(document))
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

function asJson(value: object): string {
  return `${toPrintedJson(value)}\n`
}
