import { type Static, Type } from 'typebox'
import { Uuid } from '#foundation/http/documents.ts'

const ProjectReference = Type.Object({ id: Uuid, name: Type.String() })

const texts = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 1000, description }))

const common = {
  languages: texts('Only packages of these languages'),
  projects: texts('Only what these projects contain'),
  dependencies: texts('Only these packages, as name@version'),
  licenses: texts('Only what is under these licences'),
  severity: Type.Optional(
    Type.Array(Type.Enum(['critical', 'high', 'medium', 'low', 'none']), { description: 'Only these' }),
  ),
}

/** Members that are not described are ignored, as existing clients send some. */
export const DependencyQuestion = Type.Object({
  filters: Type.Optional(
    Type.Object({
      ...common,
      depStatus: Type.Optional(Type.String({ description: 'Only any: it is not known here what is deprecated' })),
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

export const LicenceQuestion = Type.Object({ filters: Type.Optional(Type.Object(common)) })
export type LicenceQuestion = Static<typeof LicenceQuestion>

export const Licences = Type.Object({
  results: Type.Array(
    Type.Object({
      id: Type.String({ description: 'An SPDX expression; Unknown when nobody told' }),
      severity: Type.Enum(['critical', 'high', 'medium', 'low', 'none']),
      instructions: Type.String(),
      dependencies: Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          version: Type.String(),
          packageManager: Type.String(),
        }),
      ),
      projects: Type.Array(ProjectReference),
    }),
  ),
  total: Type.Integer(),
})
export type Licences = Static<typeof Licences>

export const listSorting = (keys: readonly string[]) => ({
  sortBy: Type.Optional(Type.Enum([...keys], { default: keys[0], description: 'What to sort by' })),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'asc', description: 'Which way round' })),
})
