import { endKeysAndGrants, suspend } from '#features/members/disable-user.ts'
import { listSuspended } from '#features/members/suspended-store.ts'
import { lockUser } from '#features/user-sessions/users-store.ts'
import { type Actor, systemActor } from '#foundation/access/caller.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import { createSlots } from '#foundation/outgoing/slots.ts'
import type { Services } from '#foundation/services.ts'
import { describeFault } from './describe-fault.ts'
import { type CheckedIdentity, listUnchecked, saveCheck, tokenContext } from './identities-store.ts'
import type { ProviderClients } from './provider-client.ts'
import { findProvider, type ProviderRow } from './providers-store.ts'

type Deps = Pick<Services, 'db' | 'keyring' | 'now' | 'config' | 'log'> & { readonly providers: ProviderClients }

const PER_RUN = 2_000
const AT_ONCE = 4
/** A user whom the provider accepts again within this time keeps API keys and authorized apps. */
const SUSPENSION_DAYS = 7

/**
 * Checks with the refresh tokens of users whether providers still accept them. OpenID Connect has no message for a
 * disabled account, but its refresh token is refused.
 */
export function checkIdentities(deps: Deps): JobKind {
  return defineJob({
    name: 'check-identities',
    maxAttempts: 1,
    everyMinutes: 1,
    async run(_payload, { signal }) {
      await runChecks(deps, signal)
      await endSuspensions(deps)
    },
  })
}

export async function runChecks(deps: Deps, signal?: AbortSignal): Promise<void> {
  const { db, now, config } = deps
  const due = await listUnchecked(db, now() - config.singleSignOnCheckMinutes * 60_000, PER_RUN)
  const slots = createSlots(AT_ONCE)
  const checkOne = async (identity: CheckedIdentity) => {
    if (signal?.aborted) return
    await check(deps, identity)
  }
  await Promise.all(due.map((identity) => slots.run('', {}, () => checkOne(identity))))
}

async function check(deps: Deps, identity: CheckedIdentity): Promise<void> {
  const { db, keyring, now, log, providers } = deps
  const provider = await findProvider(db, identity.provider_id)
  const token = keyring.open(identity.refresh_token!, tokenContext(identity.id))
  if (!provider || token === undefined) return
  try {
    const client = await providers.get(provider)
    const next = await client.refresh(token, identity.subject)
    const refresh_token = keyring.seal(next, tokenContext(identity.id))
    await saveCheck(db, identity, { checked_at: now(), refresh_token })
  } catch (error) {
    // RFC 6749 §5.2: expired, revoked, or of a deleted account.
    if ((error as { error?: unknown }).error === 'invalid_grant') return end(deps, provider, identity)
    log.warn({ provider: provider.id, failure: describeFault(error) }, 'an identity provider could not check a user')
    await saveCheck(db, identity, { checked_at: now() })
  }
}

/** Suspends the user, unless the user has signed in during the check. */
async function end({ db, now }: Deps, { name }: ProviderRow, identity: CheckedIdentity): Promise<void> {
  const actor: Actor = { ...systemActor, name: `identity provider ${name}` }
  await inTransaction(db, async (tx) => {
    const user = await lockUser(tx, identity.user_id)
    const isSaved = await saveCheck(tx, identity, { checked_at: now(), refresh_token: null })
    if (user && isSaved && user.disabled_at === null) await suspend({ tx, actor, at: now() }, user)
  })
}

/** Revokes the API keys and authorized apps of users who have been suspended for days. */
async function endSuspensions({ db, now }: Deps): Promise<void> {
  for (const id of await listSuspended(db, now() - SUSPENSION_DAYS * 86_400_000)) {
    await inTransaction(db, async (tx) => {
      const user = await lockUser(tx, id)
      if (user?.disabled_by === 'provider') await endKeysAndGrants({ tx, actor: systemActor, at: now() }, id)
    })
  }
}
