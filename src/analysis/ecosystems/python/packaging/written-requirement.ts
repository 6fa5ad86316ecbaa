import type { Declaration, WrittenRange } from '#analysis/ecosystems/declaration.ts'
import { toProjectName } from './project-name.ts'

const REQUIREMENT =
  /^\s*([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9_])?)\s*(?:\[[^\]]*\]\s*)?\(?\s*((?:[^\s;()#\\@,]|,\s*|\s+(?=[\w.*!=<>~,]))*)/d

/** Reads the name and the range of a requirement (PEP 508) that begins at an offset of a file. */
export function readWrittenRequirement(text: string, offset: number): Pick<Declaration, 'name' | 'range'> | undefined {
  const match = REQUIREMENT.exec(text)
  const [, name, range = ''] = match ?? []
  if (name === undefined) return undefined
  const start = offset + (match?.indices?.[2]?.[0] ?? 0)
  const isRange = /^[=<>~!]/.test(range)
  return { name: toProjectName(name), ...(isRange && { range: toRange(range, start) }) }
}

function toRange(text: string, start: number): WrittenRange {
  const trimmed = text.trimEnd()
  return { text: trimmed, start, end: start + trimmed.length }
}
