import { type Static, Type } from 'typebox'
import { namesRead } from '#analysis/discovery/file-kinds/names-read.ts'
import { ecosystems } from '#analysis/ecosystems/index.ts'
import { pythonPlatforms } from '#analysis/ecosystems/python-target.ts'
import { factsOf, registryFacts } from '#analysis/registry-facts.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { TestFiles } from '#scanning/reading/test-files.ts'

/** Body of the POST tests. Unknown members are ignored, since existing clients send some. */
export const TestRequest = Type.Object({
  encoding: Type.Optional(
    Type.Union([Type.Literal('plain'), Type.Literal('base64')], {
      default: 'plain',
      description: 'Encoding of the contents',
    }),
  ),
  files: TestFiles,
})
export type TestRequest = Static<typeof TestRequest>

export const TestQuery = Type.Object(
  {
    org: Type.Optional(
      Type.String({ description: 'Organization to test with: id or slug; default: the caller’s own' }),
    ),
    acceptPartial: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Extension: return the resolved part of the dependencies; `ok` refers only to that part',
      }),
    ),
    includeDev: Type.Optional(
      Type.Boolean({ default: false, description: 'Extension: also test development dependencies' }),
    ),
    severityThreshold: Type.Optional(
      Type.Union([Type.Literal('low'), Type.Literal('medium'), Type.Literal('high'), Type.Literal('critical')], {
        description: 'Extension: omit issues below this severity, which also do not affect `ok`',
      }),
    ),
  },
  { additionalProperties: false },
)
export type TestQuery = Static<typeof TestQuery>

export const RepositoriesQuery = Type.Object(
  {
    ...TestQuery.properties,
    repository: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), {
        maxItems: 20,
        description: 'Base URL of a package repository; may be repeated, in the order of use',
      }),
    ),
  },
  { additionalProperties: false },
)
export type RepositoriesQuery = Static<typeof RepositoriesQuery>

export const PythonQuery = Type.Object(
  {
    ...TestQuery.properties,
    pythonVersion: Type.Optional(
      Type.String({
        pattern: '^[23]\\.\\d{1,2}(\\.\\d{1,3})?$',
        description:
          'Extension: the Python version for which packages are chosen, for example 3.13; default: the server’s',
      }),
    ),
    pythonPlatform: Type.Optional(
      Type.Union(
        pythonPlatforms.map((platform) => Type.Literal(platform)),
        { description: 'Extension: the operating system for which packages are chosen; default: the server’s' },
      ),
    ),
  },
  { additionalProperties: false },
)
export type PythonQuery = Static<typeof PythonQuery>

export const StandardLibraryQuery = Type.Object(
  {
    ...TestQuery.properties,
    standardLibrary: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Extension: test the standard library of Go; false leaves its vulnerabilities out',
      }),
    ),
  },
  { additionalProperties: false },
)
export type StandardLibraryQuery = Static<typeof StandardLibraryQuery>

export const TreeQuery = Type.Object(
  {
    ...RepositoriesQuery.properties,
    ...PythonQuery.properties,
    ...StandardLibraryQuery.properties,
    exclude: Type.Optional(
      Type.String({
        maxLength: 1100,
        description:
          'Names of folders whose projects are not tested, separated by commas; default: fixtures,tests,__tests__,node_modules; empty for none',
      }),
    ),
    file: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), {
        maxItems: 200,
        description: 'Path of a manifest to test; may be repeated. Without it, every project is tested',
      }),
    ),
    folder: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description:
          'Path of the folder whose projects are tested; a workspace member in it is tested alone. Files around it are read where these projects use them: lockfiles, settings and parents',
      }),
    ),
    after: Type.Optional(
      Type.String({
        maxLength: 1024,
        description: 'Test only projects whose paths come after this one, to continue after a full answer (`next`)',
      }),
    ),
    bill: Type.Optional(Type.Boolean({ description: 'Add a bill of materials to each result' })),
    relock: Type.Optional(
      Type.Boolean({
        description:
          'Test the versions that the next lockfile would hold: locked versions stay where the manifests allow them, others are resolved. Upgrades are not looked for',
      }),
    ),
    renew: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
        maxItems: 500,
        description: 'With `relock`: a package whose locked versions are not kept; may be repeated',
      }),
    ),
    packageManager: Type.Optional(
      Type.Union(
        ecosystems.map(({ id }) => Type.Literal(id)),
        {
          description: 'Test only projects of this package manager; with `file`, it also reads unusual names',
          'x-formats': ecosystems.map(({ id, label, registry, isMixed }) => ({
            id,
            label,
            ...(!isMixed && { registry }),
            files: namesRead(id),
          })),
          'x-registries': registryFacts.map(({ name }) => {
            const { purlType, separator } = factsOf(name)
            return { name, purlType, separator }
          }),
        },
      ),
    ),
  },
  { additionalProperties: false },
)

export interface RelockQuery {
  readonly relock?: boolean
  readonly renew?: readonly string[]
}

export const DepGraphQuery = Type.Object(
  {
    org: TestQuery.properties.org,
    acceptPartial: TestQuery.properties.acceptPartial,
    severityThreshold: TestQuery.properties.severityThreshold,
  },
  { additionalProperties: false },
)

nameSchemas({
  TestOrganization: TestQuery.properties.org,
  AcceptPartial: TestQuery.properties.acceptPartial,
  IncludeDev: TestQuery.properties.includeDev,
  SeverityThreshold: TestQuery.properties.severityThreshold,
  Repository: RepositoriesQuery.properties.repository,
  PythonVersion: PythonQuery.properties.pythonVersion,
  PythonPlatform: PythonQuery.properties.pythonPlatform,
  StandardLibrary: StandardLibraryQuery.properties.standardLibrary,
  TestRequest,
})
