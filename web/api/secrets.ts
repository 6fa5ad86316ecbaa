import type { Place } from '../navigation/paths.ts'
import { type Answer, call } from './client.ts'

/** The visible data of a key or a client secret. */
export type Credential = Answer<'listAppSecrets'>['data'][number]

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
  remove(secretId: string): Promise<void>
}

const query = { limit: 100 }

export function secretsOfAccount({ kind, id }: Place, accountId: string): SecretOwner {
  const ofOrg = { org_id: id, serviceaccount_id: accountId }
  const ofGroup = { group_id: id, serviceaccount_id: accountId }
  const isOrg = kind === 'orgs'
  return {
    key: ['secrets', kind, id, 'account', accountId],
    async list() {
      if (isOrg) return (await call('listOrgServiceAccountSecrets', { params: ofOrg, query })).data
      return (await call('listGroupServiceAccountSecrets', { params: ofGroup, query })).data
    },
    async change({ idempotencyKey, ...attributes }) {
      const body = { data: { type: 'service_account', attributes } } as const
      const { data } = isOrg
        ? await call('manageOrgServiceAccountSecrets', { params: ofOrg, body, idempotencyKey })
        : await call('manageGroupServiceAccountSecrets', { params: ofGroup, body, idempotencyKey })
      return data.attributes.client_secret
    },
    async remove(secret_id) {
      if (isOrg) await call('deleteOrgServiceAccountSecret', { params: { ...ofOrg, secret_id } })
      else await call('deleteGroupServiceAccountSecret', { params: { ...ofGroup, secret_id } })
    },
  }
}

export function secretsOfApp(orgId: string, appId: string): SecretOwner {
  const params = { org_id: orgId, app_id: appId }
  return {
    key: ['secrets', 'orgs', orgId, 'app', appId],
    list: async () => (await call('listAppSecrets', { params, query })).data,
    async change({ idempotencyKey, ...attributes }) {
      const body = { data: { type: 'app', attributes } } as const
      return (await call('manageAppSecrets', { params, body, idempotencyKey })).data.attributes.client_secret
    },
    async remove(secret_id) {
      await call('deleteAppSecret', { params: { ...params, secret_id } })
    },
  }
}

export function secretsOfInstall({ kind, id }: Place, installId: string): SecretOwner {
  const inOrg = { org_id: id, install_id: installId }
  const inGroup = { group_id: id, install_id: installId }
  const isOrg = kind === 'orgs'
  return {
    key: ['secrets', kind, id, 'install', installId],
    async list() {
      if (isOrg) return (await call('listOrgAppInstallSecrets', { params: inOrg, query })).data
      return (await call('listGroupAppInstallSecrets', { params: inGroup, query })).data
    },
    async change({ idempotencyKey, ...attributes }) {
      const body = { data: { type: 'app', attributes } } as const
      const { data } = isOrg
        ? await call('manageOrgAppInstallSecrets', { params: inOrg, body, idempotencyKey })
        : await call('manageGroupAppInstallSecrets', { params: inGroup, body, idempotencyKey })
      return data.attributes.client_secret
    },
    async remove(secret_id) {
      if (isOrg) await call('deleteOrgAppInstallSecret', { params: { ...inOrg, secret_id } })
      else await call('deleteGroupAppInstallSecret', { params: { ...inGroup, secret_id } })
    },
  }
}
