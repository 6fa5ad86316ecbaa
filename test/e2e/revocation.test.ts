import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRevocations } from '#test/access/revocation-run.ts'
import { revocations } from '#test/access/revocations.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { createPostgresDatabase } from '#test/servers/postgres.ts'
import { volume } from '#test/volume.ts'

/** Enough for every kind of revocation at least once. */
const CHECKS = volume(4_800)

/** A short run; `verification/revocation-checker.ts` makes the long one. */
onEveryEngine('revoked credentials', (engine) => {
  test('a revoked credential is refused by every process from the response on, despite kill -9', async () => {
    const postgres = engine === 'postgres' ? await createPostgresDatabase() : undefined
    const report = await checkRevocations({
      checks: CHECKS,
      kills: 2,
      processes: postgres ? 2 : 1,
      databaseUrl: postgres?.url,
      killEveryChecks: CHECKS / 2,
    })
    await postgres?.drop()
    assert.deepEqual(report.wronglyAccepted, [])
    assert.deepEqual(report.wronglyRefused, [])
    assert.ok(report.checks >= CHECKS)
    const carriedOut = Object.values(report.revocations).reduce((sum, count) => sum + count, 0)
    assert.ok(report.accepted >= carriedOut, 'each was accepted before')
    assert.ok(report.kills >= 2)
    assert.deepEqual(
      Object.keys(revocations).filter((kind) => report.revocations[kind] === 0),
      [],
    )
  })
})
