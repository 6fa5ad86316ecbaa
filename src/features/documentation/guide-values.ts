import { describeScope, scopeNames } from '#foundation/access/scopes.ts'
import { ALL, DELIVERY_HOURS } from '#foundation/events/add-event.ts'
import { PING } from '#foundation/events/event-types.ts'
import { MAX_PARSED_BYTES, MAX_PARSED_VALUES } from '#foundation/http/bodies/media-types.ts'
import { IDEMPOTENCY_HOURS } from '#foundation/http/change.ts'
import { type Html, html, sample } from '#foundation/pages/html.ts'
import { detectionPatterns } from './detection-patterns.ts'
import { describeEventTypes } from './event-descriptions.ts'
import type { GuideValues } from './guide-markdown.ts'
import { verificationSamples } from './webhook-samples.ts'

/** Settings of this server that guides quote. */
export interface ServerFacts {
  readonly baseUrl: string
  /** 0 when there is no limit. */
  readonly rateLimitPerMinute: number
  /** 0 when there is no limit. */
  readonly failedSecretsPerMinute: number
  readonly bodyLimitBytes: number
}

/** Values of the placeholders in `docs/guides`. */
export function guideValues(facts: ServerFacts): GuideValues {
  return {
    baseUrl: facts.baseUrl,
    idempotencyHours: IDEMPOTENCY_HOURS,
    deliveryHours: DELIVERY_HOURS,
    pingEvent: PING,
    allEvents: ALL,
    requestLimit: describeRequestLimit(facts),
    failedCredentialLimit: describeFailedCredentialLimit(facts),
    bodyLimit: formatBytes(facts.bodyLimitBytes),
    parsedBodyLimit: formatBytes(Math.min(facts.bodyLimitBytes, MAX_PARSED_BYTES)),
    parsedValueLimit: MAX_PARSED_VALUES.toLocaleString('en'),
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
  }
}

function describeRequestLimit({ rateLimitPerMinute: limit }: ServerFacts): string {
  if (limit === 0)
    return 'This server does not limit the number of requests. An operator can set a limit per credential and minute.'
  return `This server allows **${limit} requests per minute** and credential, counted in each server process. Requests without a valid credential are counted by IP address (an IPv6 /64 network counts as one address). Health checks, metrics, these pages and the console are not counted.`
}

function describeFailedCredentialLimit({ failedSecretsPerMinute: limit }: ServerFacts): string {
  if (limit === 0) return 'This server does not limit failed API keys and client secrets. An operator can set a limit.'
  const perClient = Math.ceil(limit / 5)
  return `After ${limit} failed API keys or client secrets from one IP address within a minute, or ${perClient} of one client, further ones from there get 429 without being checked. Credentials that recently worked from that address keep working.`
}

function formatBytes(bytes: number): string {
  const mebibytes = bytes / (1024 * 1024)
  return mebibytes >= 1 ? `${Math.round(mebibytes * 10) / 10} MiB` : `${Math.round(bytes / 102.4) / 10} KiB`
}

function toTable(heads: readonly string[], rows: readonly (readonly (string | Html)[])[]): Html {
  return html`<table>
    <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
  </table>`
}
