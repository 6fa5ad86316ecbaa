import { randomUUID } from 'node:crypto'
import { isUuid } from '#foundation/http/access.ts'

const MAX_LENGTH = 60

/**
 * Inserts with the slug of a name, or with that slug and a random suffix while another row has it. `insert` returns
 * undefined for a slug that is taken.
 */
export async function insertWithFreeSlug<Row>(
  name: string,
  noun: 'org' | 'group',
  insert: (slug: string) => Promise<Row | undefined>,
): Promise<Row> {
  const slug = toSlug(name, noun)
  for (let suffix = ''; ; suffix = `-${randomUUID().slice(0, 8)}`) {
    const inserted = await insert(slug + suffix)
    if (inserted) return inserted
  }
}

/**
 * A name as it can stand in a URL: lower-case letters and digits of ASCII, joined by single dashes. A name without any of
 * them becomes the noun.
 */
export function toSlug(name: string, noun: 'org' | 'group' = 'org'): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '')
  // Paths of v1 hold slugs or ids: a slug must not look like an id.
  return slug === '' || isUuid(slug) ? `${noun}${slug === '' ? '' : `-${slug}`}` : slug
}
