import type { Ajv, Options } from 'ajv'

/**
 * Maximum length of a text that is matched with a format or a pattern; a longer one never matches. A `date-time` of 1
 * MiB took 40 ms of the main thread, a `uri` 15 ms.
 */
const MAX_CHARACTERS = 10_000

/** RFC 3339 with a fraction of up to 20 digits. Text of another form is refused before it is split at blanks. */
const DATE_TIME = /^\d{4}-\d\d-\d\d[t\s]\d\d:\d\d:\d\d(?:\.\d{1,20})?(?:z|[+-]\d\d(?::?\d\d)?)$/i

/** Keeps Ajv from matching long texts with a pattern. */
export const boundedPatterns: NonNullable<Options['code']> = {
  regExp: Object.assign(
    (pattern: string, flags: string) => {
      const expression = new RegExp(pattern, flags)
      return {
        test: (text: string) => text.length <= MAX_CHARACTERS && expression.test(text),
        // Ajv distinguishes expressions by this text.
        toString: () => String(expression),
      }
    },
    // The name of this function in validators written to files, which is not used.
    { code: 'boundedExpression' },
  ),
}

/** Keeps Ajv from matching long texts with a format. */
export function boundFormats(ajv: Ajv): void {
  for (const [name, format] of Object.entries(ajv.formats)) {
    if (format === undefined || typeof format === 'boolean') continue
    const validate = format instanceof RegExp || typeof format === 'function' ? format : format.validate
    const isOfNumbers = !(format instanceof RegExp) && typeof format === 'object' && format.type === 'number'
    if (isOfNumbers || validate === undefined || typeof validate === 'string') continue
    const matches = validate instanceof RegExp ? (text: string) => validate.test(text) : validate
    const hasShape = name === 'date-time' ? (text: string) => DATE_TIME.test(text) : () => true
    ajv.addFormat(
      name,
      (text: string) => text.length <= MAX_CHARACTERS && hasShape(text) && matches(text as never) === true,
    )
  }
}
