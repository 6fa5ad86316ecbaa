/** Project origins by their names in the interface. */
export const sources = {
  git: 'Git',
  local: 'Folder on the server',
  archive: 'An archive',
  github: 'GitHub',
  'github-enterprise': 'GitHub Enterprise',
  gitlab: 'GitLab',
  'bitbucket-cloud': 'Bitbucket Cloud',
  'bitbucket-server': 'Bitbucket Server',
  'azure-repos': 'Azure Repos',
  cli: 'A command line',
  api: 'The interface',
} as const

export const sorts: Readonly<Record<ProjectSort, string>> = {
  name: 'Name, A to Z',
  '-name': 'Name, Z to A',
  '-created': 'Newest first',
  created: 'Oldest first',
}

export const firstSort: ProjectSort = 'name'

export const frequencies = { daily: 'Every day', weekly: 'Every week', never: 'Never' } as const

export function sourceName(origin: string): string {
  return sources[origin as keyof typeof sources] ?? origin
}

export const criticalities = { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low' } as const

export const environments = {
  frontend: 'Front end',
  backend: 'Back end',
  internal: 'Internal',
  external: 'External',
  mobile: 'Mobile',
  saas: 'Software as a service',
  onprem: 'On premises',
  hosted: 'Hosted',
  distributed: 'Distributed',
} as const

export const lifecycles = { production: 'Production', development: 'Development', sandbox: 'Sandbox' } as const

/** Labels in the words of the console; undefined for none. */
export function labelNames<Label extends string>(
  labels: readonly Label[],
  words: Readonly<Record<Label, string>>,
): string | undefined {
  return labels.length === 0 ? undefined : labels.map((label) => words[label]).join(', ')
}

import type { ProjectSort } from '../../../api/resources.ts'
