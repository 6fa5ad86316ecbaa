import { randomUUID } from 'node:crypto'
import { listEveryMembership } from '#features/members/store.ts'
import { insertUser, saveEnabled } from '#features/members/users-store.ts'
import { findUserByEmail, lockUser, type UserRow } from '#features/user-sessions/users-store.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import type { Services } from '#foundation/services.ts'
import { applyRoles } from './apply-roles.ts'
import { emailOf, isEmailVerified, nameOf } from './claims.ts'
import {
  findIdentity,
  hasIdentity,
  type IdentityRow,
  insertIdentity,
  noteSignIn,
  tokenContext,
} from './identities-store.ts'
import type { ProviderSignIn } from './provider-sign-in.ts'
import { domainOf, findProvider, listDomains, noteOutcome, type ProviderRow } from './providers-store.ts'
import { SignInRefused } from './sign-in-refused.ts'

/** Returns the account of a user with updated roles, and links or creates it if necessary. Throws `SignInRefused`. */
export async function findAccountOf(
  deps: Pick<Services, 'keyring'>,
  signIn: ProviderSignIn,
): Promise<{ readonly user: UserRow; readonly identityId: string }> {
  const { tx, provider, proved, at } = signIn
  const current = await findProvider(tx, provider.id)
  if (current?.updated_at !== provider.updated_at) {
    throw new SignInRefused('the settings changed during the sign-in', 'Start again.')
  }
  const identity = await findIdentity(tx, provider.id, proved.subject)
  const user = identity ? await getLinked(signIn, identity) : await linkOrCreate(signIn)
  const identityId = identity?.id ?? (await addIdentity(signIn, user))
  const isEnabled = await enable(signIn, user)
  const refreshToken = proved.refreshToken
  await noteSignIn(tx, identityId, {
    at,
    refreshToken: refreshToken === undefined ? null : deps.keyring.seal(refreshToken, tokenContext(identityId)),
  })
  await applyRoles(signIn, user)
  await noteOutcome(tx, provider.id, { at })
  if (proved.roleValues === undefined) {
    const failure = `The provider left out the claim ${provider.role_claim} of ${user.email}, who may have too many groups. The roles were kept. Limit the claim to the groups of the application, or use its roles.`
    await noteOutcome(tx, provider.id, { at, failure })
  }
  return { user: isEnabled, identityId }
}

async function getLinked({ tx, provider }: ProviderSignIn, { user_id }: IdentityRow): Promise<UserRow> {
  const user = await lockUser(tx, user_id)
  if (user?.group_id !== provider.group_id) throw notOurs()
  await requireDomain(tx, provider, user.email)
  return user
}

async function linkOrCreate(signIn: ProviderSignIn): Promise<UserRow> {
  const { tx, provider, proved } = signIn
  const { claims } = proved
  const email = emailOf(claims)
  if (email === undefined) {
    throw new SignInRefused('the provider sent no e-mail address (claim email)', 'Ask an administrator of your group.')
  }
  await requireDomain(tx, provider, email)
  if (provider.trusts_emails === 0 && !isEmailVerified(claims)) {
    throw new SignInRefused(
      `the provider has not verified ${email} (claim email_verified)`,
      'Verify your e-mail address there first.',
    )
  }
  const existing = await findUserByEmail(tx, email)
  if (!existing) return create(signIn, email)
  const user = await lockUser(tx, existing.id)
  if (user?.group_id !== provider.group_id) throw notOurs()
  if (await hasIdentity(tx, provider.id, user.id)) {
    throw new SignInRefused(
      `${email} is connected to another user of the provider`,
      'Ask an administrator of your group.',
    )
  }
  // The group that manages the account must not act for it in other groups.
  const isElsewhere = (await listEveryMembership(tx, user.id)).some(({ group_id }) => group_id !== provider.group_id)
  if (isElsewhere && signIn.signedInId !== user.id) {
    throw new SignInRefused(
      `${email} has roles in other groups and has not connected the provider`,
      'Sign in with your password first. Then sign in again with single sign-on in the same browser.',
    )
  }
  return user
}

async function create(signIn: ProviderSignIn, email: string): Promise<UserRow> {
  const { tx, provider, proved, at } = signIn
  if (provider.creates_accounts === 0) {
    throw new SignInRefused(`there is no account ${email}`, 'Ask an administrator of your group for an account.')
  }
  const name = nameOf(proved.claims, email)
  const account = { id: randomUUID(), group_id: provider.group_id, email, name, username: email }
  const user = await insertUser(tx, { ...account, created_at: at, updated_at: at })
  await recordAudit(
    signIn,
    { id: user.id, group_id: signIn.provider.group_id },
    { action: 'user.create', after: { email, name, username: email } },
  )
  return user
}

async function addIdentity(signIn: ProviderSignIn, user: UserRow): Promise<string> {
  const { tx, provider, proved, at } = signIn
  const id = randomUUID()
  await insertIdentity(tx, {
    id,
    provider_id: provider.id,
    subject: proved.subject,
    user_id: user.id,
    created_at: at,
    last_sign_in_at: at,
    checked_at: at,
  })
  await recordAudit(
    signIn,
    { id: user.id, group_id: signIn.provider.group_id },
    {
      action: 'user.identity.create',
      after: { provider_id: provider.id, provider: provider.name, subject: proved.subject },
    },
  )
  return id
}

/** Enables a user whom the provider accepts again. */
async function enable(signIn: ProviderSignIn, user: UserRow): Promise<UserRow> {
  if (user.disabled_at === null) return user
  if (user.disabled_by !== 'provider') {
    throw new SignInRefused(
      `${user.email} is disabled`,
      'This account is disabled. Ask an administrator of your group.',
    )
  }
  const enabled = await saveEnabled(signIn.tx, user.id)
  await recordAudit(signIn, { id: user.id, group_id: signIn.provider.group_id }, { action: 'user.enable' })
  return enabled
}

async function requireDomain(tx: Db, provider: ProviderRow, email: string): Promise<void> {
  if ((await listDomains(tx, provider.id)).includes(domainOf(email))) return
  throw new SignInRefused(`the domain of ${email} is not one of this provider`, 'Ask an administrator of your group.')
}

function notOurs(): SignInRefused {
  return new SignInRefused(
    'the account is managed by another group',
    'Your account is managed by another group. Sign in as that group requires.',
  )
}
