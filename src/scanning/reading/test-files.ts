import { type Static, Type } from 'typebox'
import { nameSchemas } from '#foundation/http/schema-names.ts'

const File = Type.Object({ contents: Type.String({ description: 'The text of the file, in the encoding named' }) })

/** The files of a project. */
export const TestFiles = Type.Object({
  target: File,
  additional: Type.Optional(
    Type.Union([Type.Array(File, { maxItems: 1000 }), File, Type.Object({}, { maxProperties: 0 })], {
      description: 'Companion files, such as the lockfile: a list, or a single file',
    }),
  ),
})
export type TestFiles = Static<typeof TestFiles>

nameSchemas({ TestFiles })
