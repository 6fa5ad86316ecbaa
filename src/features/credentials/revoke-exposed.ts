import { recordAudit } from '#foundation/audit/record.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import type { Services } from '#foundation/services.ts'
import { announceExposed, type ExposureReport } from './announce.ts'
import { deleteExposed } from './exposed-store.ts'
import { type Located, locateExposed } from './locate-exposed.ts'

type Deps = Pick<Services, 'db' | 'keyring' | 'now'>

/**
 * Revokes all credentials of this server among the values at once, even an owner's last one: a finder could use it
 * until the owner reacts.
 */
export async function revokeExposed(deps: Deps, report: ExposureReport): Promise<void> {
  const said = withoutValues(report)
  for (const value of new Set(report.values)) {
    const located = await locateExposed(deps, value)
    if (located) await end(deps, located, { ...report, ...said })
  }
}

async function end({ db, now }: Deps, located: Located, report: ExposureReport): Promise<void> {
  const { id, reporter, location, actor } = report
  await inTransaction(db, async (tx) => {
    if (!(await deleteExposed(tx, located.row))) return
    for (const { place, target, program } of located.concerns) {
      await recordAudit(
        { tx, actor, at: now() },
        { id: target.id, group_id: place.groupId, org_id: place.orgId },
        {
          action: 'exposed_credential.revoke',
          kind: target.kind,
          before: { kind: located.kind, ...located.facts },
          after: {
            report_id: id,
            ...(reporter !== undefined && { reporter }),
            ...(location !== undefined && { found_at: location }),
          },
        },
      )
      if (program) await announceExposed({ tx, at: now() }, program, { located, report })
    }
  })
}

/**
 * Removes reported values from the remarks: reporters paste them into any field, and the audit log must not store them.
 */
function withoutValues({ values, reporter, location }: ExposureReport): Pick<ExposureReport, 'reporter' | 'location'> {
  const telling = values.filter(({ length }) => length >= 16)
  const clean = (text: string | undefined) => telling.reduce((left, value) => left?.replaceAll(value, '…'), text)
  return { reporter: clean(reporter), location: clean(location) }
}
