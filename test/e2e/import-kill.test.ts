import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runImportKills } from '#test/repositories/import-kill-run.ts'
import { onEveryEngine, onPostgres } from '#test/servers/engines.ts'
import { isFullVolume, volume } from '#test/volume.ts'

const KILLS = volume(20)
/** So few that a stopped process almost certainly holds a job. */
const STOPS = volume(20, { atLeast: 4 })

/** Manifests of one import, enough that it is still running when its process is killed. */
const MANIFESTS = volume(100, { atLeast: 24 })
/** More manifests, as a process is stopped for seconds. */
const STOPPED_MANIFESTS = volume(100, { atLeast: 60 })

// verification/import-kills.ts does the same many more times.
onEveryEngine('servers killed during imports', (engine) => {
  test('imports complete despite kill -9, without duplicates or losses', async () => {
    const { faults, killsDuringImports } = await runImportKills({ engine, kills: KILLS, manifests: MANIFESTS })
    assert.deepEqual(faults, [])
    assert.ok(killsDuringImports > 0, 'no kill met an import')
  })
})

/** Only at full volume on SQLite, where no other process can take over jobs. */
const suites = isFullVolume ? onEveryEngine : onPostgres

suites('servers stopped during imports', (engine) => {
  test('imports by servers stopped for longer than their lease complete without duplicates', async () => {
    const run = { engine, kills: STOPS, manifests: STOPPED_MANIFESTS, standStill: true }
    const { faults, takenOver } = await runImportKills(run)
    assert.deepEqual(faults, [])
    if (engine === 'postgres') assert.ok(takenOver > 0, 'nothing was taken over')
  })
})
