import { call, callData } from './client.ts'
import type { ImportQuery } from './resources.ts'

const limit = 100

/** Maximum number of accounts whose secrets are checked, since each needs a request of its own. */
const MAX_ACCOUNTS = 25

const DAY_MS = 86_400_000
export const RECENT_DAYS = 7
export const SOON_DAYS = 14

/** Returns the start of a day some days ago, so that the URL stays the same all day. */
export function recentSince(now = Date.now()): string {
  const day = new Date(now - RECENT_DAYS * DAY_MS)
  day.setHours(0, 0, 0, 0)
  return day.toISOString()
}

/** The smallest page is enough for a count. */
const counted = { limit: 10, count: true } as const

export async function countStaleIgnores(orgId: string): Promise<number> {
  const { meta } = await call('listIgnores', { params: { org_id: orgId }, query: { state: 'stale', ...counted } })
  return meta!.count
}

/** Counts imports since a time: failed ones, and those with failed manifests. */
export async function countFailedImports(orgId: string, since: string): Promise<{ failed: number; partly: number }> {
  const count = async (query: ImportQuery) => {
    const { meta } = await call('listImports', {
      params: { org_id: orgId },
      query: { ...query, created_after: since, ...counted },
    })
    return meta!.count
  }
  const [failed, partly] = await Promise.all([
    count({ state: 'failed' }),
    count({ state: 'complete', has_failed_manifests: true }),
  ])
  return { failed, partly }
}

export interface EndingCredential {
  readonly accountId: string
  readonly accountName: string
  readonly hint: string
  readonly endsAt: string
  /** True if a replaced secret is still in use. */
  readonly isUsed: boolean
}

/** Lists service account keys and secrets that expire soon, the next first. */
export async function listEndingCredentials(orgId: string, now = Date.now()) {
  const { data, links } = await call('listOrgServiceAccounts', { params: { org_id: orgId }, query: { limit } })
  const withSecrets = data.filter(({ attributes }) => attributes.auth_type !== 'oauth_private_key_jwt')
  const looked = withSecrets.slice(0, MAX_ACCOUNTS)
  const lists = await Promise.all(
    looked.map(async ({ id, attributes: { name } }) => {
      const params = { org_id: orgId, serviceaccount_id: id }
      const credentials = await callData('listOrgServiceAccountSecrets', { params, query: { limit } })
      return credentials.flatMap(({ attributes: { state, hint, expires_at, retires_at, used_since_replaced } }) => {
        const endsAt = [expires_at, retires_at].filter((time) => time !== undefined).sort()[0]
        if (state === 'ended' || endsAt === undefined || Date.parse(endsAt) > now + SOON_DAYS * DAY_MS) return []
        const ending: EndingCredential = {
          accountId: id,
          accountName: name,
          hint,
          endsAt,
          isUsed: used_since_replaced === true,
        }
        return ending
      })
    }),
  )
  return {
    ending: lists.flat().sort((a, b) => Date.parse(a.endsAt) - Date.parse(b.endsAt)),
    /** Undefined if all accounts were checked. */
    lookedAt: withSecrets.length > looked.length || links.next !== undefined ? looked.length : undefined,
  }
}
