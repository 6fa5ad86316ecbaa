import { isObject, textOf } from '../documents/json-document.ts'
import { readCsafVex } from './csaf-vex.ts'
import { readCycloneDxVex } from './cyclonedx-vex.ts'
import { readOpenVex } from './open-vex.ts'
import { UnreadableVex, type VexDocument } from './vex-document.ts'

/** Reads a VEX document of any kind, recognized by its content. Throws `UnreadableVex`. */
export function readVex(content: unknown): VexDocument {
  if (!isObject(content)) throw new UnreadableVex('', 'must be an object')
  const root = { object: content, pointer: '' }
  if (textOf(content, '@context')?.startsWith('https://openvex.dev/ns')) return readOpenVex(root)
  if (textOf(content, 'bomFormat') === 'CycloneDX') return readCycloneDxVex(root)
  if (isObject(content['document'])) return readCsafVex(root)
  throw new UnreadableVex(
    '',
    'is no VEX document: OpenVEX has @context, CycloneDX has bomFormat, and CSAF has document',
  )
}
