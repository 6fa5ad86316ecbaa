import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { takeGuidePictures } from './guide-pictures.ts'
import { finishDrawing, type SampleServer, withSampleServer } from './sample-server.ts'
import { playStories } from './stories.ts'

/**
 * Takes the README's pictures; with --guides those of the guides; with --stories FOLDER plays what people do in the
 * console instead, with a picture of each step in that folder.
 */
const { values } = parseArgs({ options: { stories: { type: 'string' }, guides: { type: 'boolean' } } })

/** The README's pictures: the overview of the console. */
const looks = [
  { name: 'overview', viewport: { width: 1440, height: 690 }, colorScheme: 'light' },
  { name: 'overview-dark', viewport: { width: 1440, height: 690 }, colorScheme: 'dark' },
] as const

const { stories, guides } = values
await withSampleServer((server) => {
  if (guides) return takeGuidePictures(server)
  return stories === undefined ? takePictures(server) : playStories(server, stories)
})

async function takePictures({ console }: SampleServer): Promise<void> {
  const target = join(import.meta.dirname, '../../docs/images')
  mkdirSync(target, { recursive: true })
  for (const { name, ...look } of looks) {
    const { page } = await console.open('/', look)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await finishDrawing(page)
    await page.screenshot({ path: join(target, `${name}.png`) })
    await page.context().close()
  }
}
