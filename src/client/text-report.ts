import { describeUpgrade } from '#analysis/findings/describe-fix.ts'
import type { IgnoredIssue } from '#scanning/results/test-result.ts'
import { type BestUpgrade, type CompareVersions, findBestUpgrades } from './best-upgrades.ts'
import { countBySeverity, type Finding, listFindings, severities } from './findings.ts'
import { printable } from './printable.ts'
import { createPalette, type Palette, pad, plural, widthOf, wrap } from './terminal-text.ts'
import type { TestDocument, TestedProject } from './test-document.ts'
import { isComplete, listMissingKinds } from './verdict.ts'

export interface TextOptions {
  readonly columns: number
  readonly isColored: boolean
  readonly compare: CompareVersions
}

/** Entries of a list that are shown in full; `--json` has all. */
const SHOWN = 10
const SHOWN_UPGRADES = 5
/** Room for an identifier, and the spaces between columns. */
const ISSUE_CELLS = 25
const MIN_COLUMNS = 40
const MAX_COLUMNS = 120

/** Writes the outcome for people. Lines have at most `columns` cells. */
export function toText(document: TestDocument, { columns, isColored, compare }: TextOptions): string {
  const page: Page = {
    width: Math.min(MAX_COLUMNS, Math.max(MIN_COLUMNS, columns)),
    paint: createPalette(isColored),
  }
  const sections = [
    ...document.projects.map((project) => toProject(project, page)),
    ...listPaths(document, page.paint).map((list) => toList(list, page)),
    toUpgrades(findBestUpgrades(document.projects, compare), page),
    toSummary(document, page),
  ]
  const lines = sections.filter((section) => section.length > 0).flatMap((section) => [...section, ''])
  return `${lines.slice(0, -1).join('\n')}\n`
}

interface Page {
  readonly width: number
  readonly paint: Palette
}

function toProject(project: TestedProject, page: Page): string[] {
  const { path, packageManager, result, error } = project
  const findings = listFindings(project)
  const { paint } = page
  const title = indented(`${printable(path)} (${packageManager})`, page, { indent: '', color: paint.heading })
  if (result === undefined) {
    const why = `Not tested: ${printable(error?.message ?? 'no result')} (${error?.code ?? 'unknown'})`
    return [...title, ...indented(why, page, { color: paint.warning })]
  }
  const count =
    findings.length === 0
      ? paint.good('no issues')
      : `${plural(findings.length, 'issue')}: ${countBySeverity(findings)}`
  return [
    ...title,
    `  ${plural(result.dependencyCount, 'package')}, ${count}`,
    ...toCoverage(project, page),
    ...toPolicy(project, page),
    ...toTable(findings, page),
  ]
}

/** A row for each finding, and below it its title, a dependency path and the fix. */
function toTable(findings: readonly Finding[], page: Page): string[] {
  if (findings.length === 0) return []
  const { paint } = page
  const names = findings.map((finding) => printable(`${finding.package}@${finding.version}`))
  const severityWidth = Math.max(...severities.map(widthOf))
  const nameWidth = Math.min(page.width - severityWidth - ISSUE_CELLS, Math.max(7, ...names.map(widthOf)))
  const head = `  ${pad('SEVERITY', severityWidth)}  ${pad('PACKAGE', nameWidth)}  ISSUE`
  const rows = findings.flatMap((finding, at) => {
    const severity = paint[finding.severity](pad(finding.severity, severityWidth))
    const name = names[at]!
    const indent = ' '.repeat(severityWidth + 4)
    const id = printable(finding.id)
    const isShort = widthOf(name) <= nameWidth && indent.length + nameWidth + 2 + widthOf(id) <= page.width
    const first = isShort
      ? [`  ${severity}  ${pad(name, nameWidth)}  ${id}`]
      : [`  ${severity}`, ...indented(`${name} ${id}`, page, { indent })]
    const more = finding.pathCount > 1 ? ` (and ${plural(finding.pathCount - 1, 'more path')})` : ''
    const marks = [...finding.cves, ...finding.reasons]
    const title = printable(finding.title) + (marks.length === 0 ? '' : ` (${marks.join(', ')})`)
    return [
      ...first,
      ...indented(title, page, { indent }),
      ...indented(`path: ${printable(finding.paths[0]!.join(' > '))}${more}`, page, { indent, color: paint.faint }),
      ...toDeclared(finding, page, indent),
      ...indented(`fix: ${printable(finding.fix)}`, page, { indent, ...(finding.isFixable && { color: paint.good }) }),
    ]
  })
  return ['', paint.faint(head), ...rows]
}

