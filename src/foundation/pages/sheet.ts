import type { FastifyReply } from 'fastify'
import { renderFrame } from './frame.ts'
import { type Html, html } from './html.ts'

/** A page with one thing on it: a form, a question, a message. */
export interface Sheet {
  readonly title: string
  readonly content: Html
  readonly status?: number
  /** Origins or schemes, besides this server, that sending its forms may lead to: browsers hold redirects against them too. */
  readonly formTargets?: readonly string[]
}

const head = html`<link rel="stylesheet" href="/assets/forms.css">`

/** Sends a page that runs nothing, loads nothing from elsewhere, is shown in no frame and kept nowhere. */
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

export function renderSheet({ title, content }: Pick<Sheet, 'title' | 'content'>): string {
  return renderFrame({
    title,
    head,
    body: html`  <header><span class="brand">Gatehouse</span></header>
  <main class="sheet">
  ${content}
  </main>`,
  })
}
