import { severities } from '#analysis/findings/known-issue.ts'
import { toPercent } from '#analysis/findings/priority.ts'
import { readReportStyles } from '#foundation/pages/assets.ts'
import { type Html, html } from '#foundation/pages/html.ts'
import type { ExportScope } from './list-projects.ts'
import type { Part, ReportedVulnerability, ReportFacts } from './report-facts.ts'

const worstFirst = severities.toReversed()

export interface ReportInput {
  readonly scope: ExportScope
  readonly orgName: string
  readonly facts: ReportFacts
  /** Epoch milliseconds. */
  readonly now: number
  readonly advisoriesBuiltAt: number
}

/** Returns a report as one HTML file, without scripts and with its own styles; its print is the PDF. */
export async function renderReport(input: ReportInput): Promise<string> {
  const { scope, orgName, facts, now, advisoriesBuiltAt } = input
  const title = `${scope.name}: vulnerabilities`
  const styles = { html: await readReportStyles() }
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title}</title>
  <style>${styles}</style>
</head>
<body>
  <main class="report">
  <h1>${title}</h1>
  <p class="quiet">${scope.kind === 'target' ? `Organization ${orgName} · ` : ''}${writeDay(now)} · advisories of
  ${writeDay(advisoriesBuiltAt)} · <a href="${scope.url}">Open in Gatehouse</a></p>
  ${figures(facts, scope.kind)}
  ${openSection(facts.open)}
  ${licenseSection(facts)}
  ${ignoredSection(facts.ignored)}
  ${projectSection(facts)}
  ${notesSection(facts)}
  </main>
