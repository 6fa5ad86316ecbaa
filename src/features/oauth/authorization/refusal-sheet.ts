import { html } from '#foundation/pages/html.ts'
import type { Sheet } from '#foundation/pages/sheet.ts'

const meanings: Record<string, { readonly title: string; readonly remedy: string }> = {
  invalid_client: {
    title: 'This app is not known here',
    remedy: 'It may have been deleted, or its link may be wrong. Ask the people who make the app.',
  },
  invalid_redirect_uri: {
    title: 'The app gave a wrong address to come back to',
    remedy: 'You are not redirected, since the address may belong to someone else. Contact the app’s publisher.',
  },
  over: {
    title: 'This page is no longer valid',
    remedy:
      'It was open for too long, it was answered already, or this browser does not keep cookies, which signing in needs. Go back to the app and start again.',
  },
}

const other = {
  title: 'The request of the app cannot be answered',
  remedy: 'Go back to the app and start again. If it fails again, tell the people who make the app.',
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
  <p><small>For those who make it: ${exactly}</small></p>`,
  }
}
