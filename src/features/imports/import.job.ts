import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import { type ImportServices, runImport } from './run-import.ts'

export const IMPORT_JOB = 'import'

/** Imports decide themselves when they give up; a process that dies leaves them to the next one. */
export function importRepositories(services: ImportServices): JobKind {
  const { importsPerProcess, importsPerOrg } = services.config
  return defineJob<{ importId: string }>({
    name: IMPORT_JOB,
    maxAttempts: Number.MAX_SAFE_INTEGER,
    fair: { perProcess: importsPerProcess, perOrg: importsPerOrg },
    run: ({ importId }, context) => runImport(services, importId, context),
  })
}
