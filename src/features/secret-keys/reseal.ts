import type { Db } from '#foundation/db/database.ts'
import { isSealedNow, type Keyring } from '#foundation/secrets/keyring.ts'
import type { SealedPlace } from '#foundation/secrets/sealed-place.ts'
import { listRows, type Row, replaceValue } from './sealed-rows-store.ts'

export interface Resealed {
  readonly resealed: number
  /** Number of values that no key decrypts; they stay unchanged. */
  readonly unreadable: number
}

/** Encrypts values of earlier data keys with the current one. A value that changes concurrently keeps its change. */
export async function reseal(
  { db, keyring }: { db: Db; keyring: Keyring },
  places: readonly SealedPlace[],
  signal?: AbortSignal,
): Promise<Resealed> {
  let [resealed, unreadable] = [0, 0]
  for (const place of places) {
    let rows = await listRows(db, place)
    while (rows.length > 0) {
      for (const row of rows) {
        signal?.throwIfAborted()
        const outcome = await resealRow({ db, keyring }, place, row)
        if (outcome === 'resealed') resealed++
        if (outcome === 'unreadable') unreadable++
      }
      rows = await listRows(db, place, rows.at(-1))
    }
  }
  return { resealed, unreadable }
}

/** Counts the values that an earlier data key encrypted. */
export async function countOutdated(
  { db, keyring }: { db: Db; keyring: Keyring },
  places: readonly SealedPlace[],
): Promise<number> {
  let outdated = 0
  for (const place of places) {
    let rows = await listRows(db, place)
    while (rows.length > 0) {
      outdated += rows.filter((row) => isOutdated(keyring, bytesOf(place, row))).length
      rows = await listRows(db, place, rows.at(-1))
    }
  }
  return outdated
}

async function resealRow(
  { db, keyring }: { db: Db; keyring: Keyring },
  place: SealedPlace,
  row: Row,
): Promise<'kept' | 'resealed' | 'unreadable'> {
  const sealed = bytesOf(place, row)
  if (!isOutdated(keyring, sealed)) return 'kept'
  const context = place.context(row as Record<string, string>)
  const plain = keyring.open(sealed!, context)
  if (plain === undefined) return 'unreadable'
  const bytes = keyring.seal(plain, context)
  const { textPrefix } = place
  const value = textPrefix === undefined ? bytes : `${textPrefix}${Buffer.from(bytes).toString('base64')}`
  await replaceValue(db, place, { row, value })
  return 'resealed'
}

/** Returns undefined for a text that is not encrypted. */
function bytesOf({ column, textPrefix }: SealedPlace, row: Row): Uint8Array | undefined {
  const value = row[column]
  if (textPrefix === undefined) return value as Uint8Array
  const text = value as string
  return text.startsWith(textPrefix) ? Buffer.from(text.slice(textPrefix.length), 'base64') : undefined
}

/** Rows without a value are skipped: their requests are still running. */
function isOutdated(keyring: Keyring, sealed: Uint8Array | undefined): boolean {
  return sealed !== undefined && sealed.length > 0 && !isSealedNow(keyring, sealed)
}
