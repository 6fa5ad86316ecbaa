/** A page of the site as Eleventy lists it. */
export interface SitePage {
  readonly url: string
  readonly data: { readonly title: string; readonly summary?: string; readonly isGenerated?: true }
}

export interface Section {
  readonly name: string
  readonly pages: readonly SitePage[]
}

/** The navigation: each guide of `docs/guides` by its file name, and the pages that are generated. */
const sections: Readonly<Record<string, readonly string[]>> = {
  Start: ['install', 'clients', 'command-line', 'ci', 'typescript-client'],
  Console: ['first-hour', 'connect-sources', 'issues', 'license-policy', 'roles', 'single-sign-on'],
  Packages: ['formats', 'test-results', 'priority', 'policies', 'due-dates', 'bills-of-materials', 'policy-files'],
  'Programs and users': ['authentication', 'sign-in', 'oauth', 'secrets', 'leaked-credentials'],
  Interface: ['api', 'errors', 'versions', 'pages', 'idempotency', 'limits', 'webhooks', 'choices'],
  Operation: ['settings', 'operation', 'backup', 'upgrade', 'uninstall', 'security'],
}

export const pageNames: readonly string[] = Object.values(sections).flat()

/** Returns the section of a page by its URL relative to the first page; pages below another are in its section. */
export function sectionOf(url: string): string {
  const [name] = url.split('/')
  return Object.keys(sections).find((section) => sections[section]!.includes(name!)) ?? ''
}

/** Sorts the pages into their sections. Throws for a guide that is in none, and for a name without a page. */
export function listSections(all: readonly SitePage[]): Section[] {
  const byUrl = new Map(all.map((page) => [page.url, page]))
  const stray = all.find(({ url, data }) => !data.isGenerated && !pageNames.includes(url.replaceAll('/', '')))
  if (stray) throw new Error(`The guide ${stray.url} is in no section: add it to tools/documentation/sections.ts`)
  return Object.entries(sections).map(([name, names]) => ({
    name,
    pages: names.map((name) => pageOf(byUrl, name)),
  }))
}

function pageOf(byUrl: ReadonlyMap<string, SitePage>, name: string): SitePage {
  const page = byUrl.get(`/${name}/`)
  if (!page) throw new Error(`The navigation has ${name}, which is no page`)
  return page
}
