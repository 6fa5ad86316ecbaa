import type { VersionScheme } from '#analysis/versions/version-scheme.ts'
import { toCycloneDx, toCycloneDxHead } from '#features/reports/cyclonedx.ts'
import { toFile, toSarif } from '#features/reports/sarif.ts'
import { toBill } from '#features/reports/tested-bill.ts'
import { toUuid } from '#foundation/digest-uuid.ts'
import { findPackageManager } from '#scanning/reading/package-managers.ts'
import type { ReportForm } from '#scanning/reading/task.ts'
import type { TestContext } from '#scanning/results/context.ts'
import { toFullUpgradePath } from '#scanning/results/full-upgrade-path.ts'
import type { Tested } from '#scanning/results/result.ts'
import type { TestResult, Vulnerability } from '#scanning/results/test-result.ts'
import { toAffectedPackages, toDepGraphResult } from './dep-graph-answer.ts'

export function writeReport(form: ReportForm, tested: Tested, context: TestContext): object {
  return writers[form](tested, context)
}

function toJson({ result }: Tested, { ecosystem }: TestContext): TestResult {
  const vulnerabilities = result.issues.vulnerabilities.map((vulnerability) =>
    vulnerability.upgradePath.length === 0 || vulnerability.upgradePath.length === vulnerability.from.length
      ? vulnerability
      : { ...vulnerability, upgradePath: toFullUpgradePath(vulnerability, versionsOf(vulnerability, ecosystem)) },
  )
  return { ...result, issues: { ...result.issues, vulnerabilities } }
}

function versionsOf({ packageManager }: Vulnerability, { isMixed, versions }: TestContext['ecosystem']): VersionScheme {
  return (isMixed ? findPackageManager(packageManager)?.versions : undefined) ?? versions
}

function writeCycloneDx(tested: Tested, context: TestContext): object {
  const content = toCycloneDx(toBill(tested, context), '1.6')
  return { ...toCycloneDxHead('1.6', toUuid([JSON.stringify(content)])), ...content }
}

const writers: Readonly<Record<ReportForm, (tested: Tested, context: TestContext) => object>> = {
  json: toJson,
  'of-many': toJson,
  'of-many-with-bill': (tested, context) => ({ ...toJson(tested, context), bill: writeCycloneDx(tested, context) }),
  sarif: ({ result, reading }) => toSarif({ ...result, file: toFile(reading.filesRead) }),
  cyclonedx: writeCycloneDx,
  'dep-graph': toDepGraphResult,
  'affected-packages': toAffectedPackages,
}
