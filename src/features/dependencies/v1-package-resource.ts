import { type Static, Type } from 'typebox'
import { Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'

const ProjectReference = Type.Object({ id: Uuid, name: Type.String() })

const texts = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 1000, description }))

const common = {
  languages: texts('Only packages of these languages'),
  projects: texts('Only packages of these projects'),
  dependencies: texts('Only these packages, as name@version, or as a name for all versions'),
  licenses: texts('Only packages under these licenses'),
  severity: Type.Optional(
    Type.Array(Type.Enum(['critical', 'high', 'medium', 'low', 'none']), { description: 'Only these' }),
  ),
}

/** Unknown members are ignored, since existing clients send some. */
export const DependencyQuestion = Type.Object({
  filters: Type.Optional(
    Type.Object({
      ...common,
      depStatus: Type.Optional(Type.String({ description: 'Only any: deprecated packages are unknown' })),
    }),
  ),
})
export type DependencyQuestion = Static<typeof DependencyQuestion>

export const Dependencies = Type.Object({
  results: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      version: Type.String(),
      type: Type.String({ description: 'The package manager' }),
      packageManager: Type.String({ description: 'The same value, for older clients' }),
      issuesCritical: Type.Integer(),
      issuesHigh: Type.Integer(),
      issuesMedium: Type.Integer(),
      issuesLow: Type.Integer(),
      licenses: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), license: Type.String() })),
      projects: Type.Array(ProjectReference, { description: 'The first projects' }),
      projectsTotal: Type.Integer({ description: 'An extension: number of projects that contain it' }),
    }),
  ),
  total: Type.Integer(),
})
export type Dependencies = Static<typeof Dependencies>

export const LicenseQuestion = Type.Object({ filters: Type.Optional(Type.Object(common)) })
export type LicenseQuestion = Static<typeof LicenseQuestion>

export const Licenses = Type.Object({
  results: Type.Array(
    Type.Object({
      id: Type.String({ description: 'An SPDX expression, or Unknown' }),
      severity: Type.Enum(['critical', 'high', 'medium', 'low', 'none']),
      instructions: Type.String(),
      dependencies: Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          version: Type.String(),
          packageManager: Type.String(),
        }),
        { description: 'The first dependencies' },
      ),
      dependenciesTotal: Type.Integer({ description: 'An extension: number of dependencies under this license' }),
      projects: Type.Array(ProjectReference, { description: 'The first projects' }),
      projectsTotal: Type.Integer({
        description: 'An extension: number of projects with a dependency under this license',
      }),
    }),
  ),
  total: Type.Integer(),
})
export type Licenses = Static<typeof Licenses>

nameSchemas({
  ProjectReference,
  DependencySearch: DependencyQuestion,
  V1Dependencies: Dependencies,
  LicenseSearch: LicenseQuestion,
  V1Licenses: Licenses,
})

export const listSorting = (keys: readonly string[]) => ({
  sortBy: Type.Optional(Type.Enum([...keys], { default: keys[0], description: 'Sort key' })),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'asc', description: 'Sort direction' })),
})
