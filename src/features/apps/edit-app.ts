import type { AttributesAt } from '#features/credentials/limits.ts'
import { Problem } from '#foundation/problem.ts'
import { auditApp, type Change, toAudited } from './change.ts'
import { faultsOfRedirectUris } from './parse-attributes.ts'
import type { ChangedAttributes } from './resource.ts'
import { type AppRow, redirectUrisOf, updateApp } from './store.ts'

/** Changes what is named; the rest stays. Tokens that were issued keep their end. The app must be held. */
export async function editApp(
  change: Change,
  app: AppRow,
  { attributes, at }: { attributes: ChangedAttributes; at: AttributesAt },
): Promise<AppRow> {
  const { name = app.name, redirect_uris, access_token_ttl_seconds = app.access_token_ttl_seconds } = attributes
  if (redirect_uris !== undefined) requireRedirectUris(app, redirect_uris, at)
  const wanted = {
    name: name.trim(),
    redirect_uris: JSON.stringify(redirect_uris ?? redirectUrisOf(app)),
    access_token_ttl_seconds,
  }
  const isSame = Object.entries(wanted).every(([column, value]) => app[column as keyof typeof wanted] === value)
  if (isSame) return app
  const edited = await updateApp(change.tx, app.id, { ...wanted, updated_at: change.at })
  await auditApp(change, app, { action: 'update', before: toAudited(app), after: toAudited(edited) })
  return edited
}

function requireRedirectUris(app: AppRow, uris: readonly string[], at: AttributesAt): void {
  const pointer = `${at}/redirect_uris`
  if (app.grant_type === 'client_credentials') {
    const detail = `${pointer} has no effect on an app that acts unattended; leave it out`
    throw new Problem('invalid-request', detail, { source: { pointer } })
  }
  const faults = faultsOfRedirectUris(uris, { isConfidential: app.is_confidential === 1, at })
  if (faults.length > 0) throw new Problem('invalid-request', faults)
}
