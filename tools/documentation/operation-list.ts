import { type OpenApi, operationsOf, type PlacedOperation } from '#features/documentation/openapi-document.ts'
import { type Html, html, prose } from '#foundation/pages/html.ts'

/** Every operation by tag, closed: its path and summary, and inside what it does and needs. Readable without scripts. */
export function operationList(document: OpenApi): Html {
  const operations = operationsOf(document)
  const sections = document.tags.map(({ name, description = '' }) => {
    const own = operations.filter(({ operation }) => operation.tags?.includes(name))
    return html`<section class="operations" aria-labelledby="${anchorOf(name)}">
      <h2 id="${anchorOf(name)}">${name}</h2>
      <p>${prose(description)}</p>
      ${own.map(toEntry)}
    </section>`
  })
  return html`${sections}`
}

function anchorOf(tag: string): string {
  return `tag-${tag.toLowerCase().replaceAll(' ', '-')}`
}

function toEntry({ path, method, operation }: PlacedOperation): Html {
  const { operationId = '', summary = '', description = '', deprecated } = operation
  return html`<details class="operation" id="${operationId}">
      <summary><b class="method ${method}">${method.toUpperCase()}</b> <code>${path}</code>
      <span>${summary}${deprecated ? ' (deprecated)' : ''}</span></summary>
      <div>${description.split('\n\n').map((paragraph) => html`<p>${prose(paragraph.replaceAll('**', ''))}</p>`)}</div>
    </details>`
}
