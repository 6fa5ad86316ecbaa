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

const off = 'Only false: this server neither tests nor opens pull requests'
const kept = 'Stored and without effect: this server neither tests nor opens pull requests'

export const V1Settings = Type.Object({
  autoDepUpgradeLimit: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, description: kept })),
  autoDepUpgradeIgnoredDependencies: Type.Optional(
    Type.Array(Type.String({ maxLength: 500 }), { maxItems: 1000, description: kept }),
  ),
  autoDepUpgradeEnabled: Flag(off),
  autoDepUpgradeMinAge: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, description: kept })),
  pullRequestFailOnAnyVulns: Flag(off),
  pullRequestFailOnlyForHighSeverity: Flag(off),
  pullRequestTestEnabled: Flag(off),
  pullRequestAssignment: Type.Optional(
    Type.Union([Type.String({ maxLength: 10_000 }), Type.Object({}), Type.Null()], { description: kept }),
  ),
  autoRemediationPrs: Type.Optional(
    Type.Object({
      backlogPrsEnabled: Flag(off),
      backlogPrStrategy: Type.Optional(Type.Enum(['vuln', 'dependency'])),
      freshPrsEnabled: Flag(off),
      usePatchRemediation: Flag(off),
    }),
  ),
  manualRemediationPrs: Type.Optional(Type.Object({ usePatchRemediation: Flag(off) })),
  dockerfileSCMEnabled: Flag('Only false: this server does not read container files'),
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

/** Switches for what this server does not do; older versions stored them as they were sent. */
const SWITCHES_OFF: V1Settings = {
  autoDepUpgradeEnabled: false,
  pullRequestFailOnAnyVulns: false,
  pullRequestFailOnlyForHighSeverity: false,
  pullRequestTestEnabled: false,
  dockerfileSCMEnabled: false,
}
const REMEDIATION_OFF = { backlogPrsEnabled: false, freshPrsEnabled: false, usePatchRemediation: false }

export function toV1Settings(stored: V1Settings): V1Settings {
  return {
    ...DEFAULT_SETTINGS,
    ...stored,
    ...SWITCHES_OFF,
    autoRemediationPrs: { ...DEFAULT_SETTINGS.autoRemediationPrs, ...stored.autoRemediationPrs, ...REMEDIATION_OFF },
    manualRemediationPrs: { usePatchRemediation: false },
    ...('pullRequestAssignment' in stored && isAssigning(stored) && { pullRequestAssignment: null }),
  }
}

/** Refuses, by pointer, every switch that is turned on. Throws `Problem`. */
export function refuseSwitchedOn(sent: V1Settings): void {
  const { autoRemediationPrs = {}, manualRemediationPrs = {} } = sent
  const switches: [pointer: string, isOn: boolean | undefined][] = [
    ...Object.keys(SWITCHES_OFF).map(
      (name) => [`/${name}`, sent[name as keyof V1Settings] === true] as [string, boolean],
    ),
    ...Object.keys(REMEDIATION_OFF).map(
      (name) =>
        [`/autoRemediationPrs/${name}`, autoRemediationPrs[name as keyof typeof REMEDIATION_OFF]] as [string, boolean],
    ),
    ['/manualRemediationPrs/usePatchRemediation', manualRemediationPrs.usePatchRemediation],
    ['/pullRequestAssignment', isAssigning(sent)],
  ]
  const faults = switches.flatMap(([pointer, isOn]) =>
    isOn ? [{ detail: `${reasonFor(pointer)} Send false, or leave it out.`, source: { pointer } }] : [],
  )
  if (faults.length > 0) throw new Problem('unprocessable', faults)
}

function reasonFor(pointer: string): string {
  const name = pointer.slice(1).replaceAll('/', '.')
  return pointer === '/dockerfileSCMEnabled'
    ? `${name}: this server does not read container files.`
    : `${name}: this server neither tests nor opens pull requests.`
}

/** Clients send it as an object, or as JSON in a text. */
function isAssigning({ pullRequestAssignment: value }: V1Settings): boolean {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? {})
  return /"enabled"\s*:\s*true/.test(text)
}

/** Only members that are known are kept. */
export function mergeSettings(stored: V1Settings, sent: V1Settings): V1Settings {
  const known = Object.keys(V1Settings.properties)
  const merged = Object.entries({ ...stored, ...sent }).filter(([name]) => known.includes(name))
  return Object.fromEntries(merged) as V1Settings
}
