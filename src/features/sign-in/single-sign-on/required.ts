import type { SignInRules } from '#features/user-sessions/sign-in-mark.ts'

/** The reason why an account cannot be used with a password or a passkey alone. */
export interface AccountFault {
  /** For the audit log. */
  readonly reason: string
  readonly detail: string
}

/** Returns the fault of an account whose user was verified; undefined if the sign-in may continue. */
export function faultOfAccount(rules: SignInRules | undefined): AccountFault | undefined {
  if (rules === undefined) return undefined
  if (rules.disabled_at !== null) {
    return { reason: 'account disabled', detail: 'This account is disabled. Ask an administrator of your group.' }
  }
  if (rules.must_use_provider === 1) {
    return {
      reason: 'single sign-on required',
      detail: 'Your group requires single sign-on. Enter your e-mail address and continue with single sign-on.',
    }
  }
  return undefined
}
