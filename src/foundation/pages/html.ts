/** Markup that is safe to put into a page as it is. */
export interface Html {
  readonly html: string
}

type Value = string | number | Html | readonly Html[]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** A piece of a page. Whatever is put into it is escaped, except other pieces. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { html: String.raw({ raw: strings }, ...values.map(toMarkup)) }
}

function toMarkup(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number') return escapeText(String(value))
  if ('html' in value) return value.html
  return value.map((piece) => piece.html).join('\n')
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!)
}

/** A sentence whose words in backticks are code. */
export function prose(text: string): Html {
  return { html: escapeText(text).replace(/`([^`]+)`/g, '<code>$1</code>') }
}

/** Commands and answers, as they are typed and read. */
export function sample(label: string, text: string): Html {
  return html`<figure class="sample">
    <figcaption>${label}</figcaption>
    <pre tabindex="0"><code>${text}</code></pre>
  </figure>`
}
