import type { TestContext } from './context.ts'
import { toCycloneDx } from './cyclonedx.ts'
import { toAffectedPackages, toDepGraphResult } from './dep-graph-answer.ts'
import { toFullUpgradePath } from './full-upgrade-path.ts'
import type { AnswerForm } from './messages.ts'
import { toProjectTest } from './project-form.ts'
import type { TestResult } from './resource.ts'
import type { Tested } from './result.ts'
import { toSarif } from './sarif.ts'

/** The answer in one of its forms, as plain JSON. */
export function writeForm(form: AnswerForm, tested: Tested, context: TestContext): object {
  return writers[form](tested, context)
}

function toJson({ result }: Tested, { ecosystem }: TestContext): TestResult {
  const vulnerabilities = result.issues.vulnerabilities.map((each) =>
    each.upgradePath.length === 0 || each.upgradePath.length === each.from.length
      ? each
      : { ...each, upgradePath: toFullUpgradePath(each, ecosystem.versions) },
  )
  return { ...result, issues: { ...result.issues, vulnerabilities } }
}

const writers: Readonly<Record<AnswerForm, (tested: Tested, context: TestContext) => object>> = {
  json: toJson,
  sarif: toSarif,
  cyclonedx: toCycloneDx,
  'dep-graph': toDepGraphResult,
  'affected-packages': toAffectedPackages,
  project: toProjectTest,
}
