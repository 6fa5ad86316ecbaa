import type { Actor } from '#foundation/access/caller.ts'
import { endOf } from '#foundation/access/is-usable.ts'
import type { Change } from '#foundation/audit/record.ts'
import { addEvent } from '#foundation/events/add-event.ts'
import type { Located } from './locate-exposed.ts'
import type { Program } from './program.ts'
import type { CredentialRow } from './store.ts'

type AnnouncementContext = Pick<Change, 'tx' | 'at'>

export async function announceCreated(
  { tx, at }: AnnouncementContext,
  program: Program,
  row: CredentialRow,
): Promise<void> {
  if (program.orgId === null) return
  const data = { owner: toOwner(program), credential: toEventCredential(row) }
  await addEvent(tx, { orgId: program.orgId, type: 'credential.created', data, at })
}

/** `replaced` contains the old credentials with their new expiry. */
export async function announceRotated(
  { tx, at }: AnnouncementContext,
  program: Program,
  { row, replaced }: { row: CredentialRow; replaced: readonly CredentialRow[] },
): Promise<void> {
  if (program.orgId === null) return
  const data = {
    owner: toOwner(program),
    credential: toEventCredential(row),
    replaced: replaced.map(toEventCredential),
  }
  await addEvent(tx, { orgId: program.orgId, type: 'credential.rotated', data, at })
}

export async function announceDeleted(
  { tx, at }: AnnouncementContext,
  program: Program,
  rows: readonly CredentialRow[],
): Promise<void> {
  if (program.orgId === null || rows.length === 0) return
  const data = { owner: toOwner(program), credentials: rows.map(toEventCredential) }
  await addEvent(tx, { orgId: program.orgId, type: 'credential.deleted', data, at })
}

export async function announceEnd(
  { tx, at }: AnnouncementContext,
  { orgId, ...program }: Program & { readonly orgId: string },
  { row, type }: { row: CredentialRow; type: 'credential.expiring' | 'credential.expired' },
): Promise<void> {
  await addEvent(tx, { orgId, type, data: { owner: toOwner(program), credential: toEventCredential(row) }, at })
}

export async function announceExposed(
  { tx, at }: AnnouncementContext,
  program: Program,
  { located, report }: { located: Located; report: Pick<ExposureReport, 'id' | 'reporter' | 'location'> },
): Promise<void> {
  if (program.orgId === null) return
  const { kind, row } = located
  const data = {
    owner: toOwner(program),
    credential: { id: row.table === 'credentials' ? row.id : null, kind },
    report_id: report.id,
    reporter: report.reporter ?? null,
    found_at: report.location ?? null,
  }
  await addEvent(tx, { orgId: program.orgId, type: 'credential.exposed', data, at })
}

function toOwner({ kind, id, name }: Omit<Program, 'orgId'>) {
  return { kind, id, name }
}

function toEventCredential(row: CredentialRow) {
  const end = endOf(row)
  return {
    id: row.id,
    kind: row.kind as 'api_key' | 'client_secret',
    ends_at: end === Infinity ? null : new Date(end).toISOString(),
  }
}

/** Leaked values and the reporter's remarks. */
export interface ExposureReport {
  readonly id: string
  readonly values: readonly string[]
  readonly reporter?: string | undefined
  readonly location?: string | undefined
  readonly actor: Actor
}
