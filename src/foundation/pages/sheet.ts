import type { FastifyReply } from 'fastify'
import { renderFrame } from './frame.ts'
import { type Html, html } from './html.ts'

/** A page with a single subject: a form, a question, a message. */
export interface Sheet {
  readonly title: string
  readonly content: Html
  readonly status?: number
  /** True for a wide page to read and print, with tables and badges. */
  readonly isReport?: true
  /**
   * Schemes, besides this server, that its forms may redirect to: browsers check all redirects after a form against
   * this.
   */
  readonly formTargets?: readonly string[]
  /** A path of this server to which the browser is redirected. */
  readonly next?: string
}

const formHead = html`<link rel="stylesheet" href="/assets/forms.css">`
const reportHead = html`${formHead}<link rel="stylesheet" href="/assets/report.css">`

/** Sends a page without scripts, external resources, framing or caching. */
export function sendSheet(reply: FastifyReply, sheet: Sheet): FastifyReply {
  return reply
    .code(sheet.status ?? 200)
    .headers(sheetHeaders(sheet.formTargets))
    .send(renderSheet(sheet))
}

export function sheetHeaders(formTargets: readonly string[] = []): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'self'",
      "img-src 'self'",
      "base-uri 'none'",
      `form-action ${["'self'", ...formTargets].join(' ')}`,
      "frame-ancestors 'none'",
    ].join('; '),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  }
}

export function renderSheet({ title, content, next, isReport }: Omit<Sheet, 'status' | 'formTargets'>): string {
  const head = isReport ? reportHead : formHead
  return renderFrame({
    title,
    head: next === undefined ? head : html`${head}<meta http-equiv="refresh" content="0; url=${next}">`,
    body: html`  <header><span class="brand"><img src="/assets/icon.svg" alt="" width="24" height="24">Gatehouse</span></header>
  <main class="${isReport ? 'report' : 'sheet'}">
  ${content}
  </main>`,
  })
}
