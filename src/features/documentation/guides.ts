import { readFileSync } from 'node:fs'
import type { Html } from '#foundation/pages/html.ts'
import type { ServerFacts } from './guide-values.ts'

export interface Guide {
  readonly slug: string
  readonly title: string
  readonly summary: string
  content(server: ServerFacts): Promise<Html>
}

/** In the order of the overview; each is a file of `docs/guides`. */
const slugs = [
  'authentication',
  'sign-in',
  'oauth',
  'test-results',
  'bills-of-materials',
  'policy-files',
  'command-line',
  'ci',
  'typescript-client',
  'secrets',
  'leaked-credentials',
  'webhooks',
  'versions',
  'pages',
  'idempotency',
  'limits',
  'settings',
  'operation',
]

export const guides: readonly Guide[] = slugs.map(readGuide)

function readGuide(slug: string): Guide {
  const text = readFileSync(new URL(`../../../docs/guides/${slug}.md`, import.meta.url), 'utf8')
  const [, title, summary, body] = /^---\ntitle: (.+)\nsummary: (.+)\n---\n(.*)$/s.exec(text) ?? []
  if (body === undefined) throw new Error(`docs/guides/${slug}.md has no title and summary.`)
  return {
    slug,
    title: title!,
    summary: summary!,
    // Loaded with the first guide that is read, to keep the start quick.
    async content(server) {
      const [{ renderGuide }, { guideValues }] = await Promise.all([
        import('./guide-markdown.ts'),
        import('./guide-values.ts'),
      ])
      return renderGuide(body, guideValues(server))
    },
  }
}
