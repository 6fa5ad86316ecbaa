import { parseArgs } from 'node:util'
import { measureCheck } from '../test/support/access/revocation-cost.ts'
import { checkRevocations, type RevocationReport } from '../test/support/access/revocation-run.ts'
import { createPostgresDatabase } from '../test/support/servers/postgres.ts'

/**
 * Checks that a revoked credential is refused at once: `node tools/with-postgres.ts node verification/revocation-checker.ts`
 * for two processes on PostgreSQL, without with-postgres.ts for one on SQLite. Exits with 1 if anything was wrong.
 */
const { values } = parseArgs({
  options: { checks: { type: 'string', default: '100000' }, 'kill-every': { type: 'string', default: '2500' } },
})
const checks = Number(values.checks)
const isPostgres = process.env['TEST_DATABASE_URL'] !== undefined
const database = isPostgres ? await createPostgresDatabase() : undefined
const begun = performance.now()
let shownAt = begun
const report = await checkRevocations({
  checks,
  kills: 1,
  processes: isPostgres ? 2 : 1,
  databaseUrl: database?.url,
  killEveryChecks: Number(values['kill-every']),
  onProgress(sofar) {
    if (performance.now() - shownAt < 10_000) return
    shownAt = performance.now()
    console.error(`${sofar.checks} of ${checks} checks, ${sofar.kills} kills, ${sofar.wronglyAccepted.length} wrong`)
  },
})
await database?.drop()
print(report)
const costDatabase = isPostgres ? await createPostgresDatabase() : undefined
for (const [what, micros] of Object.entries(await measureCheck(costDatabase?.url)))
  console.log(`${what.padEnd(70)} ${micros.toFixed(1).padStart(8)} µs`)
await costDatabase?.drop()
process.exitCode = report.wronglyAccepted.length + report.wronglyRefused.length > 0 ? 1 : 0

function print({ revocations, wronglyAccepted, wronglyRefused, ...counts }: RevocationReport): void {
  const seconds = (performance.now() - begun) / 1000
  console.log(`${isPostgres ? 'PostgreSQL, two processes' : 'SQLite, one process'}, ${seconds.toFixed(0)} s`)
  for (const [name, count] of Object.entries({ ...counts, ...revocations })) {
    console.log(`${name.padEnd(70)} ${String(count).padStart(8)}`)
  }
  console.log(`${'accepted after a revocation was answered'.padEnd(70)} ${String(wronglyAccepted.length).padStart(8)}`)
  console.log(`${'refused before a revocation was asked for'.padEnd(70)} ${String(wronglyRefused.length).padStart(8)}`)
  for (const wrong of [...wronglyAccepted, ...wronglyRefused].slice(0, 20)) console.log(`  ${wrong}`)
}
