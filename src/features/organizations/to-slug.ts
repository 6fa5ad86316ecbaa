import { isUuid } from '#foundation/http/access.ts'

const MAX_LENGTH = 60

/** A name as it can stand in a URL: lower-case letters and digits of ASCII, joined by single dashes. */
export function toSlug(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '')
  // Paths of v1 hold slugs or ids: a slug must not look like an id.
  return slug === '' || isUuid(slug) ? `org${slug === '' ? '' : `-${slug}`}` : slug
}
