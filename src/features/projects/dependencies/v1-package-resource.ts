import { type Static, Type } from 'typebox'
import { Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'

const ProjectReference = Type.Object({ id: Uuid, name: Type.String() })

const texts = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 1000, description }))

const common = {
  languages: texts('Only packages of these languages'),
  projects: texts('Only what these projects contain'),
  dependencies: texts('Only these packages, as name@version, or as a name for all versions'),
  licenses: texts('Only what is under these licenses'),
  severity: Type.Optional(
    Type.Array(Type.Enum(['critical', 'high', 'medium', 'low', 'none']), { description: 'Only these' }),
  ),
}

/** Members that are not described are ignored, as existing clients send some. */
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
      packageManager: Type.String({ description: 'The same, for older clients' }),
      issuesCritical: Type.Integer(),
      issuesHigh: Type.Integer(),
      issuesMedium: Type.Integer(),
      issuesLow: Type.Integer(),
      licenses: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), license: Type.String() })),
      projects: Type.Array(ProjectReference, { description: 'The first of them' }),
      projectsTotal: Type.Integer({ description: 'An extension: how many contain it' }),
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
        { description: 'The first of them' },
      ),
      dependenciesTotal: Type.Integer({ description: 'An extension: how many are under it' }),
      projects: Type.Array(ProjectReference, { description: 'The first of them' }),
      projectsTotal: Type.Integer({ description: 'An extension: how many contain some of them' }),
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
  sortBy: Type.Optional(Type.Enum([...keys], { default: keys[0], description: 'What to sort by' })),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'asc', description: 'Which way round' })),
})
