import { Refusal } from './refusal.ts'

/** True if the browser can use passkeys on this page. */
export function supportsPasskeys(): boolean {
  return 'PublicKeyCredential' in globalThis && 'parseCreationOptionsFromJSON' in PublicKeyCredential
}

/** Has the browser create a passkey. Returns it as the server reads it. */
export async function createPasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  return withDevice(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  )
}

/** Has the browser use a passkey. Returns the proof as the server reads it. */
export async function requestPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<unknown> {
  return withDevice(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  )
}

async function withDevice(request: () => Promise<Credential | null>): Promise<unknown> {
  if (!supportsPasskeys()) throw failed('This browser does not support passkeys on this page. Use https.')
  try {
    return ((await request()) as PublicKeyCredential).toJSON()
  } catch (error) {
    throw failed(explain(error))
  }
}

/** Browsers tell little, so that pages learn nothing about devices (WebAuthn Level 3 §14.5). */
function explain(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') return 'This device already holds a passkey of your account.'
  if (name === 'SecurityError') return 'Passkeys work only at the public address of this server.'
  return 'No passkey was used: the request was canceled or timed out. Try again.'
}

function failed(detail: string): Refusal {
  return new Refusal(0, 'console', [{ detail }])
}
