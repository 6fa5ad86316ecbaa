import { html } from '#foundation/pages/html.ts'
import type { Sheet } from '#foundation/pages/sheet.ts'

const meanings: Record<string, { readonly title: string; readonly remedy: string }> = {
  invalid_client: {
    title: 'Unknown app',
    remedy: 'It may have been deleted, or its link may be wrong. Contact the app’s publisher.',
  },
  invalid_redirect_uri: {
    title: 'The app sent an unregistered redirect address',
    remedy: 'You are not redirected, since the address may belong to someone else. Contact the app’s publisher.',
  },
  over: {
    title: 'This page has expired',
    remedy:
      'It was open for too long, it was submitted already, or your browser blocks cookies, which are required to sign in. Go back to the app and start again.',
  },
}

const other = {
  title: 'The app sent an invalid request',
  remedy: 'Go back to the app and start again. If it fails again, contact the app’s publisher.',
}

/** Returns the page shown instead of redirecting to an untrusted address (RFC 6749 §4.1.2.1). */
export function refusalSheet({ error, description }: { error: string; description: string }): Sheet {
  const { title, remedy } = meanings[error] ?? other
  const exactly = error === 'over' ? html`${description}` : html`<code>${error}</code> ${description}`
  return {
    status: 400,
    title,
    content: html`<h1>${title}</h1>
  <p>${remedy}</p>
  <p><small>For the app’s developers: ${exactly}</small></p>`,
  }
}