function toDeclared({ declarations: [first, ...others] }: Finding, page: Page, indent: string): string[] {
  if (first === undefined) return []
  const more = others.length === 0 ? '' : ` (and ${plural(others.length, 'more line')})`
  return indented(`at: ${printable(first)}${more}`, page, { indent, color: page.paint.faint })
}

function toCoverage({ result }: TestedProject, page: Page): string[] {
  const { coverage } = result!
  if (coverage.complete) return []
  const { unresolved, dependencies } = coverage
  const open = unresolved.map(({ name, range, reason, requiredBy }) =>
    printable(`${name} ${range}, required by ${requiredBy}: ${reason}`),
  )
  const license = coverage.licenses.unknown > 0 && open.length === 0 ? ['Licenses of some packages are not known'] : []
  const all = [...open, ...coverage.boundsMet.map(printable), ...license]
  const title =
    dependencies.unresolved === 0
      ? '! Incomplete'
      : `! Incomplete: ${dependencies.unresolved} of ${dependencies.found} ${dependencies.found === 1 ? 'dependency' : 'dependencies'} not fully tested`
  return [
    ...indented(title, page, { color: page.paint.warning }),
    ...limited(all, (text) => indented(`- ${text}`, page, { indent: '    ', hanging: '  ' })),
  ]
}

/** Lists the issues that the policy file and policies of the organization ignore, and what was not applied. */
function toPolicy({ result }: TestedProject, page: Page): string[] {
  const { ignored = [], coverage } = result!
  const { path = 'the policy file', notes = [] } = coverage.policyFile ?? {}
  const from = printable(path)
  const ofFile = ignored.filter(({ policy }) => policy === undefined)
  const byPolicy = Map.groupBy(ignored, ({ policy }) => policy?.name)
  const warn = (text: string) => indented(`- ${text}`, page, { indent: '    ', hanging: '  ' })
  return [
    ...toIgnored(from, ofFile, page),
    ...[...byPolicy].flatMap(([name, own]) =>
      name === undefined ? [] : toIgnored(`the policy “${printable(name)}”`, own, page),
    ),
    ...(notes.length === 0 ? [] : indented(`! Not applied of ${from}`, page, { color: page.paint.warning })),
    ...limited(notes.map(printable), warn),
  ]
}

function toIgnored(by: string, ignored: readonly IgnoredIssue[], page: Page): string[] {
  if (ignored.length === 0) return []
  const rows = ignored.map(({ id, package: name, version, path, allPaths, reason, expires }) => {
    const on = allPaths ? '' : ` on ${path}`
    const until = expires === null ? '' : ` until ${expires.slice(0, 10)}`
    return printable(`${id} of ${name}@${version}${on}${until}: ${reason}`)
  })
  const hide = (text: string) => indented(`- ${text}`, page, { indent: '    ', hanging: '  ', color: page.paint.faint })
  return [...indented(`Ignored by ${by}`, page, { color: page.paint.faint }), ...limited(rows, hide)]
}

function limited(all: readonly string[], write: (text: string) => string[]): string[] {
  const rest = all.length - SHOWN
  return [...all.slice(0, SHOWN).flatMap(write), ...(rest > 0 ? [`    … and ${rest} more; --json lists all`] : [])]
}

/** Returns the paths beside the projects: what was not tested and why, and what was read around the folder. */
function listPaths(document: TestDocument, { warning, heading }: Palette): PathList[] {
  const { leftOut, outOfScope = [], excludedByPolicy = [], policyNotes = [], readAround = [] } = document
  return [
    { title: `! Not tested: ${plural(leftOut.length, 'file')}`, texts: leftOut.map(toReason), color: warning },
    { title: 'Not covered', texts: outOfScope.map(toReason), color: heading },
    { title: 'Policy files', texts: [...excludedByPolicy.map(toReason), ...policyNotes], color: heading },
    { title: 'Read outside of the folder', texts: readAround },
  ]
}

