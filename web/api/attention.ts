import { call } from './client.ts'
import { secretsOfAccount } from './secrets.ts'

/** So many are counted; more are said to be more. */
const limit = 100

/** Accounts whose secrets are looked at, as each is asked for alone. */
const MAX_ACCOUNTS = 25

const DAY_MS = 86_400_000
export const RECENT_DAYS = 7
export const SOON_DAYS = 14

/** A count, or a lower bound of it. */
export interface Count {
  readonly count: number
  readonly isMore: boolean
}

interface Listed {
  readonly data: readonly unknown[]
  readonly links: { readonly next?: string }
}

const toCount = ({ data, links }: Listed): Count => ({ count: data.length, isMore: links.next !== undefined })

/** The beginning of the day some days ago, so that it is the same address all day. */
export function recentSince(now = Date.now()): string {
  const day = new Date(now - RECENT_DAYS * DAY_MS)
  day.setHours(0, 0, 0, 0)
  return day.toISOString()
}

export async function countStaleIgnores(orgId: string): Promise<Count> {
  return toCount(await call('listIgnores', { params: { org_id: orgId }, query: { state: 'stale', limit } }))
}

/**
 * Counts imports since a time: failed ones, and those with failed manifests. Queried separately, since a schedule may
 * start more imports per day than one page holds.
 */
export async function countFailedImports(orgId: string, since: string): Promise<{ failed: Count; partly: Count }> {
  const recent = async (state: 'failed' | 'complete') => {
    const { data, links } = await call('listImports', { params: { org_id: orgId }, query: { state, limit } })
    const found = data.filter(({ attributes }) => Date.parse(attributes.created_at) >= Date.parse(since))
    return { found, isMore: found.length === data.length && links.next !== undefined }
  }
  const [failed, complete] = await Promise.all([recent('failed'), recent('complete')])
  const partly = complete.found.filter(({ attributes }) => attributes.manifests.failed > 0)
  return {
    failed: { count: failed.found.length, isMore: failed.isMore },
    partly: { count: partly.length, isMore: complete.isMore },
  }
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
  const found = await Promise.all(
    looked.map(async ({ id, attributes: { name } }) => {
      const credentials = await secretsOfAccount({ kind: 'orgs', id: orgId }, id).list()
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
    ending: found.flat().sort((a, b) => Date.parse(a.endsAt) - Date.parse(b.endsAt)),
    /** Undefined when all were looked at. */
    lookedAt: withSecrets.length > looked.length || links.next !== undefined ? looked.length : undefined,
  }
}
