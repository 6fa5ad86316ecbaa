import { type Html, html } from '#foundation/pages/html.ts'

/** A fault in a form; `field` is the id of the field to correct. */
export interface FormFault {
  readonly field: string
  readonly text: string
}

/** Lists the faults at the top with links to the fields, so that screen readers announce them first. */
export function faultSummary(faults: readonly FormFault[]): Html {
  if (faults.length === 0) return html``
  return html`<div class="summary" role="alert" aria-labelledby="summary">
    <h2 id="summary">This did not work</h2>
    <ul>${faults.map(({ field, text }) => html`<li><a href="#${field}">${text}</a></li>`)}</ul>
  </div>`
}

export interface Field {
  readonly id: string
  readonly label: string
  /** Attributes of the input that do not depend on its value. */
  readonly input: Html
  readonly value?: string
  /** Set for the field with the initial focus. */
  readonly isFirst?: true | undefined
}

export function textField({ id, label, input, value, isFirst }: Field, faults: readonly FormFault[]): Html {
  const wrong = faults.filter(({ field }) => field === id)
  const described = wrong.length > 0 ? html` aria-invalid="true" aria-describedby="${id}-wrong"` : html``
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <input id="${id}" name="${id}" ${input} value="${value ?? ''}" required${described}${isFirst ? html` autofocus` : html``}>
    ${wrong.map(({ text }) => html`<p class="wrong" id="${id}-wrong">${text}</p>`)}
  </div>`
}
