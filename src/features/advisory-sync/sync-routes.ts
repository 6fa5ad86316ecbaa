import { type Static, Type } from 'typebox'
import { recordAudit } from '#foundation/audit/record.ts'
import { answerChange, type GroupChange, toGroupChange } from '#foundation/http/change.ts'
import { Timestamp } from '#foundation/http/documents.ts'
import type { Routes } from '#foundation/http/server.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { JobNotifier } from '#foundation/jobs/job-notifier.ts'
import { startJob } from '#foundation/jobs/store.ts'
import type { Services } from '#foundation/services.ts'
import { SYNC_ADVISORIES } from './sync.job.ts'
import { findSyncState, type SyncState, saveSyncState } from './sync-state-store.ts'

const AdvisorySync = Type.Object({
  state: Type.Enum(['never', 'waiting', 'running', 'done', 'failed'], {
    description: 'Of the last sync by this server; those by `gatehouse advisories sync` are not included',
  }),
  updated_at: Type.Union([Timestamp, Type.Null()]),
  phase: Type.Union([Type.String(), Type.Null()], { description: 'Of a running sync, such as fetching' }),
  registry: Type.Union([Type.String(), Type.Null()]),
  done: Type.Union([Type.Integer(), Type.Null()], { description: 'Finished units of the phase' }),
  total: Type.Union([Type.Integer(), Type.Null()]),
  failure: Type.Union([Type.String(), Type.Null()]),
})

const schema = { hide: true, params: Type.Object({ group_id: Type.String() }) } as const
const config = { access: { group: ['group.edit'] } } as const

/** `/console`: administrators of a group start a sync of the server's advisories and poll its progress. */
export function advisorySyncRoutes(services: Services, jobNotifier: JobNotifier): Routes {
  return (scope) => {
    const path = '/groups/:group_id/advisories/sync'
    const read = { ...schema, operationId: 'getAdvisorySync', response: { 200: AdvisorySync } } as const
    scope.get(path, { config, schema: read }, async () => toResource(await findSyncState(services.db)))

    const start = { ...schema, operationId: 'startAdvisorySync', response: { 202: AdvisorySync } } as const
    scope.post(path, { config, schema: start }, async (request, reply) => {
      const answer = await answerChange(services, { request, reply }, async (change) => ({
        status: 202,
        body: toResource(await startSync(toGroupChange(request, change))),
      }))
      jobNotifier.notifyWorkers()
      return answer
    })
  }
}

/** Starts a sync unless one is running. */
async function startSync(change: GroupChange): Promise<SyncState | undefined> {
  const { tx, at, groupId } = change
  const isStarted = await startJob(tx, { kind: SYNC_ADVISORIES, payload: {}, uniqueKey: SYNC_ADVISORIES }, at)
  const before = await findSyncState(tx)
  if (isStarted && before?.state !== 'waiting') {
    await saveSyncState(tx, { state: 'waiting', updatedAt: at })
    await recordAudit(change, { id: groupId, group_id: groupId }, { action: 'advisory_sync.start' })
  }
  return findSyncState(tx)
}

function toResource(sync: SyncState | undefined): Static<typeof AdvisorySync> {
  const { state = 'never', updatedAt, progress, failure = null } = sync ?? {}
  return {
    state,
    updated_at: updatedAt === undefined ? null : toTimestamp(updatedAt),
    phase: progress?.phase ?? null,
    registry: progress?.registry ?? null,
    done: progress?.done ?? null,
    total: progress?.total ?? null,
    failure,
  }
}
