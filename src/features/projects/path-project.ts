import type { FastifyRequest } from 'fastify'
import type { Db } from '#foundation/db/database.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import { getProject, type ProjectRow } from './store.ts'

/** Returns the project id in a path of v1. Throws 404 for text that is not an id. */
export function pathProjectId(request: FastifyRequest): string {
  return (request.params as { projectId: string }).projectId.toLowerCase()
}

export function getPathProject(db: Db, request: FastifyRequest): Promise<ProjectRow> {
  return getProject(db, orgOf(request).id, pathProjectId(request))
}
