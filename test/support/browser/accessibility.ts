import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { isFullVolume } from '../volume.ts'
import { look } from './console.ts'
import { settle } from './settle.ts'

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const wide = { name: 'wide', width: 1280, height: 900 } as const
const narrow = { name: 'narrow', width: 320, height: 640 } as const

const looks = [
  { screen: wide, colorScheme: 'light' },
  { screen: narrow, colorScheme: 'dark' },
  { screen: narrow, colorScheme: 'light' },
  { screen: wide, colorScheme: 'dark' },
] as const

let audits = 0

/** The layout decides about the document and the scheme about colors: the first two looks contain all of both. */
const usualLooks = looks.slice(0, 2)

interface AuditOptions {
  /** True for a page that receives updates from the server meanwhile. */
  readonly receivesUpdates?: boolean
}

/**
 * Checks a page against axe-core's rules (WCAG 2.2 AA and its best practices): at full volume wide and narrow, light
 * and dark; otherwise pages take turns, one wide and light, the next narrow and dark. Nothing may move, since reduced
 * motion is requested.
 */
export async function audit(page: Page, name: string, options: AuditOptions = {}): Promise<void> {
  const faults: string[] = []
  for (const look of isFullVolume ? looks : [usualLooks[audits++ % usualLooks.length]!]) {
    await dress(page, look)
    faults.push(...(await findingsOf(page, `${name}-${look.screen.name}-${look.colorScheme}`, options)))
  }
  await page.setViewportSize(wide)
  assert.ok(faults.length === 0, faults.join('\n'))
}

/**
 * Checks pages as `audit` does, but all that have one look before those that have another: dressing a page takes long.
 * At a smaller volume, the first half has one look and the second half the other.
 */
export async function auditPages(page: Page, pages: ReadonlyMap<string, () => Promise<void>>): Promise<void> {
  const faults: string[] = []
  const chosen = isFullVolume ? looks : usualLooks
  for (const [turn, look] of chosen.entries()) {
    await dress(page, look)
    for (const [at, [name, open]] of [...pages].entries()) {
      if (!isFullVolume && Math.floor((at * chosen.length) / pages.size) !== turn) continue
      await open()
      const looked = findingsOf(page, `${name}-${look.screen.name}-${look.colorScheme}`)
      faults.push(...(await looked.catch((error: Error) => [error.message])))
    }
  }
  assert.ok(faults.length === 0, faults.join('\n'))
}

async function dress(page: Page, { screen, colorScheme }: (typeof looks)[number]): Promise<void> {
  await page.setViewportSize(screen)
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.locator(`[data-mantine-color-scheme=${colorScheme}]`).first().waitFor()
}

async function findingsOf(page: Page, name: string, { receivesUpdates = false }: AuditOptions = {}): Promise<string[]> {
  if (!receivesUpdates) await settle(page)
  await page.locator('[aria-busy=true], [aria-label^=Loading]').first().waitFor({ state: 'detached' })
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  assert.equal(await page.evaluate('document.getAnimations().length'), 0, `something moves on ${name}`)
  await look(page, `audit-${name}`)
  return (await findings(page)).map((finding) => `${name}: ${finding}`)
}

async function findings(page: Page): Promise<readonly string[]> {
  const options = JSON.stringify({ runOnly: rules, resultTypes: ['violations'], preload: false, selectors: false })
  const nodes =
    'nodes.map((node) => [id, help, node.html.slice(0, 200), ...node.any.map(({ message }) => message)].join("; "))'
  return page.evaluate(
    `axe.run(document, ${options}).then(({ violations }) => violations.flatMap(({ id, help, nodes }) => ${nodes}))`,
  )
}
