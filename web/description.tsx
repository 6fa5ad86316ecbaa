import { Skeleton } from '@mantine/core'
import { Suspense } from 'react'
import { lazyPart } from './lazy.ts'

const Markdown = lazyPart(async () => (await import('./ui/markdown.tsx')).Markdown)

/** What an advisory says. The reader of Markdown is larger than most pages, so it is fetched when there is something to read. */
export function Description({ text }: { text: string }) {
  return (
    <Suspense fallback={<Skeleton height={120} role="status" aria-label="Loading" />}>
      <Markdown text={text} />
    </Suspense>
  )
}
