import { escapeXml } from '#features/reports/escape-xml.ts'
import { type Finding, listFindings } from './findings.ts'
import type { TestDocument, TestedProject } from './test-document.ts'

/** Writes JUnit XML: a suite for each project, a failed case for each issue, an error for what was not tested, a skipped
 * case for what no test covers. */
export function toJunit({ projects, leftOut, outOfScope = [] }: TestDocument): string {
  const suites = [
    ...projects.map(toSuite),
    ...toPathSuite('not tested', leftOut, { kind: 'error', type: 'left-out' }),
    ...toPathSuite('not covered', outOfScope, { kind: 'skipped', type: 'out-of-scope' }),
  ]
  const counts = countsOf(suites.flatMap(({ cases }) => cases))
  const body = suites.map(({ xml }) => xml).join('')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="gatehouse test" ${counts}>\n${body}</testsuites>\n`
}

interface Case {
  readonly xml: string
  readonly kind: 'passed' | 'failure' | 'error' | 'skipped'
}

function toPathSuite(suite: string, all: TestDocument['leftOut'], of: Pick<CaseInput, 'kind' | 'type'>) {
  const cases = all.map(({ path, reason }) => toCase({ ...of, suite, name: path, message: reason, text: reason }))
  return cases.length === 0 ? [] : [writeSuite(suite, cases)]
}

function toSuite(project: TestedProject): { xml: string; cases: readonly Case[] } {
  const { path, error, result } = project
  const findings = listFindings(project).map((finding) => failedCase(path, finding))
  const errors =
    error === undefined
      ? (result?.coverage.unresolved ?? []).map(({ name, range, code, reason }) =>
          errorCase({ suite: path, name: `${name} ${range}`, type: code, text: `Not tested: ${reason}` }),
        )
      : [errorCase({ suite: path, name: 'manifest', type: error.code, text: error.message })]
  const cases = [...findings, ...errors]
  return writeSuite(path, cases.length > 0 ? cases : [passedCase(path)])
}

function writeSuite(name: string, cases: readonly Case[]): { xml: string; cases: readonly Case[] } {
  const body = cases.map(({ xml }) => xml).join('')
  const skipped = cases.filter(({ kind }) => kind === 'skipped').length
  const counts = `${countsOf(cases)}${skipped === 0 ? '' : ` skipped="${skipped}"`}`
  return { xml: `  <testsuite name="${escapeXml(name)}" ${counts}>\n${body}  </testsuite>\n`, cases }
}

function countsOf(cases: readonly Case[]): string {
  const count = (kind: Case['kind']) => cases.filter((testCase) => testCase.kind === kind).length
  return `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}"`
}

function passedCase(suite: string): Case {
  return { xml: `    <testcase classname="${escapeXml(suite)}" name="no issues"/>\n`, kind: 'passed' }
}

function failedCase(suite: string, finding: Finding): Case {
  const { id, package: name, version, severity, title, paths, declarations, fix, url } = finding
  const at = declarations.length === 0 ? '' : `\nAt: ${declarations.join(', ')}`
  const text = `${title}\nPath: ${paths[0]!.join(' > ')}${at}\nFix: ${fix}\n${url}`
  return toCase({ suite, name: `${name}@${version}: ${id}`, kind: 'failure', type: severity, message: title, text })
}

function errorCase({ suite, name, type, text }: { suite: string; name: string; type: string; text: string }): Case {
  return toCase({ suite, name, kind: 'error', type, message: text, text })
}

interface CaseInput {
  readonly suite: string
  readonly name: string
  readonly kind: 'failure' | 'error' | 'skipped'
  readonly type: string
  readonly message: string
  readonly text: string
}

function toCase({ suite, name, kind, type, message, text }: CaseInput): Case {
  const open = `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}">`
  // The schema gives skipped cases a message only.
  const inner =
    kind === 'skipped'
      ? `<skipped message="${escapeXml(message)}"/>`
      : `<${kind} type="${escapeXml(type)}" message="${escapeXml(message)}">${escapeXml(text)}</${kind}>`
  return { xml: `${open}\n      ${inner}\n    </testcase>\n`, kind }
}
