import { bodyOf, type EventDescription, eventTypeNames, eventTypes } from '#foundation/events/event-types.ts'
import { type Html, html, sample } from '#foundation/pages/html.ts'

const example = {
  id: '0198c5a0-0000-7000-8000-000000000001',
  orgId: '4a72d1db-b465-4764-99e1-ecedad03b06a',
  at: Date.UTC(2026, 2, 1, 10),
}

/** A table of all event types, and an example and the schema of each. */
export function describeEventTypes(): Html {
  return html`<table>
    <thead><tr><th scope="col">Type</th><th scope="col">Sent when</th><th scope="col">Permissions</th></tr></thead>
    <tbody>${eventTypeNames.map((type) => toRow(type, eventTypes[type]))}</tbody>
  </table>
  ${eventTypeNames.map((type) => toSection(type, eventTypes[type]))}`
}

function toRow(type: string, { when, needs }: EventDescription): Html {
  const permissions = needs.map((name) => html`<code>${name}</code> `)
  return html`<tr><td><a href="#${type}"><code>${type}</code></a></td><td>${when}</td><td>${permissions}</td></tr>`
}

function toSection(type: string, { Data, example: data }: EventDescription): Html {
  return html`<h3 id="${type}"><code>${type}</code></h3>
    ${sample('Body', JSON.stringify(bodyOf({ ...example, type, data }), null, 2))}
    ${sample('JSON schema of data', JSON.stringify(Data, null, 2))}`
}
