import { randomUUID } from 'node:crypto'
import { isUuid } from '#foundation/http/access.ts'

const MAX_LENGTH = 60

/**
 * Inserts a row with the slug of a name, and a random suffix if the slug is taken. `insert` returns undefined for a
 * taken slug.
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
 * Converts a name to lower-case ASCII letters and digits, joined by single dashes. A name without any of them becomes
 * the noun.
 */
export function toSlug(name: string, noun: 'org' | 'group' = 'org'): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '')
  // Paths of v1 accept slugs and ids, so a slug must not look like an id.
  return slug === '' || isUuid(slug) ? `${noun}${slug === '' ? '' : `-${slug}`}` : slug
}
