import type { Project } from '../../../api/projects.ts'

export interface OfProject {
  readonly orgId: string
  readonly project: Project
}
