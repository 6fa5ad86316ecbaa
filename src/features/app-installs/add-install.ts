import { randomUUID } from 'node:crypto'
import { programOfInstall } from '#features/apps/change.ts'
import { type AppRow, findApp, lockApp, scopesOf } from '#features/apps/store.ts'
import { announceCreated } from '#features/credentials/announce.ts'
import { issueCredential } from '#features/credentials/issue-credential.ts'
import type { CredentialLimits } from '#features/credentials/store.ts'
import { requireHeld } from '#features/roles/assignable-role.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import { permissionsOfScopes } from '#foundation/access/scopes.ts'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import type { OrgOrGroup } from '#foundation/http/org-or-group.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { toAudited } from './change.ts'
import { getInstall, type InstallRow, insertInstall, requireOrg } from './store.ts'

interface InstallInput {
  readonly place: OrgOrGroup
  readonly app: { readonly id: string; readonly pointer: string }
  readonly permissions: ReadonlySet<Permission>
  /** Limits of the first secret. */
  readonly limits: CredentialLimits
}

/** Installs an unattended app in a place and creates the install's client and first secret. */
export async function addInstall(
  services: Pick<Services, 'keyring' | 'now'>,
  change: Change,
  { place, app: { id, pointer }, permissions, limits }: InstallInput,
): Promise<{ install: InstallRow; secret: string }> {
  const { tx, at } = change
  requireInstallable(await findApp(tx, id), place, pointer)
  if (place.orgId !== null) await requireOrg(tx, place.orgId)
  const app = requireInstallable(await lockApp(tx, id), place, pointer)
  requireHeld(permissions, permissionsOfScopes(scopesOf(app)))
  const installId = randomUUID()
  await insertInstall(tx, {
    id: installId,
    bot_id: installId,
    app_id: app.id,
    group_id: place.groupId,
    org_id: place.orgId,
    user_id: null,
    client_id: randomUUID(),
    created_at: at,
    updated_at: at,
  })
  const issued = await issueCredential(services, tx, {
    kind: 'client_secret',
    owner: { kind: 'app_install', id: installId },
    name: 'First',
    limits,
  })
  const install = await getInstall(tx, place, installId)
  await recordAudit(change, install, {
    action: 'app_install.create',
    after: { ...toAudited(install), scopes: scopesOf(app), credential_id: issued.row.id },
  })
  await announceCreated(change, programOfInstall(install, app.name), issued.row)
  return { install, secret: issued.secret }
}

/** Requires an app of the same group, or a public one. Existing clients search for the words "app not found". */
function requireInstallable(app: AppRow | undefined, place: OrgOrGroup, pointer: string): AppRow {
  const source = { pointer }
  if (!app || (app.group_id !== place.groupId && app.is_public === 0)) {
    throw new Problem('not-found', 'app not found', { source })
  }
  if (app.grant_type === 'client_credentials') return app
  throw new Problem(
    'invalid-request',
    'Only unattended apps (grant_type client_credentials) can be installed; users authorize this app on its authorization page',
    { source },
  )
}