interface PathList {
  readonly title: string
  readonly texts: readonly string[]
  readonly color?: (text: string) => string
}

function toList({ title, texts, color }: PathList, page: Page): string[] {
  if (texts.length === 0) return []
  return [
    ...indented(title, page, { indent: '', ...(color && { color }) }),
    ...limited(texts.map(printable), (text) => indented(`- ${text}`, page, { hanging: '  ' })),
  ]
}

function toReason({ path, reason }: TestDocument['leftOut'][number]): string {
  return `${path}: ${reason}`
}

function toUpgrades(upgrades: readonly BestUpgrade[], page: Page): string[] {
  if (upgrades.length === 0) return []
  const shown = upgrades.slice(0, SHOWN_UPGRADES)
  const rest = upgrades.slice(SHOWN_UPGRADES)
  const restFixes = rest.reduce((sum, { fixes }) => sum + fixes, 0)
  return [
    page.paint.heading('Upgrades that fix the most'),
    ...shown.flatMap((upgrade) => {
      const advice = describeUpgrade(upgrade, upgrade.packageManager)
      const text = `${plural(upgrade.fixes, 'issue')}: ${advice} in ${upgrade.path}`
      return indented(printable(text), page, { hanging: '  ' })
    }),
    ...(rest.length === 0 ? [] : [`  ${plural(restFixes, 'issue')}: ${plural(rest.length, 'more upgrade')}`]),
  ]
}

function toSummary(document: TestDocument, page: Page): string[] {
  const { projects, excluded } = document
  const findings = projects.flatMap(listFindings)
  const packages = projects.reduce((sum, { result }) => sum + (result?.dependencyCount ?? 0), 0)
  const issueText =
    findings.length === 0 ? 'no issues' : `${plural(findings.length, 'issue')} (${countBySeverity(findings)})`
  const tested = projects.filter(({ result }) => result !== undefined)
  const isStarter = projects.some(({ result }) => result?.coverage.advisories.starterSet)
  const { warning, good, heading } = page.paint
  const isClean = findings.length === 0 && isComplete(document)
  const outcome =
    projects.length === 0
      ? 'No project was tested.'
      : `Tested ${plural(tested.length, 'project')} with ${plural(packages, 'package')}: ${issueText}.`
  return [
    ...indented(outcome, page, { indent: '', color: isClean ? good : projects.length === 0 ? warning : heading }),
    ...(isComplete(document) || projects.length === 0
      ? []
      : indented('The test is incomplete: what was not tested may have issues. --strict fails on this.', page, {
          indent: '',
          color: warning,
        })),
    ...(isStarter
      ? indented(
          'Only the starter set of advisories was used, so most issues are not found. Run "gatehouse advisories sync" (for --local: "gatehouse advisories sync --local").',
          page,
          { indent: '', color: warning },
        )
      : []),
    ...toMissingExploitData(document, findings).flatMap((text) => indented(text, page, { indent: '' })),
    ...(excluded > 0
      ? indented(`${plural(excluded, 'project')} in excluded folders; --exclude= tests them too.`, page, { indent: '' })
      : []),
  ]
}

const kindNames = { kev: 'Catalogs of exploited vulnerabilities', epss: 'EPSS' } as const

/** Says which exploit data the order of the findings lacks. */
function toMissingExploitData(document: TestDocument, findings: readonly Finding[]): string[] {
  const names = listMissingKinds(document).map((kind) => kindNames[kind])
  if (names.length === 0 || findings.length === 0) return []
  return [`${names.join(' and ')}: not synced, so the order does not reflect them.`]
}

interface Indentation {
  readonly indent?: string
  /** Added to all lines but the first. */
  readonly hanging?: string
  readonly color?: (text: string) => string
}

function indented(text: string, page: Page, { indent = '  ', hanging = '', color }: Indentation): string[] {
  const lines = wrap(text, page.width - indent.length - hanging.length)
  return lines.map((line, at) => `${indent}${at === 0 ? '' : hanging}${color === undefined ? line : color(line)}`)
}
