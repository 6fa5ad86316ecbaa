import type { TestApp } from './app.ts'

/** What was written down of what happened to something, oldest first. */
export function auditEventsOf(app: TestApp, targetId: string) {
  const { db } = app.parts.services
  return db.selectFrom('audit_events').selectAll().where('target_id', '=', targetId).orderBy('id').execute()
}