</body>
</html>
`.html
}

function figures(
  { counts, ignored, projects, completeProjects, licenses }: ReportFacts,
  kind: ExportScope['kind'],
): Html {
  const figure = (label: string, value: number, about: string) =>
    html`<div><dt>${label}</dt><dd>${value.toLocaleString('en')}<small>${about}</small></dd></div>`
  return html`<dl class="figures">
    ${worstFirst.map((severity) => figure(capitalize(severity), counts[severity], 'open'))}
    ${figure('Ignored', ignored.total, 'in every project')}
    ${figure('License issues', licenses.total, 'by the policy')}
    ${figure('Projects', projects.total, `of the ${kind === 'target' ? 'repository' : kind}`)}
    ${figure('Tested completely', completeProjects, completeProjects === 1 ? 'project' : 'projects')}
  </dl>`
}

function openSection(open: ReportFacts['open']): Html {
  if (open.total === 0) return html`<h2>Open vulnerabilities</h2><p>None in the tested packages.</p>`
  return html`<h2>Open vulnerabilities</h2>${rest(open, 'worst')}
  <table>
    <thead><tr><th scope="col">Severity</th><th scope="col">Vulnerability</th><th scope="col">Packages</th>
      <th scope="col">Fix</th><th scope="col">Projects</th></tr></thead>
    <tbody>${open.rows.map(
      (row) => html`<tr>
      <td>${severityBadge(row)}</td>
      <td><a href="${row.about.url}">${row.about.id}</a>${reasonsOf(row)}
        <br>${row.about.title}</td>
      <td data-label="Packages">${list([...row.packages])}</td>
      <td data-label="Fix">${fixOf(row)}</td>
      <td data-label="Projects">${list([...row.openIn, ...more(row.openProjects - row.openIn.length)])}</td></tr>`,
    )}</tbody>
  </table>`
}

function reasonsOf({ about: { isExploited, exploitedSince, epssScore } }: ReportedVulnerability): Html[] {
  const since = exploitedSince === undefined ? '' : ` since ${exploitedSince}`
  return [
    ...(isExploited ? [html` <span class="badge critical">exploited${since}</span>`] : []),
    ...(epssScore === undefined ? [] : [html` EPSS ${toPercent(epssScore)}`]),
  ]
}

function severityBadge({ about: { severity, rating } }: ReportedVulnerability): Html {
  return html`<span class="badge ${severity}">${capitalize(severity)}${rating ? ` ${rating.score.toFixed(1)}` : ''}</span>`
}

function fixOf({ advice, about: { fixedIn } }: ReportedVulnerability): Html {
  // A direct dependency is named by its upgrade.
  if (advice.size > 0) return list([...advice].map((text) => text.replace(/^[^ >]+: /, '')))
  return fixedIn.length === 0 ? html`No fix yet` : html`Fixed in ${fixedIn.join(', ')}`
}

function licenseSection({ licenses }: ReportFacts): Html {
  if (licenses.total === 0) return html``
  return html`<h2>License issues</h2>${rest(licenses, 'first')}
  <table>
    <thead><tr><th scope="col">Issue</th><th scope="col">Packages</th></tr></thead>
    <tbody>${licenses.rows.map(
      ([violation, packages]) => html`<tr><td>${violation}</td>
      <td data-label="Packages">${[...packages].slice(0, 20).join(', ')}${more(packages.size - 20).map((text) => html`, ${text}`)}</td></tr>`,
    )}</tbody>
  </table>`
}

function ignoredSection(ignored: ReportFacts['ignored']): Html {
  if (ignored.total === 0) return html``
  return html`<h2>Ignored vulnerabilities</h2>${rest(ignored, 'worst')}
  <table>
    <thead><tr><th scope="col">Severity</th><th scope="col">Vulnerability</th><th scope="col">Reason</th></tr></thead>
    <tbody>${ignored.rows.map(
      (row) => html`<tr><td>${severityBadge(row)}</td>
      <td><a href="${row.about.url}">${row.about.id}</a><br>${row.about.title}</td>
      <td data-label="Reason">${list([...row.reasons])}</td></tr>`,
    )}</tbody>
  </table>`
}

function projectSection({ projects }: ReportFacts): Html {
  if (projects.total === 0) return html`<h2>Projects</h2><p>None.</p>`
  return html`<h2>Projects</h2>${rest(projects, 'oldest')}
  <table>
    <thead><tr><th scope="col">Project</th>${worstFirst.map((severity) => html`<th scope="col" class="number">${capitalize(severity)}</th>`)}
      <th scope="col">Tested</th><th scope="col">Coverage</th></tr></thead>
    <tbody>${projects.rows.map(
      ({ name, counts, testedAt, isComplete }) => html`<tr><td>${breakable(name)}</td>
      ${worstFirst.map((severity) => html`<td class="number" data-label="${capitalize(severity)}">${counts[severity]}</td>`)}
      <td data-label="Tested">${testedAt === 0 ? 'never' : writeDay(testedAt)}</td>
      <td data-label="Coverage">${isComplete ? 'complete' : 'incomplete'}</td></tr>`,
    )}</tbody>
  </table>`
}

function notesSection({ notes }: ReportFacts): Html {
  if (notes.total === 0) return html`<h2>Not tested</h2><p>Everything that the files ask for was tested.</p>`
  return html`<h2>Not tested</h2>
  <p>Vulnerabilities of these are unknown.</p>${rest(notes, 'first')}
  <table>
    <thead><tr><th scope="col">Project or manifest</th><th scope="col">Reason</th></tr></thead>
    <tbody>${notes.rows.map(([project, note]) => html`<tr><td>${breakable(project)}</td><td>${note}</td></tr>`)}</tbody>
  </table>`
}

function rest({ rows, total }: Part<unknown>, kind: string): Html {
  if (rows.length === total) return html``
  return html`<p class="quiet">The ${rows.length} ${kind} of ${total.toLocaleString('en')}.</p>`
}

function list(texts: readonly string[]): Html {
  return html`<ul>${texts.map((text) => html`<li>${breakable(text)}</li>`)}</ul>`
}

/** Lets a path break after its parts. */
function breakable(text: string): Html {
  return { html: html`${text}`.html.replace(/[/:@](?=\S)/g, '$&<wbr>') }
}

function more(count: number): string[] {
  return count > 0 ? [`${count.toLocaleString('en')} more`] : []
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function writeDay(at: number): string {
  return new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length)
}
