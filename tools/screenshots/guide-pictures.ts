import { Buffer } from 'node:buffer'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { finishDrawing, type SampleServer } from './sample-server.ts'

const folder = join(import.meta.dirname, '../../docs/guides/images')
const LOOK = { viewport: { width: 1120, height: 640 }, colorScheme: 'light' } as const
const MAX_BYTES = 60_000
/** Qualities of WebP, best first: the first that fits is kept. */
const QUALITIES = [0.92, 0.85, 0.75, 0.6]

interface Places {
  readonly org: string
  readonly group: string
}

interface Picture {
  readonly path: (places: Places) => string
  /** Prepares what the picture shows, after the heading of the page. */
  readonly act?: (page: Page) => Promise<unknown>
}

/** The pictures of the guides, by the name of their file. */
const pictures: Readonly<Record<string, Picture>> = {
  overview: { path: () => '/' },
  'connect-source': { path: ({ org }) => `/orgs/${org}/integrations/new` },
  projects: { path: ({ org }) => `/orgs/${org}/projects`, act: (page) => expandFirst(page) },
  issues: { path: ({ org }) => `/orgs/${org}/issues` },
  vulnerability: { path: ({ org }) => `/orgs/${org}/issues`, act: openFirst },
  ignore: { path: ({ org }) => `/orgs/${org}/issues`, act: ignoreFirst },
  'license-policy': { path: ({ org }) => `/orgs/${org}/license-policy`, act: (page) => addRule(page) },
  roles: { path: ({ group }) => `/groups/${group}/roles` },
  'add-member': { path: ({ org }) => `/orgs/${org}/members`, act: openMemberForm },
  'single-sign-on': { path: ({ group }) => `/groups/${group}/single-sign-on`, act: fillProvider },
}

/** Takes the pictures of the guides into `docs/guides/images`. */
export async function takeGuidePictures({ console: opened, findFirst }: SampleServer): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const [org, group] = [await findFirst('orgs'), await findFirst('groups')]
  for (const [name, { path, act }] of Object.entries(pictures)) {
    const { page } = await opened.open(path({ org, group }), LOOK)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await finishDrawing(page)
    await act?.(page)
    await finishDrawing(page)
    const image = await compress(page, await page.screenshot({ animations: 'disabled' }))
    if (image.length > MAX_BYTES) throw new Error(`${name} has ${image.length} bytes, more than ${MAX_BYTES}`)
    writeFileSync(join(folder, `${name}.webp`), image)
    console.log(`${name}: ${image.length} bytes`)
    await page.context().close()
  }
}

/** Encodes a picture as WebP in the browser, which needs no program besides. */
async function compress(page: Page, image: Buffer): Promise<Buffer> {
  const blank = await page.context().newPage()
  const encoded = await blank.evaluate<readonly string[]>(
    `(async () => {
      const image = new Image()
      image.src = 'data:image/png;base64,${image.toString('base64')}'
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = image.height
      canvas.getContext('2d').drawImage(image, 0, 0)
      return ${JSON.stringify(QUALITIES)}.map((quality) => canvas.toDataURL('image/webp', quality))
    })()`,
  )
  const files = encoded.map((url) => Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'))
  return files.find(({ length }) => length <= MAX_BYTES) ?? files.at(-1)!
}

async function expandFirst(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Manifests of/ })
    .first()
    .click()
}

function tableOf(page: Page) {
  return page.getByRole('table', { name: 'Issues by vulnerability' })
}

async function openFirst(page: Page): Promise<void> {
  await tableOf(page).getByRole('link').first().click()
  await page.getByRole('heading', { level: 2, name: 'Affected packages' }).waitFor()
}

async function ignoreFirst(page: Page): Promise<void> {
  const boxes = tableOf(page).getByRole('checkbox', { name: /^Select (?!all)/ })
  for (const at of [0, 1, 2]) await boxes.nth(at).check()
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: /^Ignore/ })
    .click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('Not reachable: only used in tests')
}

async function addRule(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add rule' }).click()
  const name = { name: 'License', exact: true }
  await page.getByRole('textbox', name).or(page.getByRole('combobox', name)).fill('GPL-3.0-only')
}

async function openMemberForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add member' }).click()
  await page.getByRole('dialog').waitFor()
}

async function fillProvider(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add provider' }).click()
  const fields = { Name: 'Company directory', Issuer: 'https://id.example/realms/shop', 'Client ID': 'gatehouse' }
  for (const [name, text] of Object.entries(fields)) await page.getByRole('textbox', { name, exact: true }).fill(text)
}
