/** A field of the target of an import, for one kind of integration. */
export interface TargetField {
  readonly name: string
  readonly label: string
  readonly description?: string
  readonly placeholder?: string
  readonly isOptional?: boolean
}

export interface KindDescription {
  readonly name: string
  readonly meaning: string
  /** Supported forms of credentials. */
  readonly credentials: readonly ('token' | 'login')[]
  readonly baseUrl: 'none' | 'optional' | 'required'
  readonly baseUrlHint?: string
  readonly target: readonly TargetField[]
}

const branch: TargetField = {
  name: 'branch',
  label: 'Branch',
  description: 'Empty for the default branch',
  isOptional: true,
}
const ownerAndName: readonly TargetField[] = [
  { name: 'owner', label: 'Owner', description: 'User or organization' },
  { name: 'name', label: 'Repository' },
  branch,
]

export const kinds: Readonly<Record<Kind, KindDescription>> = {
  github: {
    name: 'GitHub',
    meaning: 'Repositories on github.com or a compatible server',
    credentials: ['token'],
    baseUrl: 'optional',
    baseUrlHint: 'https://github.com',
    target: ownerAndName,
  },
  'github-enterprise': {
    name: 'GitHub Enterprise',
    meaning: 'Your own server; enter the address of its web pages',
    credentials: ['token'],
    baseUrl: 'required',
    baseUrlHint: 'https://github.corp.example',
    target: ownerAndName,
  },
  gitlab: {
    name: 'GitLab',
    meaning: 'Projects on gitlab.com or your own server',
    credentials: ['token'],
    baseUrl: 'optional',
    baseUrlHint: 'https://gitlab.com',
    target: [
      { name: 'id', label: 'Project number', description: 'Shown on the project’s page', placeholder: '4711' },
      branch,
    ],
  },
  'bitbucket-cloud': {
    name: 'Bitbucket Cloud',
    meaning: 'Repositories on bitbucket.org',
    credentials: ['login', 'token'],
    baseUrl: 'optional',
    baseUrlHint: 'https://bitbucket.org',
    target: [{ name: 'owner', label: 'Workspace' }, { name: 'name', label: 'Repository' }, branch],
  },
  'bitbucket-server': {
    name: 'Bitbucket Server',
    meaning: 'Your own Bitbucket Server or Data Center',
    credentials: ['login', 'token'],
    baseUrl: 'required',
    baseUrlHint: 'https://bitbucket.corp.example',
    target: [
      { name: 'projectKey', label: 'Project key', placeholder: 'TEAM' },
      { name: 'repoSlug', label: 'Repository slug', placeholder: 'shop' },
      branch,
    ],
  },
  'azure-repos': {
    name: 'Azure Repos',
    meaning: 'Repositories of an Azure DevOps organization; the address includes it',
    credentials: ['token'],
    baseUrl: 'required',
    baseUrlHint: 'https://dev.azure.com/organization',
    target: [{ name: 'owner', label: 'Project' }, { name: 'name', label: 'Repository' }, branch],
  },
  git: {
    name: 'Git',
    meaning: 'Any git repository over http or https',
    credentials: ['login', 'token'],
    baseUrl: 'optional',
    baseUrlHint: 'https://git.corp.example/team',
    target: [
      {
        name: 'url',
        label: 'Repository address',
        description: 'The clone URL',
        placeholder: 'https://git.example/team/shop.git',
      },
      branch,
    ],
  },
  local: {
    name: 'Folder on the server',
    meaning: 'Bare repositories and folders below those allowed by the operator',
    credentials: [],
    baseUrl: 'none',
    target: [
      {
        name: 'path',
        label: 'Folder',
        description: 'Relative to the allowed folder, or absolute',
        placeholder: 'shop.git',
      },
      branch,
    ],
  },
  archive: {
    name: 'Archives',
    meaning: 'Uploaded files: tar, tar.gz or zip',
    credentials: [],
    baseUrl: 'none',
    target: [],
  },
}

export function kindName(kind: Kind): string {
  return kinds[kind].name
}

import type { Kind } from '../../../api/resources.ts'
