import { type Static, Type } from 'typebox'
import { severityWords } from '#features/projects/resource.ts'
import { singleQuery } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'

export const hitKinds = ['vulnerability', 'package', 'project', 'app', 'service_account', 'member'] as const
export type HitKind = (typeof hitKinds)[number]

export const Hit = Type.Object({
  id: Type.String(),
  type: Type.Enum([...hitKinds]),
  attributes: Type.Object({
    name: Type.String(),
    context: Type.Optional(Type.String({ description: 'Distinguishes hits of the same name' })),
    severity: Type.Optional(Type.Enum([...severityWords])),
    is_exploited: Type.Optional(Type.Boolean()),
    projects: Type.Optional(Type.Integer({ description: 'Number of projects with an open issue' })),
  }),
})
export type Hit = Static<typeof Hit>

nameSchemas({ SearchHit: Hit })

export const searchQuery = singleQuery({
  query: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Words that must all occur in names, titles, e-mail addresses or ids such as CVEs, case-insensitive',
  }),
  kinds: Type.Optional(Type.Array(Type.Enum([...hitKinds]), { description: 'Only hits of these types' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 20, default: 5, description: 'Maximum number of hits per type' }),
  ),
})
