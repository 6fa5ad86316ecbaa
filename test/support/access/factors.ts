import assert from 'node:assert/strict'
import { stepAt, totpCode } from '#foundation/secrets/totp.ts'
import type { TestApp } from '../servers/app.ts'
import { type Authenticator, createAuthenticator } from './authenticator.ts'
import type { ConsoleBrowser } from './console-browser.ts'

/** An address with which browsers support passkeys. */
export const PASSKEY_SERVER = { GATEHOUSE_BASE_URL: 'http://localhost:7331' } as const

/** Returns the code that an authenticator app shows, or will show so many steps later. */
export function codeOf(secret: string, stepsLater: 0 | 1 = 0): string {
  return totpCode(secret, stepAt(Date.now()) + stepsLater)
}

/** Lets the current code be used again, as half a minute later. */
export async function forgetUsedCodes(app: TestApp, userId: string): Promise<void> {
  const { db } = app.parts.services
  await db.updateTable('second_factors').set({ last_step: null }).where('user_id', '=', userId).execute()
}

interface NewApp {
  readonly secret: string
  /** The recovery codes. */
  readonly codes: string[]
  /** The code that set it up. */
  readonly code: string
}

/** Sets up an authenticator app in the browser's session. */
export async function addApp(browser: ConsoleBrowser, name = 'Phone'): Promise<NewApp> {
  const offer = await browser.ask('POST', '/console/factors/app/challenge')
  assert.equal(offer.statusCode, 200, offer.body)
  const { id, secret } = offer.json()
  const code = codeOf(secret)
  const added = await browser.ask('POST', '/console/factors/app', { body: { id, name, code } })
  assert.equal(added.statusCode, 200, added.body)
  return { secret, code, codes: added.json().recovery_codes }
}

/** Creates a passkey in the browser's session. */
export async function addPasskey(app: TestApp, browser: ConsoleBrowser, name = 'Key'): Promise<Authenticator> {
  const authenticator = createAuthenticator(new URL(app.parts.services.baseUrl).origin)
  const offer = await browser.ask('POST', '/console/factors/passkey/challenge')
  assert.equal(offer.statusCode, 200, offer.body)
  const body = { name, credential: authenticator.create(offer.json()) }
  const added = await browser.ask('POST', '/console/factors/passkey', { body })
  assert.equal(added.statusCode, 200, added.body)
  return authenticator
}
