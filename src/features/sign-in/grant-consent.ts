import { randomUUID } from 'node:crypto'
import { endWiderSessions } from '#features/app-installs/remove-install.ts'
import { insertSession } from '#features/app-installs/sessions-store.ts'
import { deleteInstall, insertInstall, listInstallsOfAppAndUser, requireOrg } from '#features/app-installs/store.ts'
import { toAuditedInstall } from '#features/apps/change.ts'
import { type AppRow, lockApp } from '#features/apps/store.ts'
import { lockUser, type UserRow } from '#features/user-sessions/users-store.ts'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { Problem } from '#foundation/problem.ts'
import { type ConsentTarget, listPlaces, possiblePlaces } from './places.ts'

export interface Consent {
  /** Id of the new session. A repeated consent with the same id, as after a second click, changes only the places. */
  readonly sessionId: string
  readonly appId: string
  readonly userId: string
  /** A subset of the app's scopes. */
  readonly scopes: readonly string[]
  /** `org:ID` and `group:ID`. */
  readonly places: readonly string[]
}

/** Thrown if the chosen places cannot be granted, or no longer. */
export class PlacesRefused extends Error {}

/**
 * Stores a consent: the user's installs of the app become the chosen places, and a session is created. Users cannot
 * grant permissions in a place where they lack them. If a place is added, sessions with more scopes than now requested
 * are revoked. Locks organizations, then the account, then the app, in the order of deletions.
 */
export async function grantConsent(change: Change, consent: Consent): Promise<{ botId: string }> {
  const { tx } = change
  const orgIds = consent.places.flatMap((key) => (key.startsWith('org:') ? [key.slice('org:'.length)] : []))
  for (const orgId of [...new Set(orgIds)].sort()) await requireOrg(tx, orgId)
  const account = await lockUser(tx, consent.userId)
  if (!account) throw new Problem('conflict', 'The account has just been deleted')
  const app = await lockApp(tx, consent.appId)
  if (!app) throw new Problem('conflict', 'The app has just been deleted')
  const chosen = await choosePlaces(tx, { app, consent })
  const { botId, isWider } = await changeInstalls(change, { app, account, chosen })
  if (isWider) await endWiderSessions(change, app, { userId: account.id, scopes: consent.scopes })
  await beginSession(change, { app, account, botId, consent })
  return { botId }
}

async function choosePlaces(tx: Db, { app, consent }: { app: AppRow; consent: Consent }): Promise<ConsentTarget[]> {
  const groups = await listPlaces(tx, {
    userId: consent.userId,
    scopes: consent.scopes,
    onlyGroupId: onlyGroupOf(app),
  })
  const possible = new Map(possiblePlaces(groups).map((place) => [place.key, place]))
  const chosen = [...new Set(consent.places)].map((key) => possible.get(key))
  if (chosen.some((place) => place === undefined)) {
    throw new PlacesRefused('You can no longer authorize the app in one of these places. Choose again.')
  }
  if (chosen.length === 0) throw new PlacesRefused('Choose at least one place.')
  return withoutCovered(chosen as ConsentTarget[])
}

/** Returns the only group in which an app may be used; undefined for a public app. */
export function onlyGroupOf(app: Pick<AppRow, 'is_public' | 'group_id'>): string | undefined {
  return app.is_public === 1 ? undefined : app.group_id
}

/** Drops organizations that are covered by their whole group. */
function withoutCovered(places: readonly ConsentTarget[]): ConsentTarget[] {
  const whole = new Set(places.filter(({ orgId }) => orgId === null).map(({ groupId }) => groupId))
  return places.filter(({ orgId, groupId }) => orgId === null || !whole.has(groupId))
}

async function changeInstalls(
  change: Change,
  { app, account, chosen }: { app: AppRow; account: UserRow; chosen: readonly ConsentTarget[] },
): Promise<{ botId: string; isWider: boolean }> {
  const { tx, at } = change
  const present = await listInstallsOfAppAndUser(tx, app.id, account.id)
  const botId = present[0]?.bot_id ?? randomUUID()
  const remaining = new Map(chosen.map(({ groupId, orgId }) => [orgId ?? groupId, { groupId, orgId }]))
  for (const install of present) {
    if (remaining.delete(install.org_id ?? install.group_id)) continue
    await deleteInstall(tx, install.id)
    await recordAudit(change, install, { action: 'app_install.delete', before: toAuditedInstall(install, app.name) })
  }
  for (const place of remaining.values()) {
    const install = {
      id: randomUUID(),
      app_id: app.id,
      group_id: place.groupId,
      org_id: place.orgId,
      user_id: account.id,
      client_id: null,
    }
    await insertInstall(tx, { ...install, bot_id: botId, created_at: at, updated_at: at })
    await recordAudit(change, install, { action: 'app_install.create', after: toAuditedInstall(install, app.name) })
  }
  return { botId, isWider: remaining.size > 0 }
}

async function beginSession(
  { tx, actor, at }: Change,
  { app, account, botId, consent }: { app: AppRow; account: UserRow; botId: string; consent: Consent },
): Promise<void> {
  const { sessionId, scopes } = consent
  const isNew = await insertSession(tx, {
    id: sessionId,
    app_id: app.id,
    user_id: account.id,
    bot_id: botId,
    scopes: JSON.stringify(scopes),
    created_at: at,
  })
  if (!isNew) return
  await recordAudit(
    { tx, actor, at },
    { id: sessionId, group_id: account.group_id },
    { action: 'app_session.create', after: { app_id: app.id, app_name: app.name, user_id: account.id, scopes } },
  )
}
