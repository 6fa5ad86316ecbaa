import type { OsvRecord } from '#analysis/advisories/osv.ts'
import type { VulnerabilityFacts } from '#analysis/advisories/vulnerability.ts'
import { toPercent } from '#analysis/findings/priority.ts'
import type { Server } from '#foundation/http/server.ts'
import { type Html, html } from '#foundation/pages/html.ts'
import { renderMarkdown } from '#foundation/pages/markdown.ts'
import { type Sheet, sendSheet } from '#foundation/pages/sheet.ts'
import type { AdvisoryHolder } from '#scanning/advisories/advisory-holder.ts'
import type { OpenAdvisories } from '#scanning/advisories/open-advisories.ts'
import { affectedPackagesOf, type NamedPackage } from './affected-packages.ts'

const MAX_REFERENCES = 100

/** The page of one vulnerability at `/vuln/<id>`, the address that command-line clients print. */
export function advisoryPage(server: Server, holder: AdvisoryHolder): void {
  server.get<{ Params: { id: string } }>(
    '/vuln/:id',
    { config: { access: 'public' }, schema: { hide: true } },
    async (request, reply) => {
      const lease = holder.acquire()
      try {
        return sendSheet(reply, describe(lease.advisories, request.params.id))
      } finally {
        lease.release()
      }
    },
  )
}

const unknown: Sheet = {
  status: 404,
  title: 'No such advisory',
  content: html`<h1>No such advisory</h1>
  <p>The advisories of this server have no record with this id. It may have been withdrawn, or be newer than these advisories.</p>`,
}

interface Shown extends NamedPackage {
  readonly facts: VulnerabilityFacts
}

function describe(advisories: OpenAdvisories, id: string): Sheet {
  const record = advisories.findRecord(id)
  if (record === undefined) return unknown
  const about = advisories.readRecord(record)
  const packages = affectedPackagesOf(about).map((affectedPackage) => ({
    ...affectedPackage,
    facts: advisories.describe({ record, others: [] }, affectedPackage),
  }))
  const [first] = packages
  if (first === undefined) return unknown
  const { builtAt } = advisories.snapshot.header
  return { title: about.id, isReport: true, content: contentOf(about, { packages, facts: first.facts, builtAt }) }
}

interface Content {
  readonly packages: readonly Shown[]
  readonly facts: VulnerabilityFacts
  readonly builtAt: number
}

function contentOf({ id }: OsvRecord, { packages, facts, builtAt }: Content): Html {
  const { title, severity, cwe, credit } = facts
  const names = new Set([id, ...facts.cve, ...facts.ghsa, ...facts.otherIds])
  return html`<h1>${title}</h1>
  <p class="names"><span class="badge ${severity}">${severity}</span>
    ${exploitBadge(facts)}
    ${[...names].map((name) => html`<span class="badge">${name}</span>`)}</p>
  ${figures(facts, packages)}
  <h2>Affected packages</h2>
  <table>
    <thead><tr><th scope="col">Package</th><th scope="col">Affected versions</th><th scope="col">Fixed in</th></tr></thead>
    <tbody>${packages.map(
      (shown) => html`<tr><td>${shown.name} <span class="quiet">${shown.registry}</span></td>
      <td data-label="Affected versions">${shown.facts.vulnerable.map((range) => html`<code>${range}</code>`)}</td>
      <td data-label="Fixed in">${shown.facts.fixedIn.join(', ') || 'no fix yet'}</td></tr>`,
    )}</tbody>
  </table>
  <h2>Description</h2>
  ${facts.description === '' ? html`<p>The advisory has no description.</p>` : renderMarkdown(facts.description)}
  ${references(facts)}
  <h2>Details</h2>
  <dl class="details">
    ${detail('Score', vectorOf(facts))}
    ${detail('EPSS', epssOf(facts))}
    ${detail('Fix due', facts.exploitDue ?? '')}
    ${detail('Weaknesses', cwe.join(', '))}
    ${detail('Credit', credit.join(', '))}
    ${detail('Source', `Advisories of ${dayOf(new Date(builtAt).toISOString())}`)}
  </dl>`
}

function exploitBadge({ isExploited, exploitedSince, exploitMaturity }: VulnerabilityFacts): Html {
  const since = exploitedSince === undefined ? '' : ` since ${exploitedSince}`
  if (isExploited) return html`<span class="badge critical">exploited${since}</span>`
  return exploitMaturity === 'mature' ? html`<span class="badge">exploit code exists</span>` : html``
}

function epssOf({ epssScore, epssPercentile }: VulnerabilityFacts): string {
  if (epssScore === undefined) return ''
  const rank = epssPercentile === undefined ? '' : `, higher than ${toPercent(epssPercentile)} of all vulnerabilities`
  return `${toPercent(epssScore)} probability of exploitation within 30 days${rank}`
}

function figures(facts: VulnerabilityFacts, packages: readonly Shown[]): Html {
  const { basis, cvssScore, publicationTime, modificationTime } = facts
  const fixes = [...new Set(packages.flatMap(({ facts: { fixedIn } }) => fixedIn))]
  const version = vectorOf(facts).match(/^CVSS:(\d\.\d)/)?.[1] ?? '2'
  const unrated = basis === 'assumed' ? 'not rated; the severity is assumed' : 'no vector; the severity is published'
  return html`<dl class="figures">
    <div><dt>Score</dt><dd>${cvssScore?.toFixed(1) ?? '–'}<small>${cvssScore === undefined ? unrated : `CVSS ${version}`}</small></dd></div>
    <div><dt>Fixed in</dt><dd>${fixes[0] ?? 'No fix yet'}<small>${fixes.length > 1 ? `and ${fixes.length - 1} more, see below` : ''}</small></dd></div>
    <div><dt>Published</dt><dd>${dayOf(publicationTime)}</dd></div>
    <div><dt>Changed</dt><dd>${dayOf(modificationTime)}</dd></div>
  </dl>`
}

function detail(term: string, text: string): Html {
  return text === '' ? html`` : html`<dt>${term}</dt><dd>${text}</dd>`
}

function vectorOf({ cvssV4, cvssV3, cvssV2 }: VulnerabilityFacts): string {
  return cvssV3 ?? cvssV4 ?? cvssV2 ?? ''
}

function dayOf(time: string): string {
  return time.slice(0, 'YYYY-MM-DD'.length)
}

function references({ references: all }: VulnerabilityFacts): Html {
  const links = all.map(({ url }) => url).filter((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''))
  if (links.length === 0) return html``
  return html`<h2>References</h2>
  <ul>${links
    .slice(0, MAX_REFERENCES)
    .map((url) => html`<li><a href="${url}" rel="noreferrer nofollow">${url}</a></li>`)}</ul>`
}
