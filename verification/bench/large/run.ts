/**
 * Fills an empty database of PostgreSQL with a million projects and 49 million issues, or a share of them, measures, and
 * keeps the database. Needs a superuser, 40 GB of disk for a share of 1, and an hour:
 *
 *     node verification/bench/large/run.ts --database postgres://SUPERUSER@HOST/DATABASE --data-dir FOLDER --admin-key UUID
 *
 * `--share 0.01` makes it smaller; `--only` names some of the steps in `steps` below.
 */
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { snapshotsDir } from '../../../src/features/advisory-sync/sync-settings.ts'
import type { Db } from '../../../src/foundation/db/database.ts'
import { openDatabase } from '../../../src/foundation/db/open-database.ts'
import { measureConsoleViews } from '../console-views.ts'
import { start } from '../load.ts'
import { measurePagesInTurn } from '../pages-in-turn.ts'
import type { Served } from '../served-projects.ts'
import { fill } from './fill.ts'
import { measureListPages, measureSizes, measureVacuum, measureVisibleEverywhere } from './measure.ts'

const { values } = parseArgs({
  options: {
    database: { type: 'string' },
    'data-dir': { type: 'string' },
    'admin-key': { type: 'string' },
    records: { type: 'string', default: '250000' },
    share: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
})
const { database: url, 'data-dir': dataDir, 'admin-key': adminKey } = values
if (!url || !dataDir || !adminKey) throw new Error('Name --database, --data-dir and --admin-key.')
const settings = { dataDir, databaseUrl: url, adminKey }
const records = Number(values.records)

const steps: Readonly<Record<string, (db: Db) => Promise<void>>> = {
  async fill(db) {
    mkdirSync(settings.dataDir, { recursive: true })
    const server = await start(['src/main.ts', 'serve'], {
      GATEHOUSE_DATA_DIR: settings.dataDir,
      GATEHOUSE_ADMIN_API_KEY: settings.adminKey,
      GATEHOUSE_LOG_LEVEL: 'warn',
      DATABASE_URL: settings.databaseUrl,
    })
    await server.stop()
    await fill(db, { dir: snapshotsDir(settings.dataDir), records, share: Number(values.share) })
  },
  sizes: measureSizes,
  vacuum: measureVacuum,
  pages: async (db) => measureListPages(db, await findServed(db)),
  console: async (db) => measureConsoleViews(db, await findServed(db)),
  turn: async (db) => measurePagesInTurn(db, await findServed(db)),
  visible: async (db) => measureVisibleEverywhere(db, await findServed(db), records),
}

const selected = values.only?.split(',') ?? Object.keys(steps)
const database = openDatabase({ url, dataDir, maxConnections: 4, onError: () => {} })
try {
  for (const name of selected) await steps[name]!(database.db)
} finally {
  await database.close()
}

async function findServed(db: Db): Promise<Served> {
  const { id } = await db.selectFrom('orgs').select('id').orderBy('created_at').orderBy('id').executeTakeFirstOrThrow()
  const { count } = await db
    .selectFrom('projects')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('org_id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...settings, orgId: id, projects: Number(count) }
}
