import { fileLists } from '../../ecosystems/file-lists.ts'
import type { FileKind, ReadableKind } from './file-kind.ts'
import { jsonKinds } from './json-kinds.ts'
import { type Outline, toOutline } from './outline.ts'
import { scriptKinds } from './script-kinds.ts'
import { textKinds } from './text-kinds.ts'
import { tomlKinds } from './toml-kinds.ts'
import { xmlKinds } from './xml-kinds.ts'

export type { FileKind, ReadableKind } from './file-kind.ts'

/** Every kind of file. The first matching detector wins. */
export const fileKinds: readonly FileKind[] = [
  ...fileLists.flatMap(({ kinds }) => kinds),
  ...jsonKinds,
  ...xmlKinds,
  ...textKinds,
  ...tomlKinds,
  ...scriptKinds,
]

/** Returns the kind of a file by content; undefined if unidentified. */
export function detectKind(text: string): FileKind | undefined {
  return detectIn(toOutline(text))
}

export function detectIn(outline: Outline): FileKind | undefined {
  return outline.form === 'blank' ? undefined : fileKinds.find((kind) => kind.detect(outline))
}

/** Returns the readable kind by the last part of a path; undefined for other names. */
export function kindOfName(path: string): FileKind | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return fileKinds.find(({ names }) => names?.test(name))
}

export function getKind(id: ReadableKind): FileKind {
  return fileKinds.find((kind) => kind.id === id)!
}
