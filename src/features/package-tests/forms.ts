import { Problem } from '#foundation/problem.ts'

/** Media types of a result's formats; the first is the default. */
export const mediaTypes = {
  json: 'application/json',
  sarif: 'application/sarif+json',
  cyclonedx: 'application/vnd.cyclonedx+json',
} as const

export type ResultForm = keyof typeof mediaTypes

interface Range {
  readonly type: string
  readonly parameters: readonly string[]
  readonly quality: number
}

/** Chooses a format by `Accept` (RFC 9110 §12.5.1). Throws 406 if no format is acceptable. */
export function chooseForm(accept: string | undefined): ResultForm {
  if (accept === undefined || accept.trim() === '') return 'json'
  const ranges = accept.slice(0, 4096).split(',').map(toRange)
  const rated = (Object.keys(mediaTypes) as ResultForm[]).map((form) => ({ form, ...rate(form, ranges) }))
  // Prefer explicit types over wildcards, then the order of the formats.
  const [best] = rated.toSorted((a, b) => b.quality - a.quality || b.precision - a.precision)
  if (best!.quality > 0) return best!.form
  throw new Problem(
    'not-acceptable',
    `The Accept header names no supported media type. Supported: ${Object.values(mediaTypes).join(', ')}`,
    {
      source: { header: 'accept' },
    },
  )
}

function toRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))
  const quality = weight === undefined ? 1 : Number(weight.slice(weight.indexOf('=') + 1))
  return {
    // Java's own client sends a single star for all types.
    type: type === '*' ? '*/*' : type,
    parameters: parameters.filter((parameter) => parameter !== weight && !/^charset=/.test(parameter)),
    quality: quality >= 0 && quality <= 1 ? quality : 0,
  }
}

/** Rates a format by the most specific matching range (RFC 9110 §12.5.1). */
function rate(form: ResultForm, ranges: readonly Range[]): { quality: number; precision: number } {
  const fitting = ranges
    .map((range) => ({ quality: range.quality, precision: precisionOf(form, range) }))
    .filter(({ precision }) => precision > 0)
    .sort((a, b) => b.precision - a.precision)
  return fitting[0] ?? { quality: 0, precision: 0 }
}

function precisionOf(form: ResultForm, { type, parameters }: Range): number {
  if (type === '*/*') return 1
  if (type === 'application/*') return 2
  if (type !== mediaTypes[form]) return 0
  const versions: Readonly<Record<ResultForm, string>> = { json: '', sarif: 'version=2.1.0', cyclonedx: 'version=1.6' }
  if (parameters.length === 0) return 3
  return parameters.every((parameter) => parameter.replaceAll('"', '') === versions[form]) ? 4 : 0
}
