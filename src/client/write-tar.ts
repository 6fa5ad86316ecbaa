import type { GivenFile } from '#foundation/repositories/given-files.ts'

const BLOCK = 512
const MAX_NAME_BYTES = 100

/** Writes a tar archive (POSIX.1-2001: ustar, with pax records for long names). Its times are 0: equal files give equal bytes. */
export function writeTar(entries: readonly GivenFile[]): Buffer {
  const blocks = entries.flatMap(({ path, content }) => {
    const isLink = content === 'link'
    const bytes = isLink ? Buffer.alloc(0) : content
    const isLong = Buffer.byteLength(path) > MAX_NAME_BYTES
    return [
      ...(isLong ? member('pax', 'x', toPaxRecord('path', path)) : []),
      ...member(isLong ? 'long-name' : path, isLink ? '2' : '0', bytes),
    ]
  })
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)])
}

function member(name: string, type: string, content: Uint8Array): Uint8Array[] {
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0)
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write(type, 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return [header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)]
}

/** A record begins with its own length, the digits of that number included. */
function toPaxRecord(key: string, value: string): Buffer {
  const rest = Buffer.from(` ${key}=${value}\n`)
  let length = rest.length + 1
  while (String(length).length + rest.length !== length) length++
  return Buffer.concat([Buffer.from(String(length)), rest])
}
