import type { TestContext } from './context.ts'
import { toCycloneDx } from './cyclonedx.ts'
import { toAffectedPackages, toDepGraphResult } from './dep-graph-answer.ts'
import { toFullUpgradePath } from './full-upgrade-path.ts'
import type { AnswerForm } from './messages.ts'
import { type ProjectLayout, writeProject } from './project-bytes.ts'
import { toProjectTest } from './project-form.ts'
import type { TestResult } from './resource.ts'
import type { Tested } from './result.ts'
import { toSarif } from './sarif.ts'

/** The answer in one of its forms: JSON, or a project test with its layout. */
export function writeForm(form: AnswerForm, tested: Tested, context: TestContext): Written {
  if (form === 'project') return writeProject(toProjectTest(tested, context))
  return { body: new TextEncoder().encode(JSON.stringify(writers[form](tested, context))) }
}

interface Written {
  readonly body: Uint8Array<ArrayBuffer>
  readonly layout?: ProjectLayout
}

function toJson({ result }: Tested, { ecosystem }: TestContext): TestResult {
  const vulnerabilities = result.issues.vulnerabilities.map((each) =>
    each.upgradePath.length === 0 || each.upgradePath.length === each.from.length
      ? each
      : { ...each, upgradePath: toFullUpgradePath(each, ecosystem.versions) },
  )
  return { ...result, issues: { ...result.issues, vulnerabilities } }
}

const writers: Readonly<Record<Exclude<AnswerForm, 'project'>, (tested: Tested, context: TestContext) => object>> = {
  json: toJson,
  sarif: toSarif,
  cyclonedx: toCycloneDx,
  'dep-graph': toDepGraphResult,
  'affected-packages': toAffectedPackages,
}
