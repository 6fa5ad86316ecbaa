import { gzipSync } from 'node:zlib'

export interface TarMember {
  readonly name: string | Buffer
  readonly content?: string | Buffer
  /** `0` a file (default), `2` a link … (POSIX.1-2001, ustar). */
  readonly type?: string
  readonly linksTo?: string
  /** A false size for the header. */
  readonly claimedSize?: number
}

/** A gzipped tar archive (ustar) of texts by name. */
export function toTarGz(files: Readonly<Record<string, string>>): Buffer {
  return gzipSync(toTar(Object.entries(files).map(([name, content]) => ({ name, content }))))
}

/** A tar archive (ustar); names have 100 bytes at most. */
export function toTar(members: readonly TarMember[]): Buffer {
  const blocks = members.flatMap(({ name, content = '', type = '0', linksTo = '', claimedSize }) => {
    const bytes = Buffer.from(content as Buffer)
    const size = claimedSize ?? bytes.length
    const header = Buffer.alloc(512)
    Buffer.from(name as Buffer).copy(header)
    header.write('0000644\0', 100)
    header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
    header.write('        ', 148)
    header.write(type, 156)
    header.write(linksTo, 157)
    header.write('ustar\x0000', 257)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    const padding = Buffer.alloc((512 - (bytes.length % 512)) % 512)
    return [header, bytes, padding]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}
