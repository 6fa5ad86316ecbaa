import { endOf } from '#foundation/access/is-usable.ts'
import type { Change } from '#foundation/audit/record.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { announceCreated, announceDeleted, announceRotated } from './announce.ts'
import { issueCredential } from './issue-credential.ts'
import { type AttributesAt, parseLimits } from './limits.ts'
import type { Program } from './program.ts'
import type { SecretsAttributes } from './secrets-request.ts'
import { getCredentialOf, retireSecret } from './secrets-store.ts'
import { type CredentialRow, deleteCredentials, listCredentials } from './store.ts'

type Deps = Pick<Services, 'keyring' | 'now'>

/**
 * Two, so that a new secret can be rolled out while the old one still works. Secrets in their grace period count too.
 */
const MAX_SECRETS = 2

/** The context of a change of client secrets. The owner's row must be locked, so that concurrent changes wait. */
export interface SecretsChange extends Pick<Change, 'tx' | 'at'> {
  readonly owner: Program
  /** The owner in messages: `account`, `app`, `install`. */
  readonly noun: string
  readonly attributesAt?: AttributesAt
}

export interface SecretStates {
  readonly before: object
  readonly after: object
}

/** Creates, replaces or deletes client secrets of an owner. Returns the new secret, unless one was deleted. */
export async function changeClientSecrets(
  deps: Deps,
  change: SecretsChange,
  attributes: SecretsAttributes,
): Promise<SecretStates & { readonly secret?: string }> {
  refuseWithoutEffect(change, attributes)
  const working = await workingSecrets(change)
  if (attributes.mode === 'delete') return deleteByValue(deps, change, { working, secret: attributes.secret })
  const limits = parseLimits(attributes, change.at, change.attributesAt)
  const kept = attributes.mode === 'create' ? working : keptOnReplacing(change, working, attributes.grace_seconds ?? 0)
  if (kept.length >= MAX_SECRETS) throw refuseThird(change, attributes.mode, working)
  if (attributes.mode === 'replace') await endReplaced(change, kept)
  const issued = await issueCredential(deps, change.tx, {
    kind: 'client_secret',
    owner: change.owner,
    name: attributes.mode === 'replace' ? 'Replacement' : 'Second',
    limits,
  })
  if (attributes.mode === 'create') await announceCreated(change, change.owner, issued.row)
  else await announceRotated(change, change.owner, { row: issued.row, replaced: endedBy(change, working, kept) })
  return { secret: issued.secret, before: toAudited(working), after: toAudited([...kept, issued.row]) }
}

/** Deletes one secret by id, also an expired one. */
export async function deleteClientSecret(change: SecretsChange, id: string): Promise<SecretStates> {
  const row = await getCredentialOf(change.tx, change.owner.id, id)
  const working = await workingSecrets(change)
  const left = working.filter((other) => other.id !== id)
  if (endOf(row) > change.at && !left.some(isLasting)) throw new Problem('conflict', keepsOne(change))
  await deleteCredentials(change.tx, change.owner.id, id)
  await announceDeleted(change, change.owner, [row])
  return { before: toAudited(working), after: toAudited(left) }
}

/** Creates a problem that points at a member of the request. */
export function refuseSecrets(
  { attributesAt = '/data/attributes' }: SecretsChange,
  member: keyof SecretsAttributes,
  detail: string,
): Problem {
  return new Problem('invalid-request', detail, { source: { pointer: `${attributesAt}/${member}` } })
}

const withoutEffect = {
  replace: [],
  create: ['grace_seconds'],
  delete: ['grace_seconds', 'expires_at', 'allowed_networks'],
} as const

/**
 * Refuses members without effect in this mode: a caller would rely on them. `secret` is accepted, because the interface
 * documents show it in every mode.
 */
function refuseWithoutEffect(change: SecretsChange, attributes: SecretsAttributes): void {
  const idle = withoutEffect[attributes.mode].find((member) => attributes[member] !== undefined)
  if (idle) throw refuseSecrets(change, idle, `${idle} has no effect with mode ${attributes.mode}; omit it`)
}

/** Lists the secrets that have not expired. */
async function workingSecrets({ tx, owner, at }: SecretsChange): Promise<CredentialRow[]> {
  const rows = await listCredentials(tx, owner.id)
  return rows.filter((row) => endOf(row) > at)
}

/** Returns the replaced secrets that stay valid for the grace period. */
function keptOnReplacing(
  { at }: SecretsChange,
  working: readonly CredentialRow[],
  graceSeconds: number,
): CredentialRow[] {
  if (graceSeconds === 0) return []
  const until = at + graceSeconds * 1000
  return working.map((row) => ({
    ...row,
    replaced_at: row.replaced_at ?? at,
    retires_at: Math.min(row.retires_at ?? Infinity, until),
  }))
}

/** Returns the replaced secrets with their new expiry. */
function endedBy(
  { at }: SecretsChange,
  working: readonly CredentialRow[],
  kept: readonly CredentialRow[],
): CredentialRow[] {
  return working.map((row) => kept.find(({ id }) => id === row.id) ?? { ...row, retires_at: at })
}

async function endReplaced({ tx, owner }: SecretsChange, kept: readonly CredentialRow[]): Promise<void> {
  const [retiring] = kept
  if (retiring) await retireSecret(tx, retiring)
  else await deleteCredentials(tx, owner.id)
}

function refuseThird(change: SecretsChange, mode: 'create' | 'replace', working: readonly CredentialRow[]): Problem {
  const has = `The ${change.noun} has ${MAX_SECRETS} secrets, the maximum`
  const retiring = working.find((row) => !isLasting(row))
  const remedy =
    retiring === undefined
      ? 'delete one first'
      : `wait until the replaced one expires at ${new Date(endOf(retiring)).toISOString()}, or delete it`
  if (mode === 'create') return refuseSecrets(change, 'mode', `${has}; ${remedy}, or replace`)
  return refuseSecrets(change, 'grace_seconds', `${has}; ${remedy}, or replace without a grace period`)
}

async function deleteByValue(
  { keyring }: Deps,
  change: SecretsChange,
  { working, secret }: { working: readonly CredentialRow[]; secret: string | undefined },
): Promise<SecretStates> {
  const { attributesAt = '/data/attributes', noun, owner } = change
  if (secret === undefined) {
    throw refuseSecrets(change, 'secret', `${attributesAt}/secret is missing; mode delete needs it`)
  }
  const digest = keyring.digest(secret)
  const ended = working.find((row) => row.digest === digest)
  if (!ended) throw refuseSecrets(change, 'secret', `The ${noun} has no such secret`)
  const left = working.filter((row) => row !== ended)
  if (!left.some(isLasting)) throw refuseSecrets(change, 'mode', keepsOne(change))
  await deleteCredentials(change.tx, owner.id, ended.id)
  await announceDeleted(change, owner, [ended])
  return { before: toAudited(working), after: toAudited(left) }
}

/** Returns true for a secret that is not retiring. An owner must keep at least one. */
function isLasting({ retires_at }: CredentialRow): boolean {
  return retires_at === null
}

function keepsOne({ noun }: SecretsChange): string {
  return `The ${noun} keeps at least one secret that is not retiring. Create or replace a secret first.`
}

function toAudited(rows: readonly CredentialRow[]): object {
  const retiring = rows.filter((row) => !isLasting(row))
  return {
    credential_ids: rows.map(({ id }) => id),
    ...(retiring.length > 0 && {
      retiring: retiring.map(({ id, retires_at }) => ({ id, retires_at: new Date(retires_at!).toISOString() })),
    }),
  }
}
