import type { JsonObject } from '#analysis/documents/json-document.ts'
import type { FileKind } from './file-kind.ts'

/** A kind of text identified by several patterns together. */
export function textKind({
  all,
  none = [],
  ...kind
}: Omit<FileKind, 'detect'> & { readonly all: readonly RegExp[]; readonly none?: readonly RegExp[] }): FileKind {
  return {
    ...kind,
    detect: ({ form, head }) =>
      form === 'text' && all.every((pattern) => pattern.test(head)) && !none.some((pattern) => pattern.test(head)),
  }
}

export type JsonKind = Omit<FileKind, 'detect' | 'isPlausible'> & {
  is(document: JsonObject): boolean
  isPlausible?(document: JsonObject): boolean
}

/** A kind of JSON object identified by its members. */
export function jsonKind({ is, isPlausible, ...kind }: JsonKind): FileKind {
  return {
    ...kind,
    detect: ({ form, json }) => {
      const document = form === 'json' ? json() : undefined
      return document !== undefined && is(document)
    },
    ...(isPlausible && {
      isPlausible: ({ json }) => {
        const document = json()
        return document !== undefined && isPlausible(document)
      },
    }),
  }
}
