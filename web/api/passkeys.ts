import { type Body, call } from './client.ts'
import { Refusal } from './refusal.ts'
import type { Added, Begun } from './resources.ts'

/** Completes a sign-in with one of the user's passkeys. */
export async function verifyWithPasskey(): Promise<Begun> {
  const credential = await requestPasskey(await call('offerPasskeyVerification', {}))
  return call('verifyWithPasskey', { body: { credential } })
}

export async function signInWithPasskey(): Promise<Begun> {
  const credential = await requestPasskey(await call('offerPasskeySignIn', {}))
  return call('signInWithPasskey', { body: { credential } })
}

/** The noun in the ids of operations that set up a factor: in a session, or in a sign-in that requires the first one. */
export type FactorNoun = 'Factor' | 'FirstFactor'

export async function addPasskey(noun: FactorNoun, name: string): Promise<Added> {
  const credential = await createPasskey(await call(`offerPasskey${noun}`, {}))
  return call(`addPasskey${noun}`, { body: { name, credential } })
}

/** True if the browser can use passkeys on this page. */
export function supportsPasskeys(): boolean {
  return 'PublicKeyCredential' in globalThis && 'parseCreationOptionsFromJSON' in PublicKeyCredential
}

/** Lets the browser create a passkey. Returns it in the form of the server's requests. */
async function createPasskey(options: PublicKeyCredentialCreationOptionsJSON) {
  return withDevice<Body<'addPasskeyFactor'>['credential']>(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  )
}

/** Lets the browser use a passkey. Returns the proof in the form of the server's requests. */
async function requestPasskey(options: PublicKeyCredentialRequestOptionsJSON) {
  return withDevice<Body<'signInWithPasskey'>['credential']>(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  )
}

async function withDevice<Json>(request: () => Promise<Credential | null>): Promise<Json> {
  if (!supportsPasskeys()) throw failed('This browser does not support passkeys on this page. Use https.')
  try {
    return ((await request()) as Credential & { toJSON(): Json }).toJSON()
  } catch (error) {
    throw failed(explain(error))
  }
}

/**
 * Explains a failure. Browsers report few details, so that pages learn nothing about devices (WebAuthn Level 3 §14.5).
 */
function explain(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') return 'This device already holds a passkey of your account.'
  if (name === 'SecurityError') return 'Passkeys work only at the public address of this server.'
  return 'No passkey was used: the request was canceled or timed out. Try again.'
}

function failed(detail: string): Refusal {
  return new Refusal(0, 'console', [{ detail }])
}
