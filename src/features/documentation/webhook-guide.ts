import { ALL, DELIVERY_HOURS } from '#foundation/events/add-event.ts'
import { bodyOf, type EventDescription, eventTypeNames, eventTypes, PING } from '#foundation/events/event-types.ts'
import { type Html, html, sample } from '#foundation/pages/html.ts'
import type { Guide } from './guides.ts'
import { verificationSamples } from './webhook-samples.ts'

/** What every example is wrapped in. */
const example = {
  id: '0198c5a0-0000-7000-8000-000000000001',
  orgId: '4a72d1db-b465-4764-99e1-ecedad03b06a',
  at: Date.UTC(2026, 2, 1, 10),
}

export const webhookGuide: Guide = {
  slug: 'webhooks',
  title: 'Webhooks',
  summary: 'Be told of new issues, finished imports and the life of credentials, with signatures to check.',
  content: ({ baseUrl }) => html`
    <p>An organisation has events sent to URLs of its own. An event is written in the same transaction as what it tells
    of: there is none for what did not happen, and none is lost when a server is killed.</p>
    ${sample(
      'Have new issues sent',
      `curl -X POST "${baseUrl}/rest/orgs/$ORG/webhooks?version=2024-10-15" \\
  -H "Authorization: token $KEY" \\
  -H "Content-Type: application/vnd.api+json" \\
  -d '{"data":{"type":"webhook","attributes":{"url":"https://hooks.example/gatehouse","events":["issues.new"]}}}'`,
    )}
    <p>The answer shows the signing secret (<code>whsec_…</code>), once. It needs the permission <code>org.edit</code>, as
    all that concerns webhooks. <code>POST …/webhooks/{webhook_id}/test</code> sends a <code>${PING}</code> now and answers
    with what came back.</p>
    <h2>What is sent</h2>
    <p>A <code>POST</code> with a JSON body and these headers:</p>
    <table>
      <thead><tr><th scope="col">Header</th><th scope="col">Says</th></tr></thead>
      <tbody>
        <tr><td><code>webhook-id</code></td><td>identity of the event, the same in every attempt</td></tr>
        <tr><td><code>webhook-timestamp</code></td><td>seconds since 1970 of this attempt</td></tr>
        <tr><td><code>webhook-signature</code></td><td><code>v1,</code> and the HMAC-SHA-256 of
        <code>id.timestamp.body</code> in base64; two of them, with a space between, while a secret is being
        replaced</td></tr>
      </tbody>
    </table>
    <p>This is the scheme of Standard Webhooks (version 1.0), which libraries for many languages check. The key is the
    secret after <code>whsec_</code>, decoded from base64.</p>
    <h2>Check the signature</h2>
    <p>Before you parse the body. A timestamp that is older than five minutes is one that was recorded.</p>
    ${verificationSamples.map(({ language, text }) => sample(language, text))}
    <h2>What a receiver owes</h2>
    <ul>
      <li>Answer with 2xx within ten seconds, and work afterwards. Redirects are not followed.</li>
      <li>Be ready for the same <code>webhook-id</code> twice: an event is sent at least once, and again when a server
      dies before it noted the answer.</li>
      <li>Do not count on an order: <code>timestamp</code> in the body says when it happened.</li>
    </ul>
    <h2>When it is not taken</h2>
    <p>An event is sent again after 5 seconds, 30 seconds, 2 minutes, 10 minutes and so on, up to 8 hours, for
    ${DELIVERY_HOURS} hours (<code>retry-after</code> of up to an hour is heeded); then it has <code>failed</code>. What
    would lead to a private address that the operator has not allowed fails at once. A webhook that gives up an event and
    has taken none for three days is switched off, and one that answers 410 at once; the audit log tells
    (<code>webhook.deactivate</code>). Each webhook gets one message at a time, so a slow one holds up no other.</p>
    ${sample(
      'What failed, and once more',
      `curl "${baseUrl}/rest/orgs/$ORG/webhooks/$ID/deliveries?version=2024-10-15&state=failed" -H "Authorization: token $KEY"
curl -X POST "${baseUrl}/rest/orgs/$ORG/webhooks/$ID/deliveries/$DELIVERY/redeliver?version=2024-10-15" \\
  -H "Authorization: token $KEY"`,
    )}
    <h2>Replace the secret</h2>
    <p>For a day, or for <code>grace_seconds</code>, messages carry a signature of each secret; so receivers can change
    theirs at any moment of it.</p>
    ${sample(
      'A new secret',
      `curl -X POST "${baseUrl}/rest/orgs/$ORG/webhooks/$ID/secrets?version=2024-10-15" \\
  -H "Authorization: token $KEY" \\
  -H "Content-Type: application/vnd.api+json" \\
  -d '{"data":{"type":"webhook","attributes":{"grace_seconds":3600}}}'`,
    )}
    <h2>Types of events</h2>
    <p><code>${ALL}</code> stands for all of them, also those of later versions. Members can be added to
    <code>data</code>; none holds a secret. The schemas also stand under <code>webhooks</code> in
    <a href="/docs/openapi.json">openapi.json</a>.</p>
    <table>
      <thead><tr><th scope="col">Type</th><th scope="col">Sent when</th></tr></thead>
      <tbody>${eventTypeNames.map((type) => toRow(type, eventTypes[type]))}</tbody>
    </table>
    ${eventTypeNames.map((type) => toSection(type, eventTypes[type]))}`,
}

function toRow(type: string, { when }: EventDescription): Html {
  return html`<tr><td><a href="#${type}"><code>${type}</code></a></td><td>${when}</td></tr>`
}

function toSection(type: string, { Data, example: data }: EventDescription): Html {
  return html`<h3 id="${type}"><code>${type}</code></h3>
    ${sample('Body', JSON.stringify(bodyOf({ ...example, type, data }), null, 2))}
    ${sample('JSON schema of data', JSON.stringify(Data, null, 2))}`
}
