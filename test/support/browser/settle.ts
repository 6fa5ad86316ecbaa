import type { Page, Request } from 'playwright-core'

const underWay = new WeakMap<Page, Set<Request>>()

/** Notes the requests of a page from now on, for `settle`. */
export function watchRequests(page: Page): void {
  const requests = new Set<Request>()
  underWay.set(page, requests)
  page.on('request', (request) => requests.add(request))
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
}

/** Waits until a page has all answers that it asked for and has drawn them. Never for a page that reads a stream. */
export async function settle(page: Page): Promise<void> {
  const requests = underWay.get(page)!
  do {
    await Promise.all([...requests].map(ended))
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
  } while (requests.size > 0)
}

/** Requests that fail have ended too. */
async function ended(request: Request): Promise<void> {
  const answer = await request.response().catch(() => null)
  await answer?.finished()
}
