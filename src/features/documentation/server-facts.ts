import { MAX_PARSED_BYTES } from '#foundation/http/bodies/media-types.ts'
import { type Html, html } from '#foundation/pages/html.ts'

/** Settings of this server that the documentation quotes. */
export interface ServerFacts {
  readonly baseUrl: string
  /** 0 for no limit. */
  readonly rateLimitPerMinute: number
  /** 0 for no limit. */
  readonly failedSecretsPerMinute: number
  readonly bodyLimitBytes: number
}

/** Formats the facts that a built page contains as `{{name}}`. */
const facts = {
  baseUrl: ({ baseUrl }) => html`${baseUrl}`,
  // Below the base path like every path of a page, but not below that of the documentation.
  consolePath: () => html`/console/`,
  requestLimit: describeRequestLimit,
  failedCredentialLimit: describeFailedCredentialLimit,
  bodyLimit: ({ bodyLimitBytes }) => html`${formatBytes(bodyLimitBytes)}`,
  parsedBodyLimit: ({ bodyLimitBytes }) => html`${formatBytes(Math.min(bodyLimitBytes, MAX_PARSED_BYTES))}`,
} satisfies Record<string, (server: ServerFacts) => Html>

export function isServerFact(name: string): name is keyof typeof facts {
  return Object.hasOwn(facts, name)
}

/** Replaces the placeholders of a built page by the facts of a server. */
export function fillServerFacts(page: string, server: ServerFacts): string {
  return page.replace(/\{\{(\w+)\}\}/g, (whole, name: string) =>
    isServerFact(name) ? facts[name](server).html : whole,
  )
}

function describeRequestLimit({ rateLimitPerMinute: limit }: ServerFacts): Html {
  if (limit === 0)
    return html`This server does not limit the number of requests. An operator can set a limit per credential and minute.`
  return html`This server allows <strong>${limit} requests per minute</strong> and credential, counted in each server process. Requests without a valid credential are counted by IP address (an IPv6 /64 network counts as one address). Health checks, metrics, these pages and the console are not counted.`
}

function describeFailedCredentialLimit({ failedSecretsPerMinute: limit }: ServerFacts): Html {
  if (limit === 0)
    return html`This server does not limit failed API keys and client secrets. An operator can set a limit.`
  const perClient = Math.ceil(limit / 5)
  return html`After ${limit} failed API keys or client secrets from one IP address within a minute, or ${perClient} of one client, further ones from there get 429 without being checked. Credentials that recently worked from that address keep working.`
}

function formatBytes(bytes: number): string {
  const mebibytes = bytes / (1024 * 1024)
  return mebibytes >= 1 ? `${Math.round(mebibytes * 10) / 10} MiB` : `${Math.round(bytes / 102.4) / 10} KiB`
}
