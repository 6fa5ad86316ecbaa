import type { TestApp } from '../servers/app.ts'

/** Returns the audit events of a target, oldest first. */
export function auditEventsOf(app: TestApp, targetId: string) {
  const { db } = app.parts.services
  return db.selectFrom('audit_events').selectAll().where('target_id', '=', targetId).orderBy('id').execute()
}
