import { type Html, html } from '#foundation/pages/html.ts'

/** Headings of a page from which a list of them helps. */
const MIN_HEADINGS = 3

interface Heading {
  readonly level: string
  readonly id: string
  readonly title: string
}

/** Gives the headings of a page their ids, and lists them. */
export function addHeadingIds(content: string): { content: string; headings: readonly Heading[] } {
  const headings: Heading[] = []
  const ids = new Set<string>()
  const written = content.replace(
    /<(h[23])( id="[^"]+")?>([\s\S]*?)<\/\1>/g,
    (_, level: string, own, title: string) => {
      const id = own === undefined ? createId(title, ids) : own.slice(' id="'.length, -1)
      ids.add(id)
      headings.push({ level, id, title })
      return `<${level} id="${id}">${title}</${level}>`
    },
  )
  return { content: written, headings }
}

/** A list of the headings, closed on narrow screens. */
export function contentsList(headings: readonly Heading[]): Html {
  if (headings.length < MIN_HEADINGS) return html``
  return html`<nav class="contents" aria-label="On this page"><details><summary>On this page</summary>
    <ul>${headings.map(({ level, id, title }) => html`<li class="${level}"><a href="#${id}">${{ html: title }}</a></li>`)}</ul>
    </details></nav>`
}

function createId(title: string, ids: ReadonlySet<string>): string {
  const words = title
    .replace(/<[^>]+>|&#?\w+;/g, ' ')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
  const id = words?.join('-') ?? 'section'
  if (!ids.has(id)) return id
  let count = 2
  while (ids.has(`${id}-${count}`)) count++
  return `${id}-${count}`
}
