import { describeUpgrade } from '#analysis/findings/describe-fix.ts'
import { type BestUpgrade, type CompareVersions, findBestUpgrades } from './best-upgrades.ts'
import { countBySeverity, listFindings } from './findings.ts'
import { printable } from './printable.ts'
import { plural } from './terminal-text.ts'
import type { TestDocument, TestedProject } from './test-document.ts'
import { isComplete } from './verdict.ts'

/** Writes the outcome as GitHub-flavored Markdown, for comments on changes. */
export function toMarkdown(document: TestDocument, compare: CompareVersions): string {
  const { projects, leftOut, outOfScope = [] } = document
  const findings = projects.flatMap(listFindings)
  const upgrades = findBestUpgrades(projects, compare)
  const blocks = [
    `# Gatehouse: ${projects.length === 0 ? 'nothing was tested' : findings.length === 0 ? 'no issues' : plural(findings.length, 'issue')}`,
    ...(isComplete(document) ? [] : ['> **Incomplete.** What was not tested may have issues.']),
    ...projects.map(toSection),
    ...toList('Not tested', leftOut.map(toReason)),
    ...toList('Not covered', outOfScope.map(toReason)),
    ...toList('Upgrades that fix the most', upgrades.slice(0, 5).map(toUpgrade)),
  ]
  return `${blocks.join('\n\n')}\n`
}

function toList(title: string, rows: readonly string[]): string[] {
  return rows.length === 0 ? [] : [`## ${title}\n\n${rows.join('\n')}`]
}

function toReason({ path, reason }: TestDocument['leftOut'][number]): string {
  return `- ${code(path)}: ${escapeMarkdown(reason)}`
}

function toUpgrade(upgrade: BestUpgrade): string {
  const advice = escapeMarkdown(describeUpgrade(upgrade, upgrade.packageManager))
  return `- ${plural(upgrade.fixes, 'issue')}: ${advice} in ${code(upgrade.path)}`
}

function toSection(project: TestedProject): string {
  const { path, packageManager, result, error } = project
  const title = `## ${code(path)} (${packageManager})`
  if (result === undefined) return `${title}\n\nNot tested: ${escapeMarkdown(error?.message ?? 'no result')}`
  const findings = listFindings(project)
  const open = result.coverage.unresolved.map(
    ({ name, range, reason }) => `- ${code(`${name} ${range}`)}: ${escapeMarkdown(reason)}`,
  )
  const counts =
    findings.length === 0 ? 'no issues' : `${plural(findings.length, 'issue')} (${countBySeverity(findings)})`
  const rows = findings.map(
    ({ severity, package: name, version, id, url, title: what, paths, declarations: [at], fix, reasons }) =>
      `| ${[severity, ...reasons].join(', ')} | ${code(`${name}@${version}`)} | ${link(id, url)} ${escapeMarkdown(what)} | ${code(paths[0]!.join(' > '))}${at === undefined ? '' : `<br>at ${code(at)}`} | ${escapeMarkdown(fix)} |`,
  )
  return [
    `${title}\n\n${plural(result.dependencyCount, 'package')}, ${counts}.`,
    ...(open.length === 0 ? [] : [`**Not tested:**\n\n${open.join('\n')}`]),
    ...(rows.length === 0
      ? []
      : [['| severity | package | issue | path | fix |', '|---|---|---|---|---|', ...rows].join('\n')]),
  ].join('\n\n')
}

/** Escapes Markdown and HTML in untrusted text. */
function escapeMarkdown(text: string): string {
  return printable(text)
    .replace(/[\\`*_{}[\]()#+!|~@]/g, '\\$&')
    .replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** A code span cannot hold a pipe in a table, nor more backticks than surround it. */
function code(text: string): string {
  return `\`${printable(text).replaceAll('`', "'").replaceAll('|', '¦')}\``
}

function link(text: string, url: string): string {
  return /^https?:\/\/[^\s<>()|]+$/.test(url)
    ? `[${escapeMarkdown(text)}](${url.replaceAll('[', '%5B')})`
    : escapeMarkdown(text)
}
