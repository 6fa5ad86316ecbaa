import { randomUUID } from 'node:crypto'
import { type OrgChange, recordAudit } from '#foundation/audit/record.ts'
import { Problem } from '#foundation/problem.ts'
import type { Keyring } from '#foundation/secrets/keyring.ts'
import { type Credentials, openCredentials, sealCredentials } from './credentials.ts'
import type { IntegrationKind } from './integration-kind.ts'
import { getKind } from './kinds.ts'
import {
  countIntegrations,
  deleteIntegration,
  insertIntegration,
  lockIntegration,
  type StoredIntegration,
  saveIntegration,
} from './store.ts'

export interface IntegrationChange extends OrgChange {
  readonly keyring: Keyring
}

/** Requested values of an integration; undefined keeps, null removes. */
export interface IntegrationInput {
  readonly name?: string | undefined
  readonly baseUrl?: string | null | undefined
  readonly credentials?: Credentials | null | undefined
  /** Computes new settings from the locked current ones. */
  readonly settings?: ((before: StoredIntegration['settings']) => StoredIntegration['settings']) | undefined
}

/** Locations of members in the request, for messages. */
export interface Pointers {
  readonly name: string
  readonly baseUrl: string
  readonly credentials: string
}

export const MAX_INTEGRATIONS = 200

export async function createIntegration(
  change: IntegrationChange,
  kind: IntegrationKind,
  { input, pointers }: { input: IntegrationInput & { readonly name: string }; pointers: Pointers },
): Promise<StoredIntegration> {
  const { tx, org, at, keyring } = change
  if ((await countIntegrations(tx, org.id)) >= MAX_INTEGRATIONS)
    throw new Problem('conflict', `An organization has at most ${MAX_INTEGRATIONS} integrations; delete one first`)
  const id = randomUUID()
  const { name, baseUrl = null, credentials = null } = input
  const settings = input.settings?.({}) ?? {}
  requireFit(kind, { baseUrl, credentials }, pointers)
  const sealedCredentials = credentials && sealCredentials(keyring, id, credentials)
  const times = { createdAt: at, updatedAt: at }
  const integration = { id, orgId: org.id, kind: kind.id, name, baseUrl, settings, sealedCredentials, ...times }
  await insertIntegration(tx, integration, pointers.name)
  await recordAudit(change, { id, org: change.org }, { action: 'integration.create', after: toAudited(integration) })
  return integration
}

/**
 * Changes the given members. Credentials belong to one server: a base URL on another server requires them again;
 * otherwise a user who does not know them could send them anywhere.
 */
export async function editIntegration(
  change: IntegrationChange,
  id: string,
  { input, pointers }: { input: IntegrationInput; pointers: Pointers },
): Promise<StoredIntegration> {
  const { tx, org, at, keyring } = change
  const before = await lockIntegration(tx, org.id, id, at)
  const kind = getKind(before.kind, '/type')
  const { name = before.name, credentials } = input
  const settings = input.settings?.(before.settings) ?? before.settings
  const baseUrl = input.baseUrl === undefined ? before.baseUrl : input.baseUrl
  const hasMoved = baseUrl !== before.baseUrl
  if (hasMoved && before.sealedCredentials !== null && credentials === undefined) {
    const detail = `${pointers.baseUrl} names another server: send the credentials again, or null, in the same request`
    throw new Problem('unprocessable', detail, { source: { pointer: pointers.baseUrl } })
  }
  const kept = before.sealedCredentials === null ? null : openCredentials(keyring, before)
  requireFit(kind, { baseUrl, credentials: credentials === undefined ? (kept ?? null) : credentials }, pointers)
  const sealedCredentials =
    credentials === undefined ? before.sealedCredentials : credentials && sealCredentials(keyring, id, credentials)
  const after = { ...before, name, baseUrl, settings, sealedCredentials, updatedAt: at }
  await saveIntegration(tx, after, pointers.name)
  await recordAudit(
    change,
    { id, org: change.org },
    {
      action: 'integration.update',
      before: toAudited(before),
      after: { ...toAudited(after), ...(credentials !== undefined && { credentials_replaced: true }) },
    },
  )
  return after
}

export async function removeIntegration(change: IntegrationChange, id: string): Promise<void> {
  const before = await deleteIntegration(change.tx, change.org.id, id)
  await recordAudit(change, { id, org: change.org }, { action: 'integration.delete', before: toAudited(before) })
}

export async function copyIntegration(
  change: IntegrationChange,
  source: StoredIntegration,
): Promise<StoredIntegration> {
  const credentials = openCredentials(change.keyring, source)
  const { name, baseUrl, settings } = source
  const pointers = { name: '/destinationOrgPublicId', baseUrl: '', credentials: '' }
  return createIntegration(change, getKind(source.kind, '/type'), {
    input: { name, baseUrl, settings: () => settings, credentials: credentials ?? null },
    pointers,
  })
}

function requireFit(
  kind: IntegrationKind,
  { baseUrl, credentials }: { baseUrl: string | null; credentials: Credentials | null },
  pointers: Pointers,
): void {
  const refuse = (pointer: string, why: string): never => {
    throw new Problem('invalid-request', `${pointer} ${why}`, { source: { pointer } })
  }
  if (baseUrl === null && kind.baseUrl === 'required')
    refuse(pointers.baseUrl, `is missing: ${kind.title} has no default base URL`)
  if (baseUrl !== null && kind.baseUrl === 'none')
    refuse(pointers.baseUrl, `has no meaning for integrations of the kind ${kind.id}; omit it`)
  if (credentials === null) return
  const form = credentials.token === undefined ? 'login' : 'token'
  if (!kind.credentials.includes(form)) refuse(pointers.credentials, credentialsFor(kind))
  if (baseUrl === null && kind.ownBaseUrl === '')
    refuse(pointers.baseUrl, 'is missing: credentials are sent only below the base URL')
}

function credentialsFor({ id, credentials }: IntegrationKind): string {
  if (credentials.length === 0) return `have no meaning for integrations of the kind ${id}; omit them`
  const forms = credentials.map((form) => (form === 'token' ? 'a token' : 'a username with a password'))
  return `must be ${forms.join(' or ')} for integrations of the kind ${id}`
}

function toAudited({ kind, name, baseUrl, settings, sealedCredentials }: StoredIntegration) {
  return { kind, name, base_url: baseUrl, settings, has_credentials: sealedCredentials !== null }
}
