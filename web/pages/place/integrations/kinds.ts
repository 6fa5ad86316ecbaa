import type { Kind } from '../../../api/integrations.ts'

/** A field of what is imported through an integration of a kind. */
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
  /** Forms of credentials that it takes. */
  readonly credentials: readonly ('token' | 'login')[]
  readonly baseUrl: 'none' | 'optional' | 'required'
  readonly baseUrlHint?: string
  readonly target: readonly TargetField[]
}

const branch: TargetField = {
  name: 'branch',
  label: 'Branch',
  description: 'Empty for the default one',
  isOptional: true,
}
const ownerAndName: readonly TargetField[] = [
  { name: 'owner', label: 'Owner', description: 'A user or an organisation' },
  { name: 'name', label: 'Repository' },
  branch,
]

/** What people are asked for, by kind. */
export const kinds: Readonly<Record<Kind, KindDescription>> = {
  github: {
    name: 'GitHub',
    meaning: 'Repositories of github.com, or of a mirror that has its interface',
    credentials: ['token'],
    baseUrl: 'optional',
    baseUrlHint: 'https://github.com',
    target: ownerAndName,
  },
  'github-enterprise': {
    name: 'GitHub Enterprise',
    meaning: 'A server of your own; the address is that of its pages',
    credentials: ['token'],
    baseUrl: 'required',
    baseUrlHint: 'https://github.corp.example',
    target: ownerAndName,
  },
  gitlab: {
    name: 'GitLab',
    meaning: 'Projects of gitlab.com, or of a server of your own',
    credentials: ['token'],
    baseUrl: 'optional',
    baseUrlHint: 'https://gitlab.com',
    target: [
      { name: 'id', label: 'Number of the project', description: 'Shown on the project’s page', placeholder: '4711' },
      branch,
    ],
  },
  'bitbucket-cloud': {
    name: 'Bitbucket Cloud',
    meaning: 'Repositories of bitbucket.org',
    credentials: ['login', 'token'],
    baseUrl: 'optional',
    baseUrlHint: 'https://bitbucket.org',
    target: [{ name: 'owner', label: 'Workspace' }, { name: 'name', label: 'Repository' }, branch],
  },
  'bitbucket-server': {
    name: 'Bitbucket Server',
    meaning: 'A Bitbucket Server or Data Center of your own',
    credentials: ['login', 'token'],
    baseUrl: 'required',
    baseUrlHint: 'https://bitbucket.corp.example',
    target: [
      { name: 'projectKey', label: 'Key of the project', placeholder: 'TEAM' },
      { name: 'repoSlug', label: 'Slug of the repository', placeholder: 'shop' },
      branch,
    ],
  },
  'azure-repos': {
    name: 'Azure Repos',
    meaning: 'Repositories of an Azure DevOps organisation, which is part of the address',
    credentials: ['token'],
    baseUrl: 'required',
    baseUrlHint: 'https://dev.azure.com/organisation',
    target: [{ name: 'owner', label: 'Project' }, { name: 'name', label: 'Repository' }, branch],
  },
  git: {
    name: 'Git',
    meaning: 'Any repository that git reads over http or https',
    credentials: ['login', 'token'],
    baseUrl: 'optional',
    baseUrlHint: 'https://git.corp.example/team',
    target: [
      {
        name: 'url',
        label: 'Address of the repository',
        description: 'What git would clone from',
        placeholder: 'https://git.example/team/shop.git',
      },
      branch,
    ],
  },
  local: {
    name: 'A folder of the server',
    meaning: 'Bare repositories and folders, below those that the operator named',
    credentials: [],
    baseUrl: 'none',
    target: [
      {
        name: 'path',
        label: 'Folder',
        description: 'From the folder that the operator named, or from the root',
        placeholder: 'shop.git',
      },
      branch,
    ],
  },
  archive: {
    name: 'Archives',
    meaning: 'Files that you send: tar, tar.gz or zip',
    credentials: [],
    baseUrl: 'none',
    target: [],
  },
}

export function kindName(kind: Kind): string {
  return kinds[kind].name
}
