import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

const styles = ['pages.css', 'forms.css']
  .map((name) => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8'))
  .join('\n')

/** Returns a custom property in the light and the dark scheme. */
function color(name: string): [light: string, dark: string] {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(styles) ?? []
  assert.ok(light && dark, `--${name}`)
  return [light, dark]
}

/** WCAG 2.2, relative luminance. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG 2.2, contrast ratio. */
function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

// 1.4.3 requires 4.5 for text, 1.4.11 requires 3 for field borders.
const pairs: [color: string, ground: string, least: number][] = [
  ['text', 'ground', 4.5],
  ['text', 'raised', 4.5],
  ['quiet', 'ground', 4.5],
  ['quiet', 'raised', 4.5],
  ['accent', 'ground', 4.5],
  ['accent', 'raised', 4.5],
  ['on-accent', 'accent', 4.5],
  ['danger', 'ground', 4.5],
  ['danger', 'danger-ground', 4.5],
  ['text', 'danger-ground', 4.5],
  ['field', 'ground', 3],
]
describe('color contrast of pages', () => {
  for (const [name, ground, least] of pairs) {
    test(`${name} on ${ground}: contrast of at least ${least} in both schemes`, () => {
      const [names, grounds] = [color(name), color(ground)]
      for (const scheme of [0, 1] as const) {
        const ratio = contrast(names[scheme], grounds[scheme])
        assert.ok(ratio >= least, `${names[scheme]} on ${grounds[scheme]} has ${ratio.toFixed(2)}`)
      }
    })
  }
})
