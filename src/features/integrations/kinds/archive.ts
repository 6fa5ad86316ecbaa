import { type Static, Type } from 'typebox'
import { Uuid } from '#foundation/http/documents.ts'
import { defineKind } from '../integration-kind.ts'

const Target = Type.Object(
  {
    id: Type.Optional(Type.Intersect([Uuid], { description: 'Id of an archive that was uploaded to the integration' })),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'The newest archive of this name' })),
  },
  { minProperties: 1 },
)
type Target = Static<typeof Target>

/** Uploaded archives. Archives of the same name are one target, so a newer one updates its projects. */
export const archive = defineKind({
  id: 'archive',
  title: 'Archives',
  description: 'Files in a tar, tar.gz or zip archive uploaded to the integration',
  credentials: [],
  baseUrl: 'none',
  ownBaseUrl: '',
  Target,
  check({ id, name }: Target) {
    const target = { ...(id !== undefined && { id: id.toLowerCase() }), ...(name !== undefined && { name }) }
    return { name: name ?? `archive ${id}`, branch: undefined, target }
  },
  async locate({ integration, findArchive, revision }, query: { id?: string; name?: string }) {
    const stored = await findArchive({ ...query, digest: revision })
    return {
      displayName: stored.name,
      url: null,
      sourceKey: `archive ${integration.id} ${stored.name}`,
      place: { kind: 'archive', archive: stored },
    }
  },
  test: async () => 'Ready for archives',
})
