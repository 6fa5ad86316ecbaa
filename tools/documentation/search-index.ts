import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sectionOf } from './sections.ts'

/** A part of a page that a search can lead to. */
export interface SearchEntry {
  /** A page's title, a heading inside it, or an operation. */
  readonly title: string
  /** The page of a heading, or the navigation's section of a page. */
  readonly section: string
  /** Relative to the first page of the documentation. */
  readonly url: string
  readonly text: string
}

/** Pages without entries. */
const UNLISTED = new Set(['404.html', 'index.html'])
/** Starts of entries: a heading or an operation, with its id. */
const PART = /<(h[123]|details)\b[^>]*?(?: id="([^"]+)")?>([\s\S]*?)<\/(?:\1|summary)>/g
const TABLE_PAGES = /^(?:choices|errors)\//

/**
 * Writes the index of the pages' own search, `assets/search.json`, and the titles of pages and of the headings of guides
 * for the console's search, `assets/pages.json`.
 */
export function writeSearchIndex(folder: string): void {
  const entries = globSync('**/*.html', { cwd: folder })
    .filter((path) => !UNLISTED.has(path))
    .sort()
    .flatMap((path) => listEntries(path.replace(/index\.html$/, ''), readFileSync(join(folder, path), 'utf8')))
  const titles = entries
    .filter(({ url }) => !/^api\/#/.test(url) && !(TABLE_PAGES.test(url) && url.includes('#')))
    .map(({ title, section, url }) => ({ title, section, url }))
  writeFileSync(join(folder, 'assets/search.json'), JSON.stringify(entries))
  writeFileSync(join(folder, 'assets/pages.json'), JSON.stringify(titles))
}

/** Splits a page at its headings and operations. */
export function listEntries(url: string, page: string): SearchEntry[] {
  const main = /<main [^>]*>([\s\S]*)<\/main>/
    .exec(page)![1]!
    .replace(/<nav[\s\S]*?<\/nav>|<noscript[\s\S]*?<\/noscript>/g, '')
  const parts = [...main.matchAll(PART)]
  const [first, ...others] = parts.map(({ 2: id, 3: title, 0: { length }, index }, at) => ({
    id,
    title: toText(title!),
    text: toText(main.slice(index + length, parts[at + 1]?.index)),
  }))
  if (first === undefined) return []
  return [
    { title: first.title, section: sectionOf(url), url, text: first.text },
    ...others.flatMap(({ id, title, text }) =>
      id === undefined ? [] : [{ title, section: first.title, url: `${url}#${id}`, text }],
    ),
  ]
}

const characters: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

function toText(markup: string): string {
  return markup
    .replace(/<wbr>|<\/?(?:a|b|code|em|strong|small)\b[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\{\{\w+\}\}/g, '…')
    .replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => characters[entity]!)
    .replace(/\s+/g, ' ')
    .trim()
}
