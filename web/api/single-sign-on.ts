import { ask } from './ask.ts'

/** The provider of an e-mail address. */
export interface SignInWay {
  readonly provider?: string
  readonly is_required?: boolean
}

export async function findSignInWay(email: string): Promise<SignInWay> {
  return (await ask('POST', 'sign-in/way', { email })) as SignInWay
}

/** Returns the provider's address for the browser, which later returns to `returnTo`. */
export async function beginSingleSignOn(email: string, returnTo: string): Promise<string> {
  return ((await ask('POST', 'sign-in/single-sign-on', { email, return_to: returnTo })) as { url: string }).url
}

/** A role for users with a value of the claim, or for all users if that is null. */
export interface RoleMapping {
  readonly claim_value: string | null
  readonly org_id: string | null
  readonly role_id: string
}

/** The settings of an identity provider. */
export interface ProviderInput {
  readonly name: string
  readonly issuer: string
  readonly client_id: string
  /** Omitted: unchanged. Null: none. */
  readonly client_secret?: string | null
  readonly domains: readonly string[]
  readonly mode: 'optional' | 'required'
  readonly creates_accounts: boolean
  readonly trusts_emails: boolean
  readonly role_claim: string | null
  readonly roles: readonly RoleMapping[]
}

export interface Provider extends Omit<ProviderInput, 'client_secret'> {
  readonly id: string
  readonly has_client_secret: boolean
  readonly users: number
  readonly redirect_uri: string
  readonly logout_uri: string
  readonly last_sign_in_at: string | null
  readonly last_failure_at: string | null
  readonly last_failure: string | null
}

export interface Administrator {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly break_glass: boolean
  readonly has_password: boolean
  readonly disabled: boolean
}

export interface DisabledUser {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly disabled_at: string
  readonly disabled_by: 'administrator' | 'provider'
}

export interface SingleSignOn {
  readonly providers: readonly Provider[]
  readonly administrators: readonly Administrator[]
  readonly disabled_users: readonly DisabledUser[]
  /** Addresses of a new provider, with `{id}` in place of its id. */
  readonly redirect_uri: string
  readonly logout_uri: string
}

const pathOf = (groupId: string) => `groups/${encodeURIComponent(groupId)}/identity-providers`

export async function readSingleSignOn(groupId: string): Promise<SingleSignOn> {
  return (await ask('GET', pathOf(groupId))) as SingleSignOn
}

export async function saveProvider(groupId: string, id: string, input: ProviderInput): Promise<void> {
  await ask('PUT', `${pathOf(groupId)}/${id}`, input)
}

export async function deleteProvider(groupId: string, id: string): Promise<void> {
  await ask('DELETE', `${pathOf(groupId)}/${id}`)
}

export interface TestResult {
  readonly ok: boolean
  readonly detail?: string
}

export async function testProvider(groupId: string, id: string): Promise<TestResult> {
  return (await ask('POST', `${pathOf(groupId)}/${id}/test`)) as TestResult
}

interface OfUser {
  readonly groupId: string
  readonly userId: string
}

const userPathOf = ({ groupId, userId }: OfUser) => `groups/${encodeURIComponent(groupId)}/users/${userId}`

export async function changeBreakGlass(of: OfUser, isAllowed: boolean): Promise<void> {
  await ask('PUT', `${userPathOf(of)}/break-glass`, { break_glass: isAllowed })
}

export async function changeDisabled(of: OfUser, isDisabled: boolean): Promise<void> {
  await ask('PUT', `${userPathOf(of)}/disabled`, { disabled: isDisabled })
}
