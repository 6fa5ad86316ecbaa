import { namesRead } from '#analysis/discovery/file-kinds/names-read.ts'
import { ecosystems } from '#analysis/ecosystems/index.ts'
import { describeScope, scopeNames } from '#foundation/access/scopes.ts'
import { ALL, DELIVERY_HOURS } from '#foundation/events/add-event.ts'
import { PING } from '#foundation/events/event-types.ts'
import { MAX_PARSED_VALUES, MAX_PUBLIC_VALUES } from '#foundation/http/bodies/media-types.ts'
import { IDEMPOTENCY_HOURS } from '#foundation/http/change.ts'
import { type Html, html, sample } from '#foundation/pages/html.ts'
import { detectionPatterns } from './detection-patterns.ts'
import { describeEventTypes } from './event-descriptions.ts'
import type { GuideValues } from './markdown.ts'
import { verificationSamples } from './webhook-samples.ts'

/** Values of the placeholders in `docs/guides` that are the same on every server. */
export function guideValues(): GuideValues {
  return {
    idempotencyHours: IDEMPOTENCY_HOURS,
    deliveryHours: DELIVERY_HOURS,
    pingEvent: PING,
    allEvents: ALL,
    parsedValueLimit: MAX_PARSED_VALUES.toLocaleString('en'),
    publicValueLimit: MAX_PUBLIC_VALUES.toLocaleString('en'),
    scopes: toTable(
      ['Scope', 'Allows'],
      scopeNames.map((scope) => [html`<code>${scope}</code>`, describeScope(scope)]),
    ),
    detectionPatterns: toTable(
      ['Credential', 'Pattern'],
      detectionPatterns.map(([kind, pattern]) => [kind, html`<code>${pattern}</code>`]),
    ),
    verificationSamples: html`${verificationSamples.map(({ language, text }) => sample(language, text))}`,
    eventTypes: describeEventTypes(),
    formats: toTable(
      ['Format', 'Path', 'Files', 'Advisories', 'gatehouse fix'],
      ecosystems.map(({ id, label, registry, isMixed, noEdits, locate }) => [
        label,
        html`<code>/v1/test/${id}</code>`,
        html`${namesRead(id).map((name, at) => html`${at === 0 ? '' : ', '}<code>${name}</code>`)}`,
        isMixed ? 'each package by its package URL' : registry,
        locate === undefined || noEdits !== undefined ? 'names what to change' : 'changes the files',
      ]),
    ),
  }
}

function toTable(heads: readonly string[], rows: readonly (readonly (string | Html)[])[]): Html {
  return html`<table>
    <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
  </table>`
}
