import { type Static, Type } from 'typebox'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { Problem } from '#foundation/problem.ts'
import type { Pointers, WantedIntegration } from './change-integration.ts'
import type { IntegrationKind } from './integration-kind.ts'
import { parseBaseUrl } from './parse-base-url.ts'
import { parseCredentials } from './resource.ts'

const Text = (description: string) => Type.Optional(Type.String({ maxLength: 4096, description }))

/** Clients send every member to every kind, empty where it means nothing. */
const V1Credentials = Type.Object({
  token: Text('An access token'),
  username: Text('With a password'),
  password: Text('A password, or what the source takes for one'),
  url: Text('Base URL of the source'),
})

const Broker = Type.Object({ enabled: Type.Optional(Type.Boolean()) })

export const V1Integration = Type.Object({
  type: Type.String({ minLength: 1, maxLength: 100, description: 'The kind of the integration' }),
  credentials: Type.Optional(V1Credentials),
  broker: Type.Optional({ ...Broker, description: 'There are none here: enabled: true is refused' }),
})
type V1Integration = Static<typeof V1Integration>

export const V1IntegrationId = Type.Object({ id: Type.String() })

export const V1Integrations = Type.Record(Type.String(), Type.String(), {
  description: 'The id of the oldest integration of each kind',
})

export const v1Pointers: Pointers = { name: '/type', baseUrl: '/credentials/url', credentials: '/credentials' }

/** What a request wants; an empty text is no text. Throws 400 and 422. */
export function parseV1(
  outgoing: Pick<Outgoing, 'judge'>,
  kind: IntegrationKind,
  { credentials = {}, broker }: V1Integration,
): WantedIntegration {
  if (broker?.enabled)
    throw new Problem(
      'integration-unsupported',
      'Brokers are not served: this server reaches what is near it by itself',
      {
        source: { pointer: '/broker/enabled' },
      },
    )
  const { url, ...rest } = Object.fromEntries(Object.entries(credentials).filter(([, value]) => value !== ''))
  const isEmpty = Object.keys(rest).length === 0
  return {
    ...(url !== undefined && { baseUrl: toBaseUrl(outgoing, kind, url) }),
    ...(!isEmpty && { credentials: parseCredentials(toForm(kind, rest), v1Pointers.credentials) }),
  }
}

type Sent = Readonly<Record<'token' | 'username' | 'password', string | undefined>>

/** A kind that takes tokens only is also sent them as the password of a user. */
function toForm(kind: IntegrationKind, sent: Partial<Sent>) {
  const { token, username, password } = sent
  const isLogin = token === undefined && password !== undefined
  if (isLogin && !kind.credentials.includes('login')) return { token: password }
  if (token !== undefined && (username === undefined || password === undefined)) return { token }
  return {
    ...(token !== undefined && { token }),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  }
}

function toBaseUrl(outgoing: Pick<Outgoing, 'judge'>, kind: IntegrationKind, url: string): string | null {
  const parsed = parseBaseUrl(outgoing, url, v1Pointers.baseUrl)
  return parsed === kind.ownBaseUrl ? null : parsed
}

const Flag = (description: string) => Type.Optional(Type.Boolean({ description }))

const kept = 'Kept for clients; this server opens no pull requests'

export const V1Settings = Type.Object({
  autoDepUpgradeLimit: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, description: kept })),
  autoDepUpgradeIgnoredDependencies: Type.Optional(
    Type.Array(Type.String({ maxLength: 500 }), { maxItems: 1000, description: kept }),
  ),
  autoDepUpgradeEnabled: Flag(kept),
  autoDepUpgradeMinAge: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, description: kept })),
  pullRequestFailOnAnyVulns: Flag(kept),
  pullRequestFailOnlyForHighSeverity: Flag(kept),
  pullRequestTestEnabled: Flag(kept),
  pullRequestAssignment: Type.Optional(
    Type.Union([Type.String({ maxLength: 10_000 }), Type.Object({}), Type.Null()], { description: kept }),
  ),
  autoRemediationPrs: Type.Optional(
    Type.Object({
      backlogPrsEnabled: Flag(kept),
      backlogPrStrategy: Type.Optional(Type.Enum(['vuln', 'dependency'])),
      freshPrsEnabled: Flag(kept),
      usePatchRemediation: Flag(kept),
    }),
  ),
  manualRemediationPrs: Type.Optional(Type.Object({ usePatchRemediation: Flag(kept) })),
  dockerfileSCMEnabled: Flag('Kept for clients; container files are not read'),
})
export type V1Settings = Static<typeof V1Settings>

/** What holds for an integration that nobody set anything for: nothing happens by itself. */
const DEFAULT_SETTINGS: V1Settings = {
  autoDepUpgradeLimit: 0,
  autoDepUpgradeIgnoredDependencies: [],
  autoDepUpgradeEnabled: false,
  autoDepUpgradeMinAge: 21,
  pullRequestFailOnAnyVulns: false,
  pullRequestFailOnlyForHighSeverity: false,
  pullRequestTestEnabled: false,
  autoRemediationPrs: {
    backlogPrsEnabled: false,
    backlogPrStrategy: 'vuln',
    freshPrsEnabled: false,
    usePatchRemediation: false,
  },
  manualRemediationPrs: { usePatchRemediation: false },
  dockerfileSCMEnabled: false,
}

export function toV1Settings(stored: V1Settings): V1Settings {
  return {
    ...DEFAULT_SETTINGS,
    ...stored,
    autoRemediationPrs: { ...DEFAULT_SETTINGS.autoRemediationPrs, ...stored.autoRemediationPrs },
    manualRemediationPrs: { ...DEFAULT_SETTINGS.manualRemediationPrs, ...stored.manualRemediationPrs },
  }
}

/** Only members that are known are kept. */
export function mergeSettings(stored: V1Settings, sent: V1Settings): V1Settings {
  const known = Object.keys(V1Settings.properties)
  const merged = Object.entries({ ...stored, ...sent }).filter(([name]) => known.includes(name))
  return Object.fromEntries(merged) as V1Settings
}
