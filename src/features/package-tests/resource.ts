import { type Static, Type } from 'typebox'
import { ecosystems } from '#analysis/ecosystems/index.ts'
import { pythonPlatforms } from '#analysis/ecosystems/python-target.ts'
import { namesRead } from '#analysis/file-kinds/names-read.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { TestFiles } from '#scanning/reading/test-files.ts'

/** Body of the POST tests. Members that are not described are ignored, as existing clients send some. */
export const TestRequest = Type.Object({
  encoding: Type.Optional(
    Type.Union([Type.Literal('plain'), Type.Literal('base64')], {
      default: 'plain',
      description: 'How contents are written',
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
        description: 'Extension: answer with what could be resolved, and count it as ok when nothing is found in that',
      }),
    ),
    includeDev: Type.Optional(
      Type.Boolean({ default: false, description: 'Extension: also test what only developers of the project need' }),
    ),
    severityThreshold: Type.Optional(
      Type.Union([Type.Literal('low'), Type.Literal('medium'), Type.Literal('high'), Type.Literal('critical')], {
        description: 'Extension: leave out what is less severe, also for `ok`',
      }),
    ),
  },
  { additionalProperties: false },
)
export type TestQuery = Static<typeof TestQuery>

/** For package managers that read from more than one repository. */
export const RepositoriesQuery = Type.Object(
  {
    ...TestQuery.properties,
    repository: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), {
        maxItems: 20,
        description: 'Base URL of a repository that hosts packages; may be repeated, and they are asked in this order',
      }),
    ),
  },
  { additionalProperties: false },
)
export type RepositoriesQuery = Static<typeof RepositoriesQuery>

/** For package managers that choose by interpreter and system. */
export const PythonQuery = Type.Object(
  {
    ...TestQuery.properties,
    pythonVersion: Type.Optional(
      Type.String({
        pattern: '^[23]\\.\\d{1,2}(\\.\\d{1,3})?$',
        description: 'Extension: the Python that packages are chosen for, for example 3.13; default: the server’s',
      }),
    ),
    pythonPlatform: Type.Optional(
      Type.Union(
        pythonPlatforms.map((platform) => Type.Literal(platform)),
        { description: 'Extension: the system that packages are chosen for; default: the server’s' },
      ),
    ),
  },
  { additionalProperties: false },
)
export type PythonQuery = Static<typeof PythonQuery>

/** For sets of files, which may hold projects of every package manager. */
export const TreeQuery = Type.Object(
  {
    ...RepositoriesQuery.properties,
    ...PythonQuery.properties,
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
    bill: Type.Optional(Type.Boolean({ description: 'Adds its bill of materials to each result' })),
    packageManager: Type.Optional(
      Type.Union(
        ecosystems.map(({ id }) => Type.Literal(id)),
        {
          description: 'Test only projects of this package manager; with `file`, it also reads unusual names',
          'x-formats': ecosystems.map(({ id, registry, isMixed }) => ({
            id,
            ...(!isMixed && { registry }),
            files: namesRead(id),
          })),
        },
      ),
    ),
  },
  { additionalProperties: false },
)

/** For graphs, of which no manifest is read. */
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
  TestRequest,
})
