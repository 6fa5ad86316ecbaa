import { createApp } from '#features/apps/create-app.ts'
import { DEFAULT_TTL_SECONDS } from '#features/apps/resource.ts'
import { operator } from '#foundation/access/caller.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { commandLineClientId, commandLineScopes } from '#foundation/product.ts'
import type { Services } from '#foundation/services.ts'
import { findOldestOrg, findSetting, takeSetting } from './store.ts'

const SETTING = 'command-line-app'

/**
 * Registers the app with which `gatehouse login` signs users in: a public client that must use PKCE and redirects only
 * to loopback addresses (RFC 8252). It is registered once; if an administrator deletes it, such logins are disabled
 * permanently.
 */
export async function ensureCommandLineApp(services: Pick<Services, 'db' | 'keyring' | 'now'>): Promise<void> {
  const { db, now } = services
  if ((await findSetting(db, SETTING)) !== undefined) return
  await inTransaction(db, async (tx) => {
    const org = await findOldestOrg(tx)
    if (org === undefined || !(await takeSetting(tx, SETTING, String(now())))) return
    await createApp(
      services,
      { tx, actor: operator, at: now() },
      {
        owner: { id: org.id, groupId: org.group_id },
        input: {
          name: 'Gatehouse command line',
          redirectUris: ['http://127.0.0.1/callback'],
          scopes: commandLineScopes.import,
          context: 'user',
          grantType: 'authorization_code',
          isConfidential: false,
          ttlSeconds: DEFAULT_TTL_SECONDS,
          limits: { expiresAt: null, allowedNetworks: null },
        },
        chosen: { clientId: commandLineClientId, isPublic: true },
      },
    )
  })
}
