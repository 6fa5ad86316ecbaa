import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import { type ImportServices, runImport } from './run-import.ts'

export const IMPORT_JOB = 'import'

/**
 * Imports decide themselves when to give up, so the job has no limit of attempts. If a process dies, another one
 * resumes its imports.
 */
export function importRepositories(services: ImportServices): JobKind {
  const { importsPerProcess, importsPerOrg } = services.config
  return defineJob<{ importId: string }>({
    name: IMPORT_JOB,
    maxAttempts: Number.MAX_SAFE_INTEGER,
    fair: { perProcess: importsPerProcess, perOrg: importsPerOrg },
    run: ({ importId }, context) => runImport(services, importId, context),
  })
}
