import { Type } from 'typebox'
import { bodyOf, resource } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { nameText } from '#foundation/http/text.ts'

const MAX_VALUES = 100

export const NewExposureReport = bodyOf(
  'exposure_report',
  Type.Object(
    {
      credentials: Type.Array(Type.String({ minLength: 1, maxLength: 8192 }), {
        minItems: 1,
        maxItems: MAX_VALUES,
        description: 'The exposed values: API keys, client secrets, refresh tokens, authorization codes, access tokens',
      }),
      reporter: Type.Optional(nameText(200, 'Name and contact of the reporter, shown to the owner')),
      found_at: Type.Optional(nameText(2000, 'Where the values were found, for example a URL; shown to the owner')),
    },
    { additionalProperties: false },
  ),
)

export const ExposureReport = resource(
  'exposure_report',
  Type.Object({ received: Type.Integer({ description: 'Number of values in the report' }) }),
)

nameSchemas({ NewExposureReport, ExposureReport })
