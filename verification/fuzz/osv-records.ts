import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { corpusFolder } from '../corpus/folder.ts'
import { evenly } from './seeds.ts'

const ecosystems = ['npm', 'PyPI', 'RubyGems', 'Maven', 'Go']
const [LOCAL_HEADER, DIRECTORY_ENTRY] = [30, 46]

/** Real records out of the archives of the corpus; none if it has none. */
export function osvRecords(most: number): string[] {
  return ecosystems.flatMap((ecosystem) => {
    const archive = path.join(corpusFolder, 'osv', ecosystem, 'all.zip')
    return existsSync(archive) ? unpackSome(readFileSync(archive), most / ecosystems.length) : []
  })
}

/** These archives are known: deflated entries, and a directory without a comment at the end. */
function unpackSome(archive: Buffer, most: number): string[] {
  const end = archive.length - 22
  const places: { at: number; packed: number }[] = []
  let entry = archive.readUInt32LE(end + 16)
  for (let count = archive.readUInt16LE(end + 10); count > 0; count--) {
    places.push({ at: archive.readUInt32LE(entry + 42), packed: archive.readUInt32LE(entry + 20) })
    const variable = [28, 30, 32].map((field) => archive.readUInt16LE(entry + field))
    entry += DIRECTORY_ENTRY + variable.reduce((sum, length) => sum + length, 0)
  }
  return evenly(places, most).map(({ at, packed }) => {
    const start = at + LOCAL_HEADER + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28)
    return inflateRawSync(archive.subarray(start, start + packed)).toString('utf8')
  })
}
