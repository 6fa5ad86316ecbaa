export interface OfProject {
  readonly orgId: string
  readonly project: Project
}

import type { Project } from '../../../api/resources.ts'
