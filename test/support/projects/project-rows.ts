import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { placeKeyOf } from '#features/issue-index/recording/place-key.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import type { Services } from '#foundation/services.ts'

/** A server, or a bare database. */
interface Tenant {
  readonly parts: { readonly services: Pick<Services, 'db' | 'now'> }
  readonly orgId: string
}

type Target = Insertable<Tables['targets']>
type Project = Insertable<Tables['projects']>

/** A target without projects, as an import would leave it. */
export async function addTargetRow(app: Tenant, fields: Partial<Target> = {}): Promise<Target> {
  const id = randomUUID()
  const row: Target = {
    id,
    org_id: app.orgId,
    integration_id: null,
    origin: 'cli',
    source_key: id,
    display_name: `owner/${id.slice(0, 8)}`,
    url: null,
    is_private: 1,
    created_at: app.parts.services.now(),
    ...fields,
  }
  await app.parts.services.db.insertInto('targets').values(row).execute()
  return row
}

/** A project that was never tested, for what asks about projects as such; see projects.ts for real ones. */
export async function addProjectRow(app: Tenant, fields: Partial<Project> = {}): Promise<Project> {
  const id = randomUUID()
  const at = app.parts.services.now()
  const targetId = fields.target_id ?? (await addTargetRow(app, { org_id: fields.org_id ?? app.orgId })).id
  const row: Project = {
    id,
    org_id: app.orgId,
    target_id: targetId,
    place_key: '',
    name: `project ${id.slice(0, 8)}`,
    origin: 'cli',
    type: 'npm',
    target_file: 'package-lock.json',
    target_reference: null,
    status: 'active',
    test_frequency: 'daily',
    owner_id: null,
    importer_id: null,
    importer_name: 'somebody',
    business_criticality: '[]',
    environment: '[]',
    lifecycle: '[]',
    tags: '[]',
    total_dependencies: 0,
    licenses: '{}',
    content_digest: null,
    failure: null,
    created_at: at,
    updated_at: at,
    tested_at: null,
    next_test_at: null,
    monitored_at: null,
    ...fields,
  }
  const { type, target_file, target_reference } = row
  const place = { type, targetFile: target_file ?? null, targetReference: target_reference ?? null }
  const complete = { ...row, place_key: row.place_key === '' ? placeKeyOf(place) : row.place_key }
  await app.parts.services.db.insertInto('projects').values(complete).execute()
  return complete
}
