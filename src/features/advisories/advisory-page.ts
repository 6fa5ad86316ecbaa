import type { OsvRecord } from '#analysis/advisories/osv.ts'
import type { VulnerabilityFacts } from '#analysis/advisories/vulnerability.ts'
import type { Server } from '#foundation/http/server.ts'
import { type Html, html } from '#foundation/pages/html.ts'
import { renderMarkdown } from '#foundation/pages/markdown.ts'
import { sendSheet } from '#foundation/pages/sheet.ts'
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
      const { id } = request.params
      const lease = holder.acquire()
      try {
        const record = lease.advisories.findRecord(id)
        if (record === undefined) return sendSheet(reply, { ...unknown, status: 404 })
        const about = lease.advisories.readRecord(record)
        const packages = affectedPackagesOf(about)
        const shown = packages.map((affectedPackage) => ({
          ...affectedPackage,
          facts: lease.advisories.describe({ record, others: [] }, affectedPackage),
        }))
        return sendSheet(reply, { title: about.id, content: contentOf(about, shown, lease.advisories) })
      } finally {
        lease.release()
      }
    },
  )
}

const unknown = {
  title: 'No such advisory',
  content: html`<h1>No such advisory</h1>
  <p>The advisories of this server have no record with this id. It may have been withdrawn, or be newer than these advisories.</p>`,
}

interface Shown extends NamedPackage {
  readonly facts: VulnerabilityFacts
}

function contentOf({ id }: OsvRecord, packages: readonly Shown[], { snapshot }: OpenAdvisories): Html {
  const [first] = packages
  if (first === undefined) return unknown.content
  const { facts } = first
  const names = [...facts.cve, ...facts.ghsa, ...facts.otherIds].filter((name) => name !== id)
  const score = facts.cvssScore === undefined ? '' : ` (CVSS ${facts.cvssScore})`
  return html`<p class="trail">${id}</p>
  <h1>${facts.title}</h1>
  <dl>
    <dt>Severity</dt><dd>${facts.severity}${score}${facts.basis === 'assumed' ? ', assumed: no rating published' : ''}</dd>
    ${names.length === 0 ? html`` : html`<dt>Also known as</dt><dd>${names.join(', ')}</dd>`}
    <dt>Published</dt><dd>${facts.publicationTime}</dd>
    <dt>Changed</dt><dd>${facts.modificationTime}</dd>
  </dl>
  <table>
    <thead><tr><th scope="col">Package</th><th scope="col">Affected versions</th><th scope="col">Fixed in</th></tr></thead>
    <tbody>
      ${packages.map(
        (shown) => html`<tr><td>${shown.name} <small>(${shown.registry})</small></td>
        <td>${shown.facts.vulnerable.map((range) => html`<code>${range}</code>`)}</td>
        <td>${shown.facts.fixedIn.join(', ') || 'no known fix'}</td></tr>`,
      )}
    </tbody>
  </table>
  ${renderMarkdown(facts.description)}
  ${references(facts)}
  <p><small>From advisories of ${new Date(snapshot.header.builtAt).toISOString()}.</small></p>`
}

function references({ references: all }: VulnerabilityFacts): Html {
  const links = all.map(({ url }) => url).filter((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''))
  if (links.length === 0) return html``
  return html`<h2>References</h2>
  <ul>${links
    .slice(0, MAX_REFERENCES)
    .map((url) => html`<li><a href="${url}" rel="noreferrer nofollow">${url}</a></li>`)}</ul>`
}
