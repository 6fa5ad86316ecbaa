import type { Db } from '#foundation/db/database.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { issueCredential } from './issue-credential.ts'
import type { AttributesAt } from './limits.ts'
import type { SecretsAttributes } from './secrets-request.ts'
import { type CredentialRow, deleteCredentials, listCredentials, type Owner } from './store.ts'

type Needs = Pick<Services, 'keyring' | 'now'>

/** Two, so that a new secret can be rolled out while the old one still works. */
export const MAX_SECRETS = 2

/** What a change of client secrets stands in. The owner's row must be held: of two changes at once the second waits. */
export interface SecretsChange {
  readonly tx: Db
  readonly at: number
  readonly owner: Owner
  /** What refusals call the owner: `account`, `app`, `install`. */
  readonly noun: string
  readonly attributesAt?: AttributesAt
}

/** The new secret, unless one was deleted, and what the audit log shows of the change. */
export interface ChangedSecrets {
  readonly secret?: string
  readonly before: object
  readonly after: object
}

/** Makes, replaces or ends client secrets of an owner, which never has none and never more than two. */
export async function changeClientSecrets(
  needs: Needs,
  change: SecretsChange,
  { mode, secret }: SecretsAttributes,
): Promise<ChangedSecrets> {
  const secrets = await liveSecrets(change)
  if (mode === 'delete') return endSecret(needs, change, { secrets, secret })
  if (mode === 'create' && secrets.length >= MAX_SECRETS) {
    throw refuseSecrets(
      change,
      'mode',
      `The ${change.noun} has ${MAX_SECRETS} secrets already, the most there may be; delete or replace first`,
    )
  }
  if (mode === 'replace') await deleteCredentials(change.tx, change.owner.id)
  const issued = await issueCredential(needs, change.tx, {
    kind: 'client_secret',
    owner: change.owner,
    name: mode === 'replace' ? 'Replacement' : 'Second',
  })
  return {
    secret: issued.secret,
    before: toIds(secrets),
    after: toIds(mode === 'replace' ? [issued.row] : [...secrets, issued.row]),
  }
}

/** A refusal that points at a member of the request. */
export function refuseSecrets(
  { attributesAt = '/data/attributes' }: Pick<SecretsChange, 'attributesAt'>,
  member: keyof SecretsAttributes,
  detail: string,
): Problem {
  return new Problem('invalid-request', detail, { source: { pointer: `${attributesAt}/${member}` } })
}

/** Those that still work: a secret whose time has come counts no longer. */
async function liveSecrets({ tx, owner, at }: SecretsChange): Promise<CredentialRow[]> {
  const rows = await listCredentials(tx, owner.id)
  return rows.filter(({ expires_at, retires_at }) => Math.min(expires_at ?? Infinity, retires_at ?? Infinity) > at)
}

async function endSecret(
  { keyring }: Needs,
  change: SecretsChange,
  { secrets, secret }: { secrets: readonly CredentialRow[]; secret: string | undefined },
): Promise<ChangedSecrets> {
  const { attributesAt = '/data/attributes', noun, owner } = change
  if (secret === undefined) {
    throw refuseSecrets(change, 'secret', `${attributesAt}/secret is missing; mode delete needs it`)
  }
  const digest = keyring.digest(secret)
  const ended = secrets.find((row) => row.digest === digest)
  if (!ended) throw refuseSecrets(change, 'secret', `This is no secret of the ${noun}`)
  if (secrets.length === 1) {
    throw refuseSecrets(change, 'mode', `The ${noun} keeps at least one secret; create another first, or replace`)
  }
  await deleteCredentials(change.tx, owner.id, [ended.id])
  return { before: toIds(secrets), after: toIds(secrets.filter((row) => row !== ended)) }
}

function toIds(rows: readonly CredentialRow[]): object {
  return { credential_ids: rows.map(({ id }) => id) }
}
