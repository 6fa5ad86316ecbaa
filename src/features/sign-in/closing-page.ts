import type { Server } from '#foundation/http/server.ts'
import { html } from '#foundation/pages/html.ts'
import { sendSheet } from '#foundation/pages/sheet.ts'

/** The page to which an existing command-line client sends the browser after it received the code. */
export function closingPage(server: Server): void {
  server.get('/authenticated', { config: { access: 'public' }, schema: { hide: true } }, async (_request, reply) =>
    sendSheet(reply, {
      title: 'Signed in',
      content: html`<h1>You can close this page</h1><p>The program has received the answer. Continue there.</p>`,
    }),
  )
}
