import type { SealedPlace } from '#foundation/secrets/sealed-place.ts'
import type { Services } from '#foundation/services.ts'
import type { WebhookRow } from './store.ts'
import { listUrlsWithout, replaceUrl } from './urls-store.ts'

type Keyring = Services['keyring']
type StoredUrl = Pick<WebhookRow, 'org_id' | 'url'>

/** A prefix that no URL has. */
const SEALED = 'sealed:'

export const sealedUrls: SealedPlace = {
  table: 'webhooks',
  key: ['id'],
  column: 'url',
  beside: ['org_id'],
  textPrefix: SEALED,
  context: ({ org_id }) => contextOf(org_id!),
}

/** Encrypts a URL for storage: its path and query often contain a secret of the receiver. */
export function sealUrl(keyring: Keyring, orgId: string, url: string): string {
  return `${SEALED}${Buffer.from(keyring.seal(url, contextOf(orgId))).toString('base64')}`
}

export function urlOf(keyring: Keyring, { org_id, url }: StoredUrl): string {
  // Written by a process of an earlier version that is still running.
  if (!url.startsWith(SEALED)) return url
  const opened = keyring.open(Buffer.from(url.slice(SEALED.length), 'base64'), contextOf(org_id))
  if (opened === undefined) throw new Error('the URL of a webhook was sealed with another key')
  return opened
}

function contextOf(orgId: string): string {
  return `webhook url of ${orgId}`
}

/** Encrypts the URLs that an earlier version stored as plain text. Several processes may do it concurrently. */
export async function sealStoredUrls({ db, keyring }: Pick<Services, 'db' | 'keyring'>): Promise<void> {
  for (;;) {
    const plain = await listUrlsWithout(db, SEALED)
    if (plain.length === 0) return
    for (const { id, org_id, url } of plain) {
      await replaceUrl(db, id, { before: url, after: sealUrl(keyring, org_id, url) })
    }
  }
}
