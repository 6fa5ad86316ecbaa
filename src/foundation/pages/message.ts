import { html } from './html.ts'
import type { Sheet } from './sheet.ts'

/** A page with an error and its remedy, without redirects. */
export function messageSheet(status: number, title: string, paragraphs: readonly string[]): Sheet {
  return { status, title, content: html`<h1>${title}</h1>${paragraphs.map((text) => html`<p>${text}</p>`)}` }
}

export const foreignForm = messageSheet(403, 'This form was not sent from its page', [
  'What arrived does not belong to a page that this server made for your browser, so nothing was done.',
  'Go back to where you came from and start again.',
])

export const unreadableForm = messageSheet(400, 'This could not be read', [
  'What arrived was not what a page of this server sends, so nothing was done.',
  'Go back to where you came from and start again.',
])

export const overloaded = messageSheet(503, 'This cannot be done at this moment', [
  'Nothing was done. Go back one page in a few seconds and try again.',
])

export function failed(requestId: string): Sheet {
  return messageSheet(500, 'Something went wrong', [
    'The fault is on the server’s side, and was logged there.',
    `If it happens again, tell the people who run this server the number ${requestId}`,
  ])
}
