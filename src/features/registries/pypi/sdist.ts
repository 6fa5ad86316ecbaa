import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { PyPiMetadata } from '#analysis/registries/pypi.ts'
import { parseCoreMetadata } from './core-metadata.ts'
import { requirementsOfEgg } from './egg-requires.ts'

const unpack = promisify(gunzip)
const MAX_UNPACKED_BYTES = 128 * 1024 * 1024
const MAX_FILE_BYTES = 4 * 1024 * 1024
const BLOCK_BYTES = 512

/** The files of a source distribution that tell what it depends on. */
interface Told {
  pkgInfo: string | undefined
  requires: string | undefined
  isMadeBySetuptools: boolean
}

/**
 * What a source distribution (`.tar.gz`) says without being built: PKG-INFO where its dependencies are for every build
 * (PEP 643), else the list that setuptools wrote when it was packed, else the dependencies that PKG-INFO lists. When none
 * of these is there, they stay unknown.
 */
export async function parseSdist(document: Buffer, what: string): Promise<PyPiMetadata> {
  const archive = await unpackWhole(document)
  const { pkgInfo, requires, isMadeBySetuptools } = archive === undefined ? nothing() : findFiles(archive)
  if (pkgInfo === undefined) return { provides: [] }
  const { isStatic, requiresDist, ...core } = parseCoreMetadata(pkgInfo, what)
  if (isStatic || requiresDist.length > 0) return { ...core, requiresDist }
  if (requires !== undefined) return { ...core, ...requirementsOfEgg(requires) }
  return isMadeBySetuptools ? { ...core, requiresDist: [] } : core
}

async function unpackWhole(document: Buffer): Promise<Buffer | undefined> {
  try {
    return await unpack(document, { maxOutputLength: MAX_UNPACKED_BYTES })
  } catch {
    return undefined
  }
}

function nothing(): Told {
  return { pkgInfo: undefined, requires: undefined, isMadeBySetuptools: false }
}

/** Of a tar archive; names longer than 100 bytes are none of those that are wanted, or are split as ustar does. */
function findFiles(archive: Buffer): Told {
  const told = nothing()
  for (let at = 0; at + BLOCK_BYTES <= archive.length && archive[at] !== 0; ) {
    const name = nameAt(archive, at)
    const size = Number.parseInt(textAt(archive, at + 124, 12), 8)
    if (!Number.isSafeInteger(size) || size < 0) return told
    const content = at + BLOCK_BYTES
    const read = () => archive.toString('utf8', content, content + Math.min(size, MAX_FILE_BYTES))
    const parts = name.replace(/^\.\//, '').split('/')
    const isEgg = parts.length >= 2 && parts.length <= 4 && parts.at(-2)!.endsWith('.egg-info')
    if (parts.length === 2 && parts[1] === 'PKG-INFO') told.pkgInfo = read()
    else if (isEgg) {
      told.isMadeBySetuptools = true
      if (parts.at(-1) === 'requires.txt') told.requires = read()
      else if (parts.at(-1) === 'PKG-INFO') told.pkgInfo ??= read()
    }
    at = content + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES
  }
  return told
}

function nameAt(archive: Buffer, at: number): string {
  const name = textAt(archive, at, 100)
  const isUstar = archive.toString('latin1', at + 257, at + 262) === 'ustar'
  const prefix = isUstar ? textAt(archive, at + 345, 155) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

function textAt(archive: Buffer, at: number, length: number): string {
  const [text = ''] = archive.toString('utf8', at, at + length).split('\0', 1)
  return text.trim()
}
