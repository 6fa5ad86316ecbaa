import { type Static, Type } from 'typebox'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { Problem } from '#foundation/problem.ts'
import type { IntegrationInput, Pointers } from './change-integration.ts'
import type { IntegrationKind } from './integration-kind.ts'
import { parseBaseUrl } from './parse-base-url.ts'
import { parseCredentials } from './resource.ts'

const Text = (description: string) => Type.Optional(Type.String({ maxLength: 4096, description }))

/** Credentials of all kinds: clients send every member, empty if the kind does not use it. */
const V1Credentials = Type.Object({
  token: Text('An access token'),
  username: Text('Together with a password'),
  password: Text('A password, or a token that the source accepts as one'),
  url: Text('Base URL of the source'),
})

const Broker = Type.Object({ enabled: Type.Optional(Type.Boolean()) })

export const V1Integration = Type.Object({
  type: Type.String({ minLength: 1, maxLength: 100, description: 'The kind of the integration' }),
  credentials: Type.Optional(V1Credentials),
  broker: Type.Optional({ ...Broker, description: 'Not supported: enabled: true is refused' }),
})
type V1Integration = Static<typeof V1Integration>

export const V1IntegrationId = Type.Object({ id: Type.String() })

export const V1Integrations = Type.Record(Type.String(), Type.String(), {
  description: 'The id of the oldest integration of each kind',
})

export const v1Pointers: Pointers = { name: '/type', baseUrl: '/credentials/url', credentials: '/credentials' }

/** Parses a v1 request; an empty text counts as absent. Throws 400 and 422. */
export function parseV1(
  outgoing: Pick<Outgoing, 'judge'>,
  kind: IntegrationKind,
  { credentials = {}, broker }: V1Integration,
): IntegrationInput {
  if (broker?.enabled)
    throw new Problem(
      'integration-unsupported',
      'Brokers are not supported: this server reaches local sources directly',
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

/** Accepts a token that is sent as the password of a user. */
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
const inert = 'Only the default, 0 or an empty value: this server neither tests nor opens pull requests'

export const V1Settings = Type.Object({
  autoDepUpgradeLimit: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, description: inert })),
  autoDepUpgradeIgnoredDependencies: Type.Optional(
    Type.Array(Type.String({ maxLength: 500 }), { maxItems: 1000, description: inert }),
  ),
  autoDepUpgradeEnabled: Flag(off),
  autoDepUpgradeMinAge: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, description: inert })),
  pullRequestFailOnAnyVulns: Flag(off),
  pullRequestFailOnlyForHighSeverity: Flag(off),
  pullRequestTestEnabled: Flag(off),
  pullRequestAssignment: Type.Optional(
    Type.Union([Type.String({ maxLength: 10_000 }), Type.Object({}), Type.Null()], { description: inert }),
  ),
  autoRemediationPrs: Type.Optional(
    Type.Object({
      backlogPrsEnabled: Flag(off),
      backlogPrStrategy: Type.Optional(
        Type.Enum(['vuln', 'dependency'], { description: 'Only vuln: no pull requests are opened here' }),
      ),
      freshPrsEnabled: Flag(off),
      usePatchRemediation: Flag(off),
    }),
  ),
  manualRemediationPrs: Type.Optional(Type.Object({ usePatchRemediation: Flag(off) })),
  dockerfileSCMEnabled: Flag('Only false: this server does not read container files'),
})
export type V1Settings = Static<typeof V1Settings>

nameSchemas({ V1Credentials, V1Integration, V1IntegrationId, V1Integrations, V1IntegrationSettings: V1Settings })

/** The settings of every integration: this server neither tests nor opens pull requests, so nothing can be set. */
export const SETTINGS: V1Settings = {
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

/**
 * Refuses every value that would have an effect. Accepts defaults and empty values, which typed clients send for unset
 * members. Throws `Problem` with a pointer per value.
 */
export function refuseSettings(sent: V1Settings): void {
  const { autoRemediationPrs, manualRemediationPrs, pullRequestAssignment, ...flat } = sent
  const faults = [
    ...faultsIn('', flat, SETTINGS),
    ...faultsIn('/autoRemediationPrs', autoRemediationPrs, SETTINGS.autoRemediationPrs),
    ...faultsIn('/manualRemediationPrs', manualRemediationPrs, SETTINGS.manualRemediationPrs),
    ...(isAssigning(pullRequestAssignment) ? [faultAt('/pullRequestAssignment', null)] : []),
  ]
  if (faults.length > 0) throw new Problem('unprocessable', faults)
}

function faultsIn(pointer: string, sent: object = {}, defaults: object = {}) {
  const values = new Map(Object.entries(sent))
  return Object.entries(defaults)
    .filter(([, value]) => typeof value !== 'object' || Array.isArray(value))
    .filter(([name, value]) => values.has(name) && !isNothing(values.get(name)) && values.get(name) !== value)
    .map(([name, value]) => faultAt(`${pointer}/${name}`, value))
}

function isNothing(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0)
}

function faultAt(pointer: string, accepted: unknown) {
  const name = pointer.slice(1).replaceAll('/', '.')
  const reason =
    name === 'dockerfileSCMEnabled'
      ? 'this server does not read container files'
      : 'this server neither tests nor opens pull requests'
  return { detail: `${name}: ${reason}. Send ${JSON.stringify(accepted)}, or omit it.`, source: { pointer } }
}

/** Accepts an object, or JSON in a text: clients send both. */
function isAssigning(value: V1Settings['pullRequestAssignment']): boolean {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? {})
  return /"enabled"\s*:\s*true/.test(text)
}
