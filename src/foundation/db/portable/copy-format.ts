/** Types of columns in migrations, as PostgreSQL names them (`udt_name`). */
export type ColumnType = 'text' | 'int8' | 'int4' | 'int2' | 'bytea'

export type Value = string | number | Uint8Array | null

/** The header of PostgreSQL's binary COPY format: signature, flags and the length of an empty extension. */
const HEADER = Buffer.from('5047434f50590aff0d0a000000000000000000', 'hex')
const TRAILER = Buffer.from('ffff', 'hex')
const COUNT_BYTES = 2
const LENGTH_BYTES = 4

/** Reads rows from the chunks of `COPY … TO STDOUT (FORMAT binary)`; yields those of each chunk together. */
export async function* readRows(
  chunks: AsyncIterable<Buffer>,
  types: readonly ColumnType[],
): AsyncGenerator<Value[][]> {
  let rest: Buffer = Buffer.alloc(0)
  let isStarted = false
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    if (!isStarted && rest.length < HEADER.length) continue
    let at = isStarted ? 0 : HEADER.length
    isStarted = true
    const rows: Value[][] = []
    for (;;) {
      const end = endOfRow(rest, at)
      if (end === undefined) break
      rows.push(readRow(rest, at, types))
      at = end
    }
    rest = rest.subarray(at)
    if (rows.length > 0) yield rows
  }
  if (!rest.equals(TRAILER)) throw new Error('the copy of a table ended early')
}

/** Undefined if the row is not complete yet, or at the trailer. */
function endOfRow(bytes: Buffer, start: number): number | undefined {
  if (start + COUNT_BYTES > bytes.length) return undefined
  const fields = bytes.readInt16BE(start)
  if (fields < 0) return undefined
  let at = start + COUNT_BYTES
  for (let field = 0; field < fields; field++) {
    if (at + LENGTH_BYTES > bytes.length) return undefined
    at += LENGTH_BYTES + Math.max(0, bytes.readInt32BE(at))
  }
  return at > bytes.length ? undefined : at
}

function readRow(bytes: Buffer, start: number, types: readonly ColumnType[]): Value[] {
  let at = start + COUNT_BYTES
  return types.map((type) => {
    const length = bytes.readInt32BE(at)
    at += LENGTH_BYTES
    if (length < 0) return null
    const field = bytes.subarray(at, at + length)
    at += length
    return decode(type, field)
  })
}

function decode(type: ColumnType, field: Buffer): Value {
  if (type === 'text') return field.toString('utf8')
  if (type === 'bytea') return field
  if (type === 'int8') return Number(field.readBigInt64BE())
  return type === 'int4' ? field.readInt32BE() : field.readInt16BE()
}

const CHUNK_BYTES = 65_536

/** Writes rows for `COPY … FROM STDIN (FORMAT binary)`, in chunks of about 64 KiB. */
export function* writeRows(rows: Iterable<readonly Value[]>, types: readonly ColumnType[]): Generator<Buffer> {
  let parts: Buffer[] = [HEADER]
  let size = HEADER.length
  for (const row of rows) {
    for (const part of toParts(row, types)) {
      parts.push(part)
      size += part.length
    }
    if (size < CHUNK_BYTES) continue
    yield Buffer.concat(parts)
    parts = []
    size = 0
  }
  yield Buffer.concat([...parts, TRAILER])
}

function toParts(row: readonly Value[], types: readonly ColumnType[]): Buffer[] {
  const count = Buffer.alloc(COUNT_BYTES)
  count.writeInt16BE(types.length)
  const fields = types.flatMap((type, column) => {
    const field = encode(type, row[column] ?? null)
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeInt32BE(field?.length ?? -1)
    return field === undefined ? [length] : [length, field]
  })
  return [count, ...fields]
}

function encode(type: ColumnType, value: Value): Buffer | undefined {
  if (value === null) return undefined
  if (type === 'text') return Buffer.from(String(value))
  if (type === 'bytea') return Buffer.from(value as Uint8Array)
  const bytes = Buffer.alloc({ int8: 8, int4: 4, int2: 2 }[type])
  if (type === 'int8') bytes.writeBigInt64BE(BigInt(value as number))
  else if (type === 'int4') bytes.writeInt32BE(value as number)
  else bytes.writeInt16BE(value as number)
  return bytes
}
