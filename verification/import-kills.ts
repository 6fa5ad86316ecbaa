/**
 * Kills servers at random moments during imports, many times, and compares the stored data with the expected data:
 *
 *     node tools/with-postgres.ts node verification/import-kills.ts [--kills 50] [--manifests 100] [--stand-still]
 *
 * With --stand-still, servers are paused for longer than their leases instead, and then continue beside their
 * replacements. Without TEST_DATABASE_URL only SQLite is tried. The exit code is 1 if anything is duplicated or lost.
 */
import { parseArgs } from 'node:util'
import { runImportKills } from '../test/support/repositories/import-kill-run.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    manifests: { type: 'string', default: '100' },
    'stand-still': { type: 'boolean', default: false },
  },
})
const engines = process.env['TEST_DATABASE_URL'] ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const)

console.log('| engine | kills | during imports | taken over | imports | manifests | seconds | double or lost |')
console.log('|---|---|---|---|---|---|---|---|')
for (const engine of engines) {
  const standStill = values['stand-still']
  const run = { engine, kills: Number(values.kills), manifests: Number(values.manifests), standStill }
  const { kills, killsDuringImports, takenOver, imports, manifests, seconds, faults } = await runImportKills(run)
  const cells = [engine, kills, killsDuringImports, takenOver, imports, manifests, seconds, faults.length]
  console.log(`| ${cells.join(' | ')} |`)
  for (const fault of faults) console.log(fault)
  if (faults.length > 0) process.exitCode = 1
}
