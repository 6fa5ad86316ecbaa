/** Markup that is safe to insert into a page. */
export interface Html {
  readonly html: string
}

type Value = string | number | Html | readonly Html[]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Builds markup. Escapes inserted values, except other markup. */
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

/** A sentence; words in backticks become code. */
export function prose(text: string): Html {
  return { html: escapeText(text).replace(/`([^`]+)`/g, '<code>$1</code>') }
}

/** Commands and their output. */
export function sample(label: string, text: string): Html {
  return html`<figure class="sample">
    <figcaption>${label}</figcaption>
    <pre tabindex="0"><code>${text}</code></pre>
  </figure>`
}
