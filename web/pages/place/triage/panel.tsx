import { Skeleton } from '@mantine/core'
import { type ComponentProps, Suspense } from 'react'
import { lazyPart } from '../../../navigation/lazy.ts'

const LoadedPanel = lazyPart(async () => (await import('./loaded-panel.tsx')).LoadedPanel)

/** Owner, due date and comments of a vulnerability. Few visitors of a page open them, so they are loaded on demand. */
export function TriagePanel(props: ComponentProps<typeof LoadedPanel>) {
  return (
    <Suspense fallback={<Skeleton height={90} role="status" aria-label="Loading owner and due date" />}>
      <LoadedPanel {...props} />
    </Suspense>
  )
}
