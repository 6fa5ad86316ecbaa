import type { Outgoing } from '../outgoing/outgoing.ts'
import { displayLocation, type ObjectLocation } from './object-location.ts'
import { createObjectClient, type ObjectRequests } from './object-requests.ts'
import { ObjectStoreFailed } from './object-store-failure.ts'
import type { RequestSigner } from './sign-request.ts'

/** Objects of one installation in an S3-compatible store. All methods throw `ObjectStoreFailed`. */
export interface ObjectStore {
  /** Claims the location for this installation, or verifies an earlier claim. Put, get and remove do so first. */
  check(): Promise<void>
  /** Returns the installation that claimed the location, without claiming it. */
  findOwner(): Promise<string | undefined>
  put(key: string, content: Uint8Array): Promise<void>
  /** Returns undefined only if the store says that the object does not exist. */
  get(key: string, signal?: AbortSignal): Promise<Buffer | undefined>
  /** Also succeeds if the object does not exist. */
  remove(key: string, signal?: AbortSignal): Promise<void>
  /** The requests since the start of the process. */
  totals(): readonly Readonly<ObjectRequests>[]
  close(): Promise<void>
}

export interface ObjectStoreSettings {
  readonly location: ObjectLocation
  readonly sign: RequestSigner
  /** Closed by the store. */
  readonly outgoing: Outgoing
  installationId(): Promise<string>
  /** Returns true if this installation has stored objects before. */
  hasObjects(): Promise<boolean>
}

/** The object with the id of the installation that uses the location. */
const MARKER = 'gatehouse-installation'
const MAX_ID_BYTES = 100

export function createObjectStore(settings: ObjectStoreSettings): ObjectStore {
  const base = displayLocation(settings.location)
  const client = createObjectClient(base, settings)
  let claimed: Promise<void> | undefined

  async function findOwner(): Promise<string | undefined> {
    return (await client.get(MARKER))?.subarray(0, MAX_ID_BYTES).toString().trim()
  }

  async function claim(): Promise<void> {
    const own = await settings.installationId()
    if ((await findOwner()) === undefined) {
      // Read again: another process may have claimed it and stored objects since.
      if ((await settings.hasObjects()) && (await findOwner()) === undefined) throw misplaced(base, own)
      await client.put(MARKER, Buffer.from(`${own}\n`), { isNew: true })
    }
    // Read back: of two installations that start concurrently, one sees the other's marker.
    const owner = await findOwner()
    if (owner !== own) throw foreign(base, owner)
  }

  function check(): Promise<void> {
    claimed ??= claim().catch((error: unknown) => {
      claimed = undefined
      throw error
    })
    return claimed
  }

  return {
    check,
    findOwner,
    async put(key, content) {
      await check()
      await client.put(key, content)
    },
    async get(key, signal) {
      await check()
      return client.get(key, { signal })
    },
    async remove(key, signal) {
      await check()
      await client.remove(key, { signal })
    },
    totals: client.totals,
    close: () => settings.outgoing.close(),
  }
}

function foreign(base: string, owner: string | undefined): ObjectStoreFailed {
  const message = `Another installation of Gatehouse (${owner}) uses ${base}. Set GATEHOUSE_OBJECT_STORE to another bucket or prefix.`
  return new ObjectStoreFailed('foreign', message)
}

function misplaced(base: string, own: string): ObjectStoreFailed {
  const message = `${base} is not where this installation stored its objects. Correct GATEHOUSE_OBJECT_STORE, or copy all objects there. If they are lost, store the text ${own} as the object ${MARKER}.`
  return new ObjectStoreFailed('foreign', message)
}
