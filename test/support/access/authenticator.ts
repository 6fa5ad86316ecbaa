import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** Deviations of a faulty or hostile browser or device. */
export interface Deviations {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  /** False: the device asked for no PIN or fingerprint. */
  readonly isVerified?: boolean
  readonly counter?: number
  readonly userHandle?: string
  /** Signs something else. */
  readonly isForged?: boolean
}

interface Options {
  readonly challenge: string
}

/** A passkey in a browser, as WebAuthn Level 3 describes it. */
export interface Authenticator {
  /** Answers `PublicKeyCredentialCreationOptionsJSON`. */
  create(options: Options & { readonly user: { readonly id: string } }, deviations?: Deviations): object
  /** Answers `PublicKeyCredentialRequestOptionsJSON`. */
  use(options: Options, deviations?: Deviations): object
}

export function createAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  const same = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
  }
  let counter = 0
  let userHandle = ''

  function clientData(type: string, { challenge }: Options, deviations: Deviations): Buffer {
    const data = {
      type,
      challenge: deviations.challenge ?? challenge,
      origin: deviations.origin ?? origin,
      crossOrigin: false,
    }
    return Buffer.from(JSON.stringify(data))
  }

  function authenticatorData(deviations: Deviations, credential?: Buffer): Buffer {
    const { rpId = new URL(origin).hostname, isVerified = true } = deviations
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (credential ? 0x40 : 0)
    const head = Buffer.alloc(5)
    head.writeUInt8(flags)
    head.writeUInt32BE(deviations.counter ?? counter, 1)
    return Buffer.concat([sha256(Buffer.from(rpId)), head, credential ?? Buffer.alloc(0)])
  }

  return {
    create(options, deviations = {}) {
      userHandle = options.user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const credential = Buffer.concat([Buffer.alloc(16), length, id, encode(coseKey(publicKey))])
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData(deviations, credential)],
      ])
      const response = {
        clientDataJSON: clientData('webauthn.create', options, deviations).toString('base64url'),
        attestationObject: encode(attestation).toString('base64url'),
        transports: ['internal'],
      }
      return { ...same, response }
    },
    use(options, deviations = {}) {
      counter++
      const data = authenticatorData(deviations)
      const client = clientData('webauthn.get', options, deviations)
      const signed = Buffer.concat([data, sha256(deviations.isForged ? Buffer.from('other') : client)])
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle: deviations.userHandle ?? userHandle,
      }
      return { ...same, response }
    },
  }
}

/** RFC 9052 §7: an ES256 key with its coordinates. */
function coseKey(key: KeyObject): Cbor {
  const { x, y } = key.export({ format: 'jwk' })
  const coordinate = (text: string | undefined) => Buffer.from(text!, 'base64url')
  return new Map<number, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, coordinate(x)],
    [-3, coordinate(y)],
  ])
}

type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>

/** RFC 8949 §3, as far as it is needed here. */
function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [encode(key), encode(item)])])
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.of((major << 5) | size)
  return size < 256 ? Buffer.of((major << 5) | 24, size) : Buffer.of((major << 5) | 25, size >> 8, size & 0xff)
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
