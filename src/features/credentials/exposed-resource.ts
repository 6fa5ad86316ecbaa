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
        description: 'What was found: API keys, client secrets, refresh tokens, authorization codes, access tokens',
      }),
      reporter: Type.Optional(nameText(200, 'Who reports it, and where to ask; the owner reads it')),
      found_at: Type.Optional(nameText(2000, 'Where it was found, for example a URL; the owner reads it')),
    },
    { additionalProperties: false },
  ),
)

export const ExposureReport = resource(
  'exposure_report',
  Type.Object({ received: Type.Integer({ description: 'How many values the report held' }) }),
)

nameSchemas({ NewExposureReport, ExposureReport })
