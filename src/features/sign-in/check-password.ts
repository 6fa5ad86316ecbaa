import { findSecondStep, type SecondStep } from '#features/second-factors/requirement-store.ts'
import { findSignInState } from '#features/user-sessions/store.ts'
import { findUserByEmail, type UserRow } from '#features/user-sessions/users-store.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { createSlots, type Slots } from '#foundation/outgoing/slots.ts'
import { Problem } from '#foundation/problem.ts'
import { decoyHash, isPassword } from '#foundation/secrets/password.ts'
import type { Services } from '#foundation/services.ts'
import { findKnownBrowser } from './known-browser.ts'
import { faultOfAccount } from './single-sign-on/required.ts'
import { type Admitted, admitAttempt, confirmFailure, forgiveAttempt } from './throttle.ts'

type Deps = Pick<Services, 'db' | 'keyring' | 'now' | 'attempts'>

export interface Shown {
  readonly email: string
  readonly password: string
  readonly address: string
  readonly requestId: string
  /** The cookie that marks known browsers. */
  readonly knownBrowsers: string | undefined
  /** Set if a signed-in user confirms a change; then a success is not a new sign-in. */
  readonly isConfirmation?: true
}

export type SignIn =
  | { readonly outcome: 'signed-in'; readonly account: UserRow }
  | { readonly outcome: 'second-step'; readonly account: UserRow; readonly step: SecondStep }
  /** The password was correct, but a password is not sufficient for this account. */
  | { readonly outcome: 'refused'; readonly detail: string }
  | { readonly outcome: 'wrong' }
  | { readonly outcome: 'blocked'; readonly waitSeconds: number }

/** A check takes 64 MiB of memory and a tenth of a second of a core. */
const LIMITS = { atOnce: 2, waiting: 50 }

export type PasswordCheck = (shown: Shown) => Promise<SignIn>

/** Checks a password, with delays against guessing. Takes the same time whether or not the account exists. */
export function createPasswordCheck(deps: Deps, { atOnce, waiting } = LIMITS): PasswordCheck {
  const slots = createSlots(atOnce)
  let running = 0
  return async (shown) => {
    if (running >= atOnce + waiting) {
      throw new Problem('unavailable', 'Too many concurrent sign-ins. Try again in a few seconds.', {
        headers: { 'retry-after': '5' },
      })
    }
    running++
    try {
      return await check(deps, slots, shown)
    } finally {
      running--
    }
  }
}

async function check(deps: Deps, slots: Slots, shown: Shown): Promise<SignIn> {
  const email = shown.email.trim().toLowerCase()
  const account = await findUserByEmail(deps.db, email)
  const knownBrowser =
    account && findKnownBrowser(deps.keyring, shown.knownBrowsers, { id: account.id, at: deps.now() })
  const admitted = await admitAttempt(deps, { email, address: shown.address, knownBrowser })
  if ('waitSeconds' in admitted) {
    deps.attempts.count('sign_in', 'not_checked')
    return { outcome: 'blocked', ...admitted }
  }
  const hash = account?.password_hash ?? decoyHash
  const isRight = await slots.run('', {}, () => isPassword(shown.password, hash))
  const signIn = await settle(deps, { shown, email, admitted, hash: isRight ? hash : undefined })
  if (signIn.outcome === 'wrong') deps.attempts.count('sign_in', 'failed')
  return signIn
}

interface Checked {
  readonly shown: Shown
  readonly email: string
  readonly admitted: Admitted
  /** The matching hash; undefined for none. */
  readonly hash: string | undefined
}

/** Decides by the current data: the account or its password may have changed since the check began. */
async function settle({ db, now }: Deps, { shown, email, admitted, hash }: Checked): Promise<SignIn> {
  return inTransaction(db, async (tx) => {
    const at = now()
    const account = await findUserByEmail(tx, email)
    const isSignedIn = account !== undefined && hash !== undefined && account.password_hash === hash
    if (isSignedIn) await forgiveAttempt(tx, admitted)
    else await confirmFailure(tx, admitted, at)
    if (!account) return { outcome: 'wrong' }
    const from = { requestId: shown.requestId, address: shown.address }
    const stranger = { tx, actor: { kind: 'anonymous', name: 'Somebody', ...from }, at } as const
    if (!isSignedIn) {
      await recordAudit(stranger, account, { action: 'user.sign_in_failed' })
      return { outcome: 'wrong' }
    }
    if (shown.isConfirmation) return { outcome: 'signed-in', account }
    const fault = faultOfAccount(await findSignInState(tx, account.id))
    if (fault) {
      await recordAudit(stranger, account, { action: 'user.sign_in_failed', after: { reason: fault.reason } })
      return { outcome: 'refused', detail: fault.detail }
    }
    const step = await findSecondStep(tx, account.id)
    if (step !== undefined) return { outcome: 'second-step', account, step }
    const actor = { kind: 'user', id: account.id, name: account.name, ...from } as const
    await recordAudit({ tx, actor, at }, account, { action: 'user.sign_in' })
    return { outcome: 'signed-in', account }
  })
}
