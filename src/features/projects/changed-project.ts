import { type Static, Type } from 'typebox'
import type { Permission } from '#foundation/access/permissions.ts'
import { Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { Problem } from '#foundation/problem.ts'
import type { Changed } from './change-project.ts'
import { criticalities, environments, frequencies, lifecycles, ProjectTag } from './resource.ts'

const strict = { additionalProperties: false } as const
const distinct = { uniqueItems: true, maxItems: 100 } as const

export const LabelLists = {
  business_criticality: Type.Optional(Type.Array(Type.Enum(criticalities), distinct)),
  environment: Type.Optional(Type.Array(Type.Enum(environments), distinct)),
  lifecycle: Type.Optional(Type.Array(Type.Enum(lifecycles), distinct)),
}

const ChangedAttributes = Type.Object(
  {
    ...LabelLists,
    tags: Type.Optional(
      Type.Array(ProjectTag, { ...distinct, description: 'All tags of the project, replacing the present ones' }),
    ),
    test_frequency: Type.Optional(Type.Enum(frequencies, { description: 'Interval of automatic tests' })),
  },
  strict,
)

const Owner = Type.Object(
  {
    data: Type.Object(
      {
        type: Type.Literal('user'),
        id: Type.Union([Uuid, Type.Null()], { description: 'A member of the organization; null for no owner' }),
      },
      strict,
    ),
  },
  strict,
)

export const ChangedProject = Type.Object(
  {
    data: Type.Object(
      {
        id: Type.Optional(Uuid),
        type: Type.Literal('project'),
        attributes: Type.Optional(ChangedAttributes),
        relationships: Type.Optional(Type.Object({ owner: Type.Optional(Owner) }, strict)),
      },
      strict,
    ),
  },
  strict,
)

nameSchemas({ ChangedProject })

export function toChanged({ attributes = {}, relationships }: Static<typeof ChangedProject>['data']): Changed {
  const owner = relationships?.owner?.data
  return { ...attributes, ...(owner && { owner_id: owner.id?.toLowerCase() ?? null }) }
}

/** Requires the permissions of changed labels. `at` is the location of the attributes in the body. */
export function requireLabels(
  permissions: ReadonlySet<Permission>,
  labels: Pick<Changed, 'tags' | keyof typeof LabelLists>,
  at = '',
): void {
  if (labels.tags) requirePermission(permissions, 'org.project.tag.edit', `${at}/tags`)
  for (const name of Object.keys(LabelLists) as (keyof typeof LabelLists)[]) {
    if (labels[name]) requirePermission(permissions, 'org.project.attributes.edit', `${at}/${name}`)
  }
}

function requirePermission(permissions: ReadonlySet<Permission>, permission: Permission, pointer: string): void {
  if (permissions.has(permission)) return
  throw new Problem('forbidden', `You need the permission ${permission} to change ${pointer}`, { source: { pointer } })
}
