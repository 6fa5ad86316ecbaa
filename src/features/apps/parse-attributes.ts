import { type AttributesAt, parseLimits } from '#features/credentials/limits.ts'
import type { CredentialLimits } from '#features/credentials/store.ts'
import { REQUIRED_SCOPE } from '#foundation/access/scopes.ts'
import { toStoredName } from '#foundation/http/text.ts'
import { type Fault, Problem } from '#foundation/problem.ts'
import { faultOfRedirectUri } from './redirect-uris.ts'
import { type Context, DEFAULT_TTL_SECONDS, type GrantType, type NewAttributes } from './resource.ts'

export interface AppInput {
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly scopes: readonly string[]
  readonly context: Context
  readonly grantType: GrantType
  readonly isConfidential: boolean
  readonly ttlSeconds: number
  /** Limits of the first secret. */
  readonly limits: CredentialLimits
}

/** Checks the rules beyond the schema: members that depend on each other. Refuses members without effect. */
export function parseAttributes(attributes: NewAttributes, { at, now }: { at: AttributesAt; now: number }): AppInput {
  const { name, scopes, redirect_uris, context = 'tenant', grant_type = 'authorization_code' } = attributes
  const isConfidential = attributes.is_confidential ?? true
  const fault = (member: string, said: string) => toFault(`${at}/${member}`, said)
  const faults = [
    !scopes.includes(REQUIRED_SCOPE) && fault('scopes', `must contain ${REQUIRED_SCOPE}, which every app needs`),
    ...(grant_type === 'client_credentials'
      ? [
          (redirect_uris ?? []).length > 0 && fault('redirect_uris', 'has no effect on an unattended app; omit it'),
          context === 'user' && fault('context', 'must be tenant: an unattended app acts for no user'),
          // RFC 6749 §4.4
          !isConfidential && fault('is_confidential', 'must be true: an unattended app authenticates with a secret'),
        ]
      : faultsOfRedirectUris(redirect_uris, { isConfidential, at })),
    ...(['expires_at', 'allowed_networks'] as const).map(
      (member) =>
        attributes[member] !== undefined &&
        (grant_type === 'client_credentials' || !isConfidential) &&
        fault(member, 'limits a secret, and this app has none; omit it'),
    ),
  ].filter((one) => one !== false)
  if (faults.length > 0) throw new Problem('invalid-request', faults)
  return {
    name: toStoredName(name),
    redirectUris: redirect_uris ?? [],
    scopes,
    context,
    grantType: grant_type,
    isConfidential,
    limits: parseLimits(attributes, now, at),
    ttlSeconds: attributes.access_token_ttl_seconds ?? DEFAULT_TTL_SECONDS,
  }
}

export function faultsOfRedirectUris(
  uris: readonly string[] | undefined,
  { isConfidential, at }: { isConfidential: boolean; at: AttributesAt },
): Fault[] {
  const pointer = `${at}/redirect_uris`
  if (uris === undefined) return [toFault(pointer, 'is missing')]
  if (uris.length === 0) return [toFault(pointer, 'must contain at least one URI')]
  return uris.flatMap((uri, index) => {
    const said = faultOfRedirectUri(uri, { isConfidential })
    return said === undefined ? [] : [toFault(`${pointer}/${index}`, said)]
  })
}

function toFault(pointer: string, said: string): Fault {
  return { detail: `${pointer} ${said}`, source: { pointer } }
}
