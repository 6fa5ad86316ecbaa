import type { Selectable } from 'kysely'
import { countRows } from '#foundation/db/count-rows.ts'
import { type Db, isReferenceViolation, isUniqueViolation } from '#foundation/db/database.ts'
import { type Keyset, type Page, preparedPage, type Window } from '#foundation/db/keyset.ts'
import { lockOrg } from '#foundation/db/lock-org.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import type { MaybePromise } from '#foundation/maybe-promise.ts'
import { notFound, Problem } from '#foundation/problem.ts'

type IntegrationRow = Selectable<Tables['integrations']>

export interface StoredIntegration {
  readonly id: string
  readonly orgId: string
  readonly kind: string
  readonly name: string
  /** Without a trailing slash; null for the kind's default. */
  readonly baseUrl: string | null
  readonly settings: Readonly<Record<string, unknown>>
  /** Encrypted by `credentials.ts`. */
  readonly sealedCredentials: Uint8Array | null
  readonly createdAt: number
  readonly updatedAt: number
}

export const integrationsByAge: Keyset<StoredIntegration> = {
  columns: ['created_at', 'id'],
  position: ({ createdAt, id }) => [createdAt, id],
}

const pageOfOrg = preparedPage(
  (db: Db, { orgId }: { orgId: string }) => db.selectFrom('integrations').selectAll().where('org_id', '=', orgId),
  { columns: integrationsByAge.columns, position: ({ created_at, id }: IntegrationRow) => [created_at, id] },
)

export async function listIntegrations(db: Db, orgId: string, window: Window): Promise<Page<StoredIntegration>> {
  const page: Page<IntegrationRow> = await (pageOfOrg(db, { orgId }, window) as MaybePromise<Page<IntegrationRow>>)
  return { ...page, rows: page.rows.map(toIntegration) }
}

/** Returns the integration of each kind that v1 operations use: the oldest one. */
export async function listFirstOfEachKind(db: Db, orgId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('integrations')
    .select(['kind', 'id'])
    .where('org_id', '=', orgId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return new Map(rows.map(({ kind, id }) => [kind, id]))
}

export async function findIntegration(db: Db, orgId: string, id: string): Promise<StoredIntegration | undefined> {
  const row = await db
    .selectFrom('integrations')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toIntegration(row)
}

export async function getIntegration(db: Db, orgId: string, id: string): Promise<StoredIntegration> {
  const integration = await findIntegration(db, orgId, id)
  if (integration === undefined) throw notFound('Integration')
  return integration
}

export async function lockIntegration(tx: Db, orgId: string, id: string, at: number): Promise<StoredIntegration> {
  const row = await tx
    .updateTable('integrations')
    .set({ updated_at: at })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) throw notFound('Integration')
  return toIntegration(row)
}

/** Counts integrations and locks the organization, so that concurrent creations count each other. */
export async function countIntegrations(tx: Db, orgId: string): Promise<number> {
  await requireOrg(tx, orgId)
  return countRows(tx.selectFrom('integrations').where('org_id', '=', orgId))
}

/** Locks an organization before a limited number of its resources is counted. */
export async function requireOrg(tx: Db, id: string): Promise<void> {
  if (!(await lockOrg(tx, id))) throw notFound('Organization')
}

/** `pointer` is the location of the name in the request. */
export async function insertIntegration(tx: Db, integration: StoredIntegration, pointer: string): Promise<void> {
  try {
    await tx.insertInto('integrations').values(toRow(integration)).execute()
  } catch (error) {
    if (isReferenceViolation(error)) throw notFound('Organization')
    throw isUniqueViolation(error) ? nameTaken(pointer) : error
  }
}

export async function saveIntegration(tx: Db, integration: StoredIntegration, pointer: string): Promise<void> {
  const { id, ...columns } = toRow(integration)
  try {
    await tx.updateTable('integrations').set(columns).where('id', '=', id).execute()
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken(pointer) : error
  }
}

export async function deleteIntegration(tx: Db, orgId: string, id: string): Promise<StoredIntegration> {
  const row = await tx
    .deleteFrom('integrations')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) throw notFound('Integration')
  return toIntegration(row)
}

function nameTaken(pointer: string): Problem {
  return new Problem('name-taken', 'An integration of this name already exists in the organization', {
    source: { pointer },
  })
}

function toRow(integration: StoredIntegration): IntegrationRow {
  return {
    id: integration.id,
    org_id: integration.orgId,
    kind: integration.kind,
    name: integration.name,
    base_url: integration.baseUrl,
    settings: JSON.stringify(integration.settings),
    credentials: integration.sealedCredentials,
    created_at: integration.createdAt,
    updated_at: integration.updatedAt,
  }
}

function toIntegration(row: IntegrationRow): StoredIntegration {
  return {
    id: row.id,
    orgId: row.org_id,
    kind: row.kind,
    name: row.name,
    baseUrl: row.base_url,
    settings: JSON.parse(row.settings) as Record<string, unknown>,
    sealedCredentials: row.credentials,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
