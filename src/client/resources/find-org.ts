import { ClientFailure } from '../failure.ts'
import type { OpenServer } from '../open-server.ts'
import { printable } from '../printable.ts'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Returns the id of the chosen organization, else of the credential's default or only one. Throws `ClientFailure`. */
export async function findOrgId({ client, org }: OpenServer, signal: AbortSignal): Promise<string> {
  if (org !== undefined && isUuid(org)) return org.toLowerCase()
  if (org !== undefined) {
    const { data } = await client.call('listOrgs', { query: { slug: org }, signal })
    if (data[0] !== undefined) return data[0].id
    throw new ClientFailure(
      `No organization has the id or slug "${org}", or the key may not see it. Check --org and GATEHOUSE_ORG.`,
    )
  }
  const { data: self } = await client.call('getSelf', { signal })
  if (self.attributes.default_org_context !== undefined) return self.attributes.default_org_context
  const { data } = await client.call('listOrgs', { query: { limit: 10 }, signal })
  if (data.length === 1) return data[0]!.id
  if (data.length === 0) throw new ClientFailure('The key may see no organization. Use another key.')
  const slugs = data.map(({ attributes }) => printable(attributes.slug)).join(', ')
  throw new ClientFailure(`The key may see several organizations. Name one with --org or GATEHOUSE_ORG: ${slugs}.`)
}
