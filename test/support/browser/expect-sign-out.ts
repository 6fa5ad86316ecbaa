import type { Page } from 'playwright-core'

/** Follows a link with a credential that has ended. A request that comes before, such as that for counts, may be refused first. */
export async function expectSignOut(page: Page, link: string): Promise<void> {
  const signedOut = page.getByText('You were signed out').waitFor()
  const followed = page.getByRole('link', { name: link }).click()
  await Promise.race([signedOut, followed.catch(() => undefined)])
  await signedOut
}
