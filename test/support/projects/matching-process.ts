import { pino } from 'pino'
import { startHolder } from '#features/advisory-sync/holder.ts'
import { createAdvisoryMatcher } from '#features/issue-index/matching/advisory-matcher.ts'
import { announceKnown } from '#features/issue-index/matching/announce-known.ts'
import { openDatabase } from '#foundation/db/open-database.ts'

/**
 * A separate process that matches stored packages with the newest advisories and reports events; tests kill it while it
 * works.
 */
const [dataDir, snapshotsDir, url] = process.argv.slice(2) as [string, string, string?]
const database = openDatabase({ url, dataDir, maxConnections: 4, onError: () => {} })
const tools = { db: database.db, now: Date.now, log: pino({ level: 'silent' }) }
const holder = await startHolder(tools, { dir: snapshotsDir, pollSeconds: 3600 })
const matcher = createAdvisoryMatcher(tools, holder)
console.log('begun')
for (let matched = await matcher.run(); matched; matched = await matcher.run()) await announceKnown(tools, undefined)
await announceKnown(tools, undefined)
console.log('done')
process.exit(0)
