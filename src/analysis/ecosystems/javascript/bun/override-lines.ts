import { isObject } from '#analysis/documents/json-document.ts'

/** A selector as pnpm writes it (`name`, `name@range`, `parent>name`), and its value; undefined if Bun ignores it. */
export type OverrideLine = readonly [selector: string, value: string | undefined]

/**
 * Reads Bun's `overrides` or `resolutions`. Since 1.4, they may contain overrides for one parent: `{"a": {"b": "1"}}`,
 * where `.` stands for the parent itself, or `a/b` in resolutions. Bun ignores deeper nesting.
 */
export function readOverrideLines(member: unknown): OverrideLine[] {
  return Object.entries(isObject(member) ? member : {}).flatMap(([key, value]): OverrideLine[] => {
    const parent = toSelector(key)
    if (!isObject(value))
      return [[parent ?? key, parent !== undefined && typeof value === 'string' ? value : undefined]]
    return Object.entries(value).map(([name, own]) => {
      const selector = name === '.' ? (parent ?? key) : `${parent ?? key}>${name}`
      const isKnown = parent !== undefined && (name === '.' || !parent.includes('>'))
      return [selector, isKnown && typeof own === 'string' ? own : undefined]
    })
  })
}

export function isApplied(line: OverrideLine): line is readonly [string, string] {
  return line[1] !== undefined
}

/** Translates the path of a resolution (`a/b`, `a/**` + `/b`, `**` + `/b`); undefined for paths of more packages. */
function toSelector(key: string): string | undefined {
  if (key.includes('>') || !key.includes('/')) return key
  const parts = key.split('/').filter((part) => part !== '**')
  const names: string[] = []
  for (const part of parts) {
    const before = names.at(-1)
    if (before?.startsWith('@') && !before.includes('/')) names[names.length - 1] = `${before}/${part}`
    else names.push(part)
  }
  return names.length > 2 ? undefined : names.join('>')
}
