import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { publishedKeys } from '#features/access-tokens/signing-keys.ts'
import { prepareData } from '#features/setup/first-start.ts'
import { readConfig } from '#foundation/config.ts'
import { migrate } from '#foundation/db/migrate.ts'
import { openDatabase } from '#foundation/db/open-database.ts'
import { createServices } from '../../../src/composition/create-services.ts'
import { addKey } from '../servers/keys.ts'
import { addApp, consentTo, userOf } from './tokens.ts'

const RUNS = 2000
const AT_ONCE = 32

/** Microseconds that admitting a token takes, and what it would take to believe its signature instead. */
export async function measureCheck(databaseUrl: string | undefined): Promise<Record<string, number>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-check-'))
  const config = readConfig({
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_SECRET_KEY: randomBytes(32).toString('hex'),
    GATEHOUSE_ADMIN_PASSWORD: 'a password for the measurement',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  })
  const database = openDatabase({ url: databaseUrl, dataDir, maxConnections: 4, onError: () => {} })
  await migrate(database)
  const { services, lastUses } = createServices(config, database, pino({ level: 'silent' }))
  try {
    const first = (await prepareData(services))!
    const seed = { parts: { services }, groupId: first.groupId, orgId: first.orgId }
    const userId = await userOf(seed, await addKey(seed, ['org.read']))
    const { token } = await consentTo(seed, { app: await addApp(seed), userId })
    const others: string[] = []
    for (let n = 0; n < AT_ONCE; n++) others.push((await consentTo(seed, { app: await addApp(seed), userId })).token)
    const [jwk] = await publishedKeys(services)
    const key = createPublicKey({ key: jwk!, format: 'jwk' })
    const [header, claims, signature] = token.split('.') as [string, string, string]
    const text = Buffer.from(`${header}.${claims}`)
    const bytes = Buffer.from(signature, 'base64url')
    const authenticate = async (shown = token) => services.access.authenticate(shown, '127.0.0.1')
    const authenticateAll = () => Promise.all(others.map(authenticate))
    const write = () => services.db.updateTable('users').set({ updated_at: 1 }).where('id', '=', userId).execute()
    return {
      'looking a token up, nothing was changed since the last time': await mean(() => authenticate()),
      'looking a token up right after some change': await mean(() => authenticate(), write),
      [`looking ${AT_ONCE} tokens up at once right after some change, each`]:
        (await mean(authenticateAll, write)) / AT_ONCE,
      'verifying its signature instead (not done: it would not notice an end)': await mean(async () =>
        verify('sha256', text, { key, dsaEncoding: 'ieee-p1363' }, bytes),
      ),
    }
  } finally {
    await lastUses.close()
    await database.close()
    rmSync(dataDir, { recursive: true })
  }
}

/** `before` is done ahead of each run, and not measured. */
async function mean(work: () => unknown, before?: () => Promise<unknown>): Promise<number> {
  let total = 0
  for (let n = -RUNS / 10; n < RUNS; n++) {
    await before?.()
    const begun = performance.now()
    await work()
    if (n >= 0) total += performance.now() - begun
  }
  return (total * 1000) / RUNS
}
