import { Refusal } from './refusal.ts'

/** True if the browser can use passkeys on this page. */
export function supportsPasskeys(): boolean {
  return 'PublicKeyCredential' in globalThis && 'parseCreationOptionsFromJSON' in PublicKeyCredential
}

/** Lets the browser create a passkey. Returns it in the form of the server's requests. */
export async function createPasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  return withDevice(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  )
}

/** Lets the browser use a passkey. Returns the proof in the form of the server's requests. */
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
