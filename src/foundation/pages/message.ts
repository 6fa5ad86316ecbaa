import { html } from './html.ts'
import type { Sheet } from './sheet.ts'

/** A page with an error and its remedy, without redirects. */
export function messageSheet(status: number, title: string, paragraphs: readonly string[]): Sheet {
  return { status, title, content: html`<h1>${title}</h1>${paragraphs.map((text) => html`<p>${text}</p>`)}` }
}

export const foreignForm = messageSheet(403, 'This form was not sent from its page', [
  'The request does not belong to a page that this server showed in your browser, so nothing was changed.',
  'Go back and start again.',
])

export const unreadableForm = messageSheet(400, 'The form could not be read', [
  'The request was not sent by a form of this server, so nothing was changed.',
  'Go back and start again.',
])

export const overloaded = messageSheet(503, 'The server is busy', [
  'Nothing was changed. Go back one page in a few seconds and try again.',
])

export function failed(requestId: string): Sheet {
  return messageSheet(500, 'Something went wrong', [
    'The error is on the server, which logged it.',
    `If it happens again, give the operator of the server this request id: ${requestId}`,
  ])
}
