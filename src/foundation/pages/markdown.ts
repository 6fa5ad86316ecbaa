import { type Html, html, prose } from './html.ts'

const FENCE = /^ {0,9}(`{3,}|~{3,})/
const HEADING = /^ {0,3}#{1,6}[ \t]+/
const ITEM = /^ {0,9}([-*+]|\d{1,9}[.)])[ \t]+/

/** Alternatives: code, bold text, a link with a label, a bare address. Each is found in linear time. */
const MARKED =
  /`([^`\n]+)`|\*\*([^*\n]+)\*\*|\[([^\][\n]{1,500})\]\((https?:\/\/[^\s()<>]{1,2000})\)|(https?:\/\/[^\s<>()"'`\]]*[^\s<>()"'`\].,;:!?])/g

interface Block {
  readonly kind: 'p' | 'h3' | 'ul' | 'ol' | 'pre'
  /** The items of a list, the lines of code, or one text. */
  readonly texts: string[]
}

/**
 * Renders the part of Markdown that advisories use: headings (all of the level below sections), flat lists, fenced code,
 * code, bold text and links to the web. Anything else, HTML included, becomes escaped text.
 */
export function renderMarkdown(text: string): Html[] {
  return splitBlocks(text).map(renderBlock)
}

function splitBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let fence: string | undefined
  let isOpen = false
  for (const line of text.split(/\r?\n/)) {
    const last = blocks.at(-1)
    const marker = FENCE.exec(line)?.[1]
    if (fence !== undefined) {
      if (marker?.startsWith(fence)) fence = undefined
      else last?.texts.push(line)
      continue
    }
    fence = marker
    const block = beginBlock(line)
    if (line.trim() === '') isOpen = false
    else if (block.kind === 'p' && isOpen && last) last.texts.push(`${last.texts.pop()}\n${line}`)
    else {
      // Items stay in one list across empty lines, so that their numbers go on.
      if (isList(block) && last?.kind === block.kind) last.texts.push(...block.texts)
      else blocks.push(block)
      isOpen = block.kind === 'p' || isList(block)
    }
  }
  return blocks
}

function beginBlock(line: string): Block {
  if (FENCE.test(line)) return { kind: 'pre', texts: [] }
  if (HEADING.test(line)) return { kind: 'h3', texts: [line.replace(HEADING, '')] }
  const marker = ITEM.exec(line)?.[1]
  if (marker === undefined) return { kind: 'p', texts: [line] }
  return { kind: /\d/.test(marker) ? 'ol' : 'ul', texts: [line.replace(ITEM, '')] }
}

function isList({ kind }: Block): boolean {
  return kind === 'ul' || kind === 'ol'
}

function renderBlock({ kind, texts }: Block): Html {
  if (kind === 'pre') return html`<pre tabindex="0"><code>${texts.join('\n')}</code></pre>`
  if (kind === 'h3') return html`<h3>${inline(texts[0]!)}</h3>`
  if (kind === 'p') return html`<p>${inline(texts[0]!)}</p>`
  const items = texts.map((item) => html`<li>${inline(item)}</li>`)
  return kind === 'ol' ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`
}

function inline(text: string): Html {
  const pieces: Html[] = []
  let end = 0
  for (const match of text.matchAll(MARKED)) {
    pieces.push(html`${text.slice(end, match.index)}`, renderMarked(match))
    end = match.index + match[0].length
  }
  pieces.push(html`${text.slice(end)}`)
  return { html: pieces.map((piece) => piece.html).join('') }
}

function renderMarked([, code, bold, label, address, bare]: RegExpExecArray): Html {
  if (code !== undefined) return html`<code>${code}</code>`
  if (bold !== undefined) return html`<strong>${prose(bold)}</strong>`
  const url = address ?? bare!
  return html`<a href="${url}" rel="noreferrer nofollow">${prose(label ?? url)}</a>`
}
