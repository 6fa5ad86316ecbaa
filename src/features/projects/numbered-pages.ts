import { Type } from 'typebox'

/** Parameters of v1 pages, which are numbered from 1. */
export function pageQuery({ perPage, most }: { perPage: number; most: number }) {
  return {
    perPage: Type.Optional(
      Type.Integer({ minimum: 1, maximum: most, default: perPage, description: 'Number of items on a page' }),
    ),
    page: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'Number of the page' }),
    ),
  }
}

export interface NumberedPage {
  readonly page: number
  readonly perPage: number
}

export function toOffset({ page, perPage }: NumberedPage): number {
  return (page - 1) * perPage
}

export interface PageLinks {
  readonly prev?: string
  readonly next?: string
  readonly last?: string
}

export function pageLinks(url: string, { page, perPage }: NumberedPage, total: number): PageLinks {
  const last = Math.max(1, Math.ceil(total / perPage))
  const at = (number: number) => {
    const target = new URL(url)
    target.searchParams.set('page', String(number))
    target.searchParams.set('perPage', String(perPage))
    return target.href
  }
  return {
    ...(page > 1 && { prev: at(Math.min(page - 1, last)) }),
    ...(page < last && { next: at(page + 1) }),
    ...(page !== last && { last: at(last) }),
  }
}

/** Formats the links as a header (RFC 8288), which published clients of v1 may follow instead. */
export function linkHeader(links: PageLinks): Record<string, string> {
  const written = Object.entries(links).map(([rel, url]) => `<${url}>; rel=${rel}`)
  return written.length === 0 ? {} : { link: written.join(', ') }
}
