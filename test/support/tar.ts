import { gzipSync } from 'node:zlib'

/** A gzipped tar archive (ustar) of texts by name. */
export function toTarGz(files: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const bytes = Buffer.from(content)
    const header = Buffer.alloc(512)
    header.write(name, 0, 100)
    header.write('0000644\0', 100)
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write('ustar\x0000', 257)
    const padding = Buffer.alloc((512 - (bytes.length % 512)) % 512)
    return [header, bytes, padding]
  })
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]))
}
