import type { TestContext } from './context.ts'
import { toCycloneDx } from './cyclonedx.ts'
import { toAffectedPackages, toDepGraphResult } from './dep-graph-answer.ts'
import type { AnswerForm } from './messages.ts'
import { toProjectTest } from './project-form.ts'
import type { Tested } from './result.ts'
import { toSarif } from './sarif.ts'

/** The answer in one of its forms, as plain JSON. */
export function writeForm(form: AnswerForm, tested: Tested, context: TestContext): object {
  return writers[form](tested, context)
}

const writers: Readonly<Record<AnswerForm, (tested: Tested, context: TestContext) => object>> = {
  json: ({ result }) => result,
  sarif: toSarif,
  cyclonedx: toCycloneDx,
  'dep-graph': toDepGraphResult,
  'affected-packages': toAffectedPackages,
  project: toProjectTest,
}
