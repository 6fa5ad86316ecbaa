import fc from 'fast-check'

const SURROGATES = { first: 0xd800, last: 0xdfff }

const codePoint = fc
  .integer({ min: 0, max: 0x10ffff })
  .map((code) => (code < SURROGATES.first || code > SURROGATES.last ? code : code - SURROGATES.first))

/**
 * Texts of any code points but lone surrogates. The same as fast-check's unit `binary`, for which it takes a second to
 * index all code points.
 */
export function anyText(length: { readonly minLength?: number; readonly maxLength?: number } = {}) {
  return fc.array(codePoint, length).map((codes) => String.fromCodePoint(...codes))
}
