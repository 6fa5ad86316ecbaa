import type { ConsoleScope } from '../navigation/paths.ts'
import { call, callData } from './client.ts'
import { idIn, paramsOf } from './place-params.ts'
import type { Credential } from './resources.ts'

export interface SecretChange {
  readonly mode: 'create' | 'replace'
  /** Seconds for which the replaced secret stays valid. */
  readonly grace_seconds?: number
  readonly idempotencyKey: string
}

/** A resource that authenticates with client secrets. */
export interface SecretOwner {
  /** Query key of its secrets. */
  readonly key: readonly string[]
  /** Lists the secrets, which always fit on one page. */
  list(): Promise<readonly Credential[]>
  /** Returns the new secret, if any. */
  change(change: SecretChange): Promise<string | undefined>
  remove(secretId: string): Promise<unknown>
}

const query = { limit: 100 }

export function secretsOfAccount(place: ConsoleScope, accountId: string): SecretOwner {
  const params = { ...paramsOf(place), serviceaccount_id: accountId }
  const listId = idIn(place, 'listOrgServiceAccountSecrets', 'listGroupServiceAccountSecrets')
  const manageId = idIn(place, 'manageOrgServiceAccountSecrets', 'manageGroupServiceAccountSecrets')
  const deleteId = idIn(place, 'deleteOrgServiceAccountSecret', 'deleteGroupServiceAccountSecret')
  return {
    key: ['secrets', place.kind, place.id, 'account', accountId],
    list: () => callData(listId, { params, query }),
    async change({ idempotencyKey, ...attributes }) {
      const body = { data: { type: 'service_account', attributes } } as const
      return (await callData(manageId, { params, body, idempotencyKey })).attributes.client_secret
    },
    remove: (secret_id) => call(deleteId, { params: { ...params, secret_id } }),
  }
}

export function secretsOfApp(orgId: string, appId: string): SecretOwner {
  const params = { org_id: orgId, app_id: appId }
  return {
    key: ['secrets', 'orgs', orgId, 'app', appId],
    list: () => callData('listAppSecrets', { params, query }),
    async change({ idempotencyKey, ...attributes }) {
      const body = { data: { type: 'app', attributes } } as const
      return (await callData('manageAppSecrets', { params, body, idempotencyKey })).attributes.client_secret
    },
    remove: (secret_id) => call('deleteAppSecret', { params: { ...params, secret_id } }),
  }
}

export function secretsOfInstall(place: ConsoleScope, installId: string): SecretOwner {
  const params = { ...paramsOf(place), install_id: installId }
  const listId = idIn(place, 'listOrgAppInstallSecrets', 'listGroupAppInstallSecrets')
  const manageId = idIn(place, 'manageOrgAppInstallSecrets', 'manageGroupAppInstallSecrets')
  const deleteId = idIn(place, 'deleteOrgAppInstallSecret', 'deleteGroupAppInstallSecret')
  return {
    key: ['secrets', place.kind, place.id, 'install', installId],
    list: () => callData(listId, { params, query }),
    async change({ idempotencyKey, ...attributes }) {
      const body = { data: { type: 'app', attributes } } as const
      return (await callData(manageId, { params, body, idempotencyKey })).attributes.client_secret
    },
    remove: (secret_id) => call(deleteId, { params: { ...params, secret_id } }),
  }
}
