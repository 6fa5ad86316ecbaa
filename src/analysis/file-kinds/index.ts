import type { FileKind, ReadableKind } from './file-kind.ts'
import { jsonKinds } from './json-kinds.ts'
import { type Outline, toOutline } from './outline.ts'
import { scriptKinds } from './script-kinds.ts'
import { textKinds } from './text-kinds.ts'
import { tomlKinds } from './toml-kinds.ts'
import { xmlKinds } from './xml-kinds.ts'

export type { FileKind, ReadableKind } from './file-kind.ts'

/** Every kind of file that is told apart. The first whose detector agrees counts. */
export const fileKinds: readonly FileKind[] = [...jsonKinds, ...xmlKinds, ...textKinds, ...tomlKinds, ...scriptKinds]

/** The kind of a file by what is in it; undefined when nothing identifies one. */
export function detectKind(text: string): FileKind | undefined {
  return detectIn(toOutline(text))
}

export function detectIn(outline: Outline): FileKind | undefined {
  return outline.form === 'blank' ? undefined : fileKinds.find((kind) => kind.detect(outline))
}

/** The kind that a path's last part names; undefined for names that say nothing. */
export function kindOfName(path: string): FileKind | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return fileKinds.find(({ names }) => names.test(name))
}

export function getKind(id: ReadableKind): FileKind {
  return fileKinds.find((kind) => kind.id === id)!
}
