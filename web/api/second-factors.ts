import { ask } from './ask.ts'
import { createPasskey, requestPasskey } from './passkeys.ts'

/** The step after a correct password: verifying a second factor, or setting up the first one. */
export interface SecondStep {
  readonly step: 'verify' | 'enroll'
  readonly email: string
  readonly has_app: boolean
  readonly has_passkey: boolean
  readonly passkeys_supported: boolean
}

/** A new session. */
export interface Begun {
  readonly id: string
  /** Shown once. */
  readonly recovery_codes?: readonly string[]
}

export async function findSecondStep(): Promise<SecondStep | undefined> {
  const answer = (await ask('GET', 'sign-in/pending')) as SecondStep | object
  return 'step' in answer ? answer : undefined
}

export async function cancelSecondStep(): Promise<void> {
  await ask('DELETE', 'sign-in/pending')
}

export async function sendCode(code: string): Promise<Begun> {
  return (await ask('POST', 'sign-in/code', { code })) as Begun
}

/** Completes a sign-in with one of the user's passkeys. */
export async function verifyWithPasskey(): Promise<Begun> {
  return signInWith('sign-in/passkey')
}

/** Signs in with a passkey alone. */
export async function signInWithPasskey(): Promise<Begun> {
  return signInWith('passkey-session')
}

async function signInWith(path: string): Promise<Begun> {
  const options = (await ask('POST', `${path}/challenge`)) as PublicKeyCredentialRequestOptionsJSON
  return (await ask('POST', path, { credential: await requestPasskey(options) })) as Begun
}

/** An authenticator app that is being set up. */
export interface AppOffer {
  readonly id: string
  readonly secret: string
  readonly address: string
}

/** The response to a new factor; with a session's id if it completed a sign-in. */
export interface Added {
  readonly id?: string
  /** Shown once; empty if the user has codes. */
  readonly recovery_codes: readonly string[]
}

/** The place in which a factor is set up: a session, or a sign-in that requires one. */
export type SetUpPlace = 'factors' | 'sign-in/factors'

export async function offerApp(place: SetUpPlace): Promise<AppOffer> {
  return (await ask('POST', `${place}/app/challenge`)) as AppOffer
}

export async function addApp(place: SetUpPlace, app: { id: string; name: string; code: string }): Promise<Added> {
  return (await ask('POST', `${place}/app`, app)) as Added
}

export async function addPasskey(place: SetUpPlace, name: string): Promise<Added> {
  const options = (await ask('POST', `${place}/passkey/challenge`)) as PublicKeyCredentialCreationOptionsJSON
  return (await ask('POST', `${place}/passkey`, { name, credential: await createPasskey(options) })) as Added
}

export interface Factor {
  readonly id: string
  readonly kind: 'totp' | 'passkey'
  readonly name: string
  readonly created_at: string
  readonly last_used_at: string | null
}

/** The second factors of the signed-in user. */
export interface Factors {
  readonly factors: readonly Factor[]
  /** Number of unused recovery codes. */
  readonly recovery_codes: number
  /** Name of a group that requires a second factor. */
  readonly required_by: string | null
  readonly passkeys_supported: boolean
  /** True if the sign-in was recent enough for changes. */
  readonly can_change: boolean
}

export async function listFactors(): Promise<Factors> {
  return (await ask('GET', 'factors')) as Factors
}

export async function removeFactor(id: string): Promise<void> {
  await ask('DELETE', `factors/${encodeURIComponent(id)}`)
}

export async function createRecoveryCodes(): Promise<Added> {
  return (await ask('POST', 'recovery-codes')) as Added
}

/** A group's rule for the sign-in of its members. */
export interface GroupSecurity {
  readonly second_factor: 'required' | 'optional'
  readonly members: number
  readonly with_factor: number
  /** Null for the server's limit. */
  readonly session_hours: number | null
  readonly session_idle_minutes: number | null
  readonly server: { readonly session_hours: number; readonly session_idle_minutes: number }
}

export type GroupSecurityChange = Partial<
  Pick<GroupSecurity, 'second_factor' | 'session_hours' | 'session_idle_minutes'>
>

export async function readGroupSecurity(groupId: string): Promise<GroupSecurity> {
  return (await ask('GET', `groups/${encodeURIComponent(groupId)}/sign-in-rules`)) as GroupSecurity
}

export async function changeGroupSecurity(groupId: string, change: GroupSecurityChange): Promise<void> {
  await ask('PUT', `groups/${encodeURIComponent(groupId)}/sign-in-rules`, change)
}
