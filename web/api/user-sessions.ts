import { ask } from './ask.ts'
import type { SecondStep } from './second-factors.ts'

/** A browser in which the user is signed in. */
export interface UserSession {
  readonly id: string
  readonly address: string
  readonly user_agent: string
  readonly signed_in_at: string
  readonly last_used_at: string
  readonly is_current: boolean
}

/** Returns the id of the browser's session, if it has one. */
export async function findSession(): Promise<string | undefined> {
  return ((await ask('GET', 'session')) as { id?: string }).id
}

/** The response to a correct password: a session, or the next step. */
export type SignInAnswer = { readonly id: string } | SecondStep

export async function beginSession(credentials: { email: string; password: string }): Promise<SignInAnswer> {
  return (await ask('POST', 'session', credentials)) as SignInAnswer
}

export async function endSession(): Promise<void> {
  await ask('DELETE', 'session')
}

export async function listUserSessions(): Promise<readonly UserSession[]> {
  return (await ask('GET', 'sessions')) as readonly UserSession[]
}

export async function endUserSession(id: string): Promise<void> {
  await ask('DELETE', `sessions/${encodeURIComponent(id)}`)
}

export async function endAllUserSessions(): Promise<void> {
  await ask('DELETE', 'sessions')
}

export async function changePassword(change: { current_password: string; password: string }): Promise<void> {
  await ask('POST', 'password', change)
}

/** A one-time link with which a user sets a new password. */
export interface PasswordReset {
  readonly url: string
  readonly expires_at: string
}

export async function createPasswordReset(of: { groupId: string; userId: string }): Promise<PasswordReset> {
  return (await ask('POST', `groups/${of.groupId}/users/${of.userId}/password-reset`)) as PasswordReset
}

/** Sets a new password with the token of a one-time link. */
export async function resetPassword(reset: { token: string; password: string }): Promise<void> {
  await ask('POST', 'password-reset', reset)
}

/** Removes the second factors of a user who lost them. */
export async function resetFactors(of: { groupId: string; userId: string }): Promise<void> {
  await ask('DELETE', `groups/${of.groupId}/users/${of.userId}/factors`)
}
