import { Skeleton } from '@mantine/core'
import { Suspense } from 'react'
import { lazyPart } from '../navigation/lazy.ts'

const Markdown = lazyPart(async () => (await import('../ui/markdown.tsx')).Markdown)

/** Renders an advisory's description. The Markdown renderer is larger than most pages, so it is loaded on demand. */
export function Description({ text }: { text: string }) {
  return (
    <Suspense fallback={<Skeleton height={120} role="status" aria-label="Loading" />}>
      <Markdown text={text} />
    </Suspense>
  )
}
